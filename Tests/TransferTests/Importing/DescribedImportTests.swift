import Blobs
import Foundation
import Machine
import Posts
import Services
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

  @Test func `a folder may grow between two imports, also within a post`() throws {
    let folder = try ImportedFolder()
    for count in 1...3 {
      try folder.write(
        "5_\(count).jpg.json",
        json: [
          "category": "made-up", "id": 5, "num": count, "date": "2024-02-29 12:30:00",
          "post_url": "https://art.example/5",
        ] as [String: Any])
      try folder.picture("5_\(count).jpg")
      #expect(try folder.imported(isPlan: true).report.imported.pictures == 1)
      let imported = try folder.imported().report.imported
      #expect(imported.pictures == 1 && imported.new == (count == 1 ? 1 : 0))
    }
    #expect(try folder.imported().report.imported.unchanged == 1)
    let post = try #require(try folder.posts().first)
    #expect(post.attachments.count == 3 && post.attachments.allSatisfy { $0.state == .stored })
  }

  @Test func `what cannot be read is named with its reason, and a file that went missing is counted`() throws {
    let folder = try ImportedFolder()
    for number in 1...2 {
      try folder.write(
        "1_\(number).jpg.json",
        json: ["category": "made-up", "id": 1, "num": number, "date": "2024-02-29 12:30:00", "extension": "jpg"])
    }
    try folder.picture("1_1.jpg")
    try folder.write("9_1.jpg.json", json: ["id": 9, "num": 1])
    try folder.picture("9_1.jpg")
    let report = try folder.imported().report
    #expect(report.unreadable == [.init(name: "9_1.jpg.json", reason: "it is no description of a file")])
    #expect(report.absentFiles == ["1_2.jpg"])
    #expect(try folder.posts().first?.attachments.map(\.state) == [.stored, .gone])
  }

  @Test func `an id may have blanks, and without one the page or the file is what tells posts apart`() throws {
    let folder = try ImportedFolder()
    func describe(_ name: String, _ about: [String: Any]) throws {
      try folder.picture(name)
      try folder.write("\(name).json", json: about.merging(["category": "made-up"]) { $1 })
    }
    try describe("1.jpg", ["id": "My Holiday 2019", "date": "2024-02-29 12:30:00"])
    try describe("2.jpg", ["page_url": "https://a.example/2", "created_at": "2024-02-29"])
    try describe("3.jpg", ["page_url": "https://a.example/2", "num": 1])
    try describe("b/4.jpg", ["filename": "4"])
    try describe("c/4.jpg", ["filename": "4"])
    try describe("5.jpg", ["id": String(repeating: "5", count: 300), "release_timestamp": 1_700_000_000])
    try folder.write("info.json", json: ["category": "made-up"])
    let report = try folder.imported().report
    #expect(report.unreadable.map(\.name) == ["info.json"])
    #expect(report.imported.new == 5 && report.imported.pictures == 6)
    let posts = try folder.posts()
    let one = try #require(posts.first { $0.remoteID == "My Holiday 2019" })
    #expect(one.uri == "urn:download:made-up:My%20Holiday%202019")
    let two = try #require(posts.first { $0.url == "https://a.example/2" })
    #expect(two.attachments.count == 2 && UTC.text(two.createdAt) == "2024-02-29T00:00:00.000Z")
    #expect(posts.contains { $0.createdAt == Date(timeIntervalSince1970: 1_700_000_000) })
    #expect(try folder.imported().report.imported.unchanged == 5)
  }

  @Test
  func `of a folder of two programs the one is read, and the other's files are named with the form that reads them`()
    throws
  {
    let folder = try ImportedFolder()
    try folder.write(
      "one [a1].info.json",
      json: ["id": "a1", "extractor_key": "Vimeo", "webpage_url": "https://vimeo.com/1", "epoch": 1_700_000_000])
    try folder.picture("one [a1].mp4")
    try folder.write("b/2.jpg.json", json: ["category": "made-up", "id": 2, "date": "2024-02-29 12:30:00"])
    try folder.picture("b/2.jpg")
    try folder.write("notes.json", json: ["a": 1])
    let (report, format, _, left) = try folder.imported()
    #expect(format == "yt-dlp" && report.imported.new == 1)
    #expect(left == ["files without a description": 2, "files that --format gallery-dl reads": 1])
  }

  @Test func `what other programs wrote beside a described file is read, too`() throws {
    let folder = try ImportedFolder()
    for (id, name) in [(1, "1.jpg"), (2, "2.jpg")] {
      try folder.picture(name)
      try folder.write(
        "\(name).json",
        json: [
          "category": "made-up", "id": id, "num": 1, "date": "2024-02-29 12:30:00", "extension": "jpg",
          "tags": ["cats"],
        ] as [String: Any])
    }
    try folder.write("1.jpg.txt", "cats\nroof\nown:boat\ncreator:ada\n")
    try folder.write(
      "1.xmp",
      #"<x:xmpmeta xmlns:x="adobe:ns:meta/" xmlns:xmp="x"><Description><xmp:Rating>3.0</xmp:Rating></Description></x:xmpmeta>"#
    )
    try folder.write("2.jpg.txt", "visibility:followers\n")
    try folder.picture("3.jpg")
    let (report, format, _, left) = try folder.imported()
    #expect(format == "gallery-dl" && left == ["files without a description": 1])
    #expect(report.imported.new == 1 && report.isPrivate == 1)
    let post = try #require(try folder.posts().first)
    #expect(post.tags == ["cats", "roof"] && post.marks.ownTags == ["boat"] && post.marks.rating == 3)
  }

  @Test(arguments: [(nil, "1a2b3c4d/a.json"), ("7", "7")] as [(String?, String)])
  func `of what its lost file would name, an id stays as it is`(id: String?, name: String) {
    let post = Post(
      source: .ofAddresses, uri: "urn:file", url: nil, author: nil, createdAt: ImportedFolder.now, caption: "lost")
    var found = FoundPost(PageItem(id: id, content: .post(post), raw: []), isNamedByPicture: true)
    found.origin = "a.json"
    #expect(ImportItem(Importer.identified(found, nil), pictures: [:], in: "1a2b3c4d").item.id == name)
  }

  @Test func `what was mended since is counted as unreadable no more`() throws {
    let folder = try ImportedFolder()
    let about: [String: Any] = ["category": "made-up", "id": 1, "date": "2024-02-29 12:30:00", "extension": "jpg"]
    for number in 1...3 {
      try folder.picture("\(number).jpg")
      try folder.write("\(number).jpg.json", json: about.merging(["num": number]) { $1 })
    }
    try folder.write("2.jpg.json", "{\"category\":")
    try folder.write("3.jpg.txt", bytes: [0xFF, 0xC0, 0x80])
    // Earlier versions kept the paths alone.
    let former = ["2.jpg.json", "1.jpg"].map {
      ImportItem(PageItem(id: $0, content: .unreadable(reason: "it is no JSON"), raw: Array($0.utf8)))
    }
    try folder.store.save(former, of: .importing("it"), now: ImportedFolder.now)
    #expect(try folder.imported().report.imported.unreadable == 2)
    #expect(try folder.store.stats().unreadable == 2)
    // Which folder it was is not told to whom the library is given.
    var names: [String] = []
    try folder.store.eachRecord(of: nil, raw: false) { record in
      if case .unreadable(let item) = record, case .text(let name) = item[.remoteID] { names.append(name) }
    }
    #expect(
      names.count == 2 && names.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{8}\/[12]\.jpg(\.json)?/) != nil }, "\(names)")
    // A folder elsewhere with the same names is another one.
    let other = try ImportedFolder(into: folder)
    for number in 2...3 {
      try other.picture("\(number).jpg")
      try other.write("\(number).jpg.json", json: about.merging(["id": 9, "num": number]) { $1 })
    }
    #expect(try other.imported().report.imported.new == 1)
    #expect(try folder.store.stats().unreadable == 2)
    try folder.write("2.jpg.json", json: about.merging(["num": 2]) { $1 })
    try folder.write("3.jpg.txt", "cats\n")
    #expect(try folder.imported().report.imported.unreadable == 0)
    #expect(try folder.store.stats().unreadable == 0)
  }

  @Test func `what a described folder says that not everybody may see stays out`() throws {
    let folder = try ImportedFolder()
    for (id, availability) in [("a1", "public"), ("a2", "subscriber_only")] {
      try folder.write(
        "\(id).info.json",
        json: [
          "id": id, "extractor_key": "Vimeo", "webpage_url": "https://vimeo.com/\(id)", "timestamp": 1_700_000_000,
          "availability": availability,
        ] as [String: Any])
      try folder.picture("\(id).mp4")
    }
    #expect(try folder.imported().report.isPrivate == 1)
    #expect(try folder.posts().map(\.url) == ["https://vimeo.com/a1"])
    let pictures = try ImportedFolder()
    for (code, isPrivate) in [("B1", false), ("B2", true)] {
      try pictures.write(
        "\(code).jpg.json",
        json: [
          "category": "instagram", "post_shortcode": code, "date": "2024-02-29 12:30:00", "username": "ada",
          "user": ["is_private": isPrivate],
        ] as [String: Any])
      try pictures.picture("\(code).jpg")
    }
    #expect(try pictures.imported().report.isPrivate == 1)
    #expect(try pictures.posts().map(\.url) == ["https://www.instagram.com/p/B1/"])
  }

  @Test func `hydrus's sidecars in JSON have own tags, and NAME.xmp belongs to the picture of that name`() throws {
    let folder = try ImportedFolder()
    for name in ["1.jpg", "2.png", "3.png"] { try folder.picture(name) }
    try folder.write("1.jpg.json", json: ["tags": ["cats", "own:boat"]])
    try folder.write(
      "2.xmp", #"<x:xmpmeta xmlns:x="adobe:ns:meta/" xmlns:dc="x"><Description dc:title="two"/></x:xmpmeta>"#)
    let left = try folder.imported().leftOut
    #expect(left == ["files without a sidecar": 1])
    let posts = try folder.posts()
    #expect(posts.flatMap(\.tags) == ["cats"] && posts.flatMap(\.marks.ownTags) == ["boat"])
    #expect(posts.count == 2 && posts.contains { $0.title == "two" })
  }

  @Test func `a file may have any form, and what lies beside it is none`() throws {
    let folder = try ImportedFolder()
    for name in ["1.psd", "2_1", "3.txt", "4.txt", "5.CR2"] { try folder.picture(name) }
    try folder.write("1.psd.txt", "layers\n")
    try folder.write("2_1.json", json: ["origin": "pulled", "tags": ["plain"]])
    try folder.write("3.txt.txt", "words\n")
    try folder.write("3.txt.urls.txt", "https://a.example/3\n")
    try folder.write("3.txt.txt.txt", "no file\n")
    try folder.write("5.xmp", #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><Description title="raw"/></x:xmpmeta>"#)
    let (report, format, _, left) = try folder.imported()
    #expect(format == "hydrus" && report.imported.new == 4 && report.imported.pictures == 4)
    #expect(left == ["files without a sidecar": 1])
    let posts = try folder.posts()
    #expect(Set(posts.flatMap(\.tags)) == ["layers", "plain", "words"] && posts.contains { $0.title == "raw" })
  }

  @Test func `a folder in which no file has a sidecar is none of hydrus's`() throws {
    let folder = try ImportedFolder()
    try folder.picture("1.jpg")
    try folder.write("2.jpg.txt", "cats\n")
    #expect(throws: ImportError.self) { try folder.imported() }
  }

  @Test func `an empty file is named, and takes no other file's place`() throws {
    let folder = try ImportedFolder()
    // Earlier versions kept such a file under an identity that every other one would have begun with.
    let bare = Post(
      source: .ofAddresses, uri: "urn:file", url: nil, author: nil, createdAt: ImportedFolder.now,
      caption: "empty", attachments: [Attachment(kind: .image, url: nil)])
    try folder.picture("3.jpg")
    let known = StoredBlob(id: BlobID(hashing: folder.bytes(ofPicture: "3.jpg")), byteCount: 12)
    let item = ImportItem(PageItem(id: nil, content: .post(bare), raw: []), pictures: [0: known])
    try folder.store.save([item], of: .importing("before"), now: ImportedFolder.now)
    try folder.write("1.jpg", "")
    try folder.picture("2.jpg")
    for number in 1...3 { try folder.write("\(number).jpg.txt", "own:\(number)\n") }
    let report = try folder.imported().report
    #expect(report.unreadable == [.init(name: "1.jpg", reason: "it is empty")] && report.absent == 0)
    #expect(report.imported.new == 2 && report.imported.pictures == 2 && report.imported.unreadable == 1)
    let posts = try folder.store.posts(PostQuery(feed: .importing("it"), limit: nil))
    #expect(Set(posts.flatMap(\.marks.ownTags)) == ["2", "3"])
    #expect(try folder.imported().report.imported.unchanged == 2)
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

  /// Writes what instaloader writes of a post, with this many pictures if it has several.
  private func post(_ name: String, _ code: String, children: Int = 0, in folder: ImportedFolder) throws {
    var node: [String: Any] = ["shortcode": code, "taken_at_timestamp": 1_709_209_800, "owner": ["username": "ada"]]
    let edges = (0..<children).map { ["node": ["accessibility_caption": "\($0 + 1)", "is_video": $0 == 1]] }
    if children > 0 { node["edge_sidecar_to_children"] = ["edges": edges] }
    try folder.write("\(name).json", json: ["instaloader": ["node_type": "Post"], "node": node])
  }

  @Test func `pictures of instaloader keep their places, and those that are missing are counted`() throws {
    let folder = try ImportedFolder()
    try post("1_UTC", "Ca", children: 12, in: folder)
    for number in [3, 10, 11] { try folder.picture("1_UTC_\(number).jpg") }
    try post("2_UTC", "Cb", in: folder)
    try folder.picture("3_UTC_2.jpg")
    try post("3_UTC", "Cc", in: folder)
    let (report, _, _, left) = try folder.imported()
    #expect(report.imported.pictures == 4 && left.isEmpty)
    #expect(report.absent == 11 && report.absentFiles.contains("1_UTC_12.jpg"))
    #expect(Set(["1_UTC_2.mp4", "2_UTC.jpg", "3_UTC_1.jpg"]).isSubset(of: report.absentFiles))
    let posts = try folder.posts()
    let many = try #require(posts.first { $0.attachments.count == 12 })
    #expect(many.attachments.filter { $0.state == .stored }.map(\.alt) == ["3", "10", "11"])
    #expect(posts.map(\.attachments.count).sorted() == [1, 2, 12])
  }

  @Test func `files of yt-dlp are found by what is said of them, in whatever form they are`() throws {
    let folder = try ImportedFolder()
    func film(_ id: String, ending: String = "mp4", _ more: [String: Any] = [:]) throws {
      let about: [String: Any] = [
        "id": id, "extractor_key": "Vimeo", "webpage_url": "https://vimeo.com/\(id)", "timestamp": 1_700_000_000,
        "title": id, "ext": ending,
      ]
      try folder.write("\(id).info.json", json: about.merging(more) { $1 })
    }
    for ending in ["flv", "ts", "mka", "odd"] {
      try film("is-\(ending)", ending: ending)
      try folder.picture("is-\(ending).\(ending)")
    }
    try film("named", ["requested_downloads": [["filepath": "/home/ada/the other.mp4"]]])
    try film("parts", ["format_id": "137+140"])
    try film("sound", ending: "webm")
    try film("still")
    try film("gone")
    try folder.write("list.info.json", json: ["_type": "playlist", "id": "PL1", "title": "all"])
    for file in ["the other.mp4", "parts.f137.mp4", "parts.f140.m4a", "sound.mp3", "still.webp"] {
      try folder.picture(file)
    }
    let (report, _, _, left) = try folder.imported()
    #expect(left == ["lists of videos": 1] && report.unreadable.isEmpty)
    #expect(report.imported.new == 9 && report.imported.pictures == 9 && report.absentFiles == ["gone.mp4"])
    let kinds = Dictionary(
      uniqueKeysWithValues: try folder.posts().map { ($0.title ?? "", $0.attachments.map(\.kind)) })
    #expect(kinds["parts"] == [.video, .audio] && kinds["sound"] == [.audio] && kinds["still"] == [.image])
    #expect(kinds["is-ts"] == [.video] && kinds["is-mka"] == [.audio] && kinds["gone"] == [.video])
  }
}
