import Foundation
import Posts
import Storage
import Testing

@testable import Transfer

/// Folders of other download programs.
struct DescribedImportTests {
  @Test func `a video without a date has the time at which yt-dlp asked for it, or its file's`() throws {
    let folder = try ImportedFolder()
    var about: [String: Any] = [
      "id": "a1", "extractor_key": "Vimeo", "extractor": "vimeo", "webpage_url": "https://vimeo.com/1", "title": "one",
      "age_limit": 18, "epoch": 1_700_000_000,
    ]
    try folder.write("one [a1].info.json", json: about)
    try folder.picture("one [a1].mp4")
    about["id"] = "a2"
    about["webpage_url"] = "https://vimeo.com/2"
    about["age_limit"] = 0
    about["epoch"] = nil
    try folder.write("two [a2].info.json", json: about)
    try folder.picture("two [a2].mp4")
    let (report, format, _, _) = try folder.imported()
    #expect(format == "yt-dlp" && report.imported.new == 2)
    let posts = try folder.posts()
    let one = try #require(posts.first { $0.url == "https://vimeo.com/1" })
    #expect(one.sensitive && one.createdAt == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(posts.contains { $0.url == "https://vimeo.com/2" && !$0.sensitive })
  }

  @Test func `what cannot be read is named with its reason, and a file that went missing is counted`() throws {
    let folder = try ImportedFolder()
    for number in 1...2 {
      try folder.write(
        "1_\(number).jpg.json",
        json: ["category": "made-up", "id": 1, "num": number, "date": "2024-02-29 12:30:00", "extension": "jpg"])
    }
    try folder.picture("1_1.jpg")
    try folder.write("9_1.jpg.json", json: ["category": "made-up", "id": 9, "num": 1])
    try folder.picture("9_1.jpg")
    let report = try folder.imported().report
    #expect(report.unreadable == [.init(name: "9_1.jpg.json: made-up 9", reason: "it has no usable date")])
    #expect(report.absentFiles == ["1_2.jpg"])
    #expect(try folder.posts().first?.attachments.map(\.state) == [.stored, .gone])
  }

  @Test func `what Instagram says that a picture shows is its alternative text`() throws {
    let folder = try ImportedFolder()
    let name = "2024-02-29_12-30-00_UTC"
    for number in 1...2 { try folder.picture("\(name)_\(number).jpg") }
    let children = (1...2).map { ["node": ["accessibility_caption": "Photo \($0) of a cat"]] }
    try folder.write(
      "\(name).json",
      json: [
        "instaloader": ["node_type": "Post"],
        "node": [
          "shortcode": "Ca", "taken_at_timestamp": 1_709_209_800, "owner": ["username": "ada"],
          "edge_sidecar_to_children": ["edges": children],
        ] as [String: Any],
      ])
    #expect(try folder.imported().report.imported.pictures == 2)
    #expect(try folder.posts().first?.attachments.map(\.alt) == ["Photo 1 of a cat", "Photo 2 of a cat"])
  }
}
