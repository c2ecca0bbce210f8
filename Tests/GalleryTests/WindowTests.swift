import Folders
import Foundation
import Machine
import MediaLibrary
import Posts
import Testing
import Web

@testable import Gallery

/// A library with posts, the newest last in `moments`.
struct TestLibrary {
  let scratch: Scratch
  let library: Library

  static let noon = Date(timeIntervalSince1970: 1_790_000_000)
  private static let feed = Feed(
    source: .usual, kind: .tag, value: "cats", server: Server("https://photos.example")!)

  init() throws {
    scratch = try Scratch()
    library = try Library(in: scratch.path) { TestLibrary.noon }
  }

  /// Stores posts, newest first. Numbers follow the same order.
  func save(_ posts: [Post]) throws { try library.save(posts, of: Self.feed) }

  static func post(_ number: Int, at moment: Date, caption: String = "A cat.", attachments: [Posts.Attachment] = [])
    -> Post
  {
    Post(
      source: .usual, uri: "https://photos.example/\(number)", remoteID: "\(1_000_000 - number)",
      author: Author(
        uri: "https://photos.example/@user\(number % 40)", handle: "someone-\(number % 40)@photos.example",
        name: "Somebody Whose Name Is Long \(number % 40)"),
      createdAt: moment, caption: caption, tags: ["cats", "tag\(number % 20)"], attachments: attachments)
  }

  func answer(_ query: String) throws -> WindowAnswer {
    let request = try WindowRequest(Fields(form: query))
    return WindowAnswer(
      try request.snapshot(in: library), of: request.address, textLength: request.textLength, showsMarks: true)
  }
}

struct WindowTests {
  @Test func `a window of 200 posts takes at most 60 KB, however much they say`() throws {
    let library = try TestLibrary()
    let long = String(repeating: "Ein sehr langer Satz über Katzen. ", count: 20)
    try library.save(
      (0..<200).map { number in
        TestLibrary.post(
          number, at: TestLibrary.noon.addingTimeInterval(Double(-number)), caption: long,
          attachments: [
            Posts.Attachment(
              kind: .image, url: "https://photos.example/\(number).jpg", alt: long, width: 1600, height: 1067,
              blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj")
          ])
      })
    let window = try library.answer("after=200")
    #expect(window.id.count == 200 && window.authors.count == 40)
    #expect(window.ratio.first == 1.499)
    // No picture is stored here: instead of its name, each row has the words for that.
    let words = try JSONEncoder().encode(window.missing).count
    let names = 200 * "\"\(String(repeating: "f", count: 64))\"".utf8.count
    #expect(try JSONEncoder().encode(window).count - words + names <= 60_000)
  }

  @Test func `the name of an author is shown as far as there is room, however long it is`() throws {
    let library = try TestLibrary()
    let name = String(repeating: "Ä", count: 20_000)
    var post = TestLibrary.post(1, at: TestLibrary.noon)
    post.author = Author(uri: "https://photos.example/@a", handle: "a@photos.example", name: name)
    try library.save([post])
    let shown = String(name.prefix(60)) + "…"
    #expect(try library.answer("").authors.map(\.name) == [shown])
    let reading = try PostReading(1, in: library.library)
    #expect(reading.post.heading == "Post by \(shown)")
    let page = WholePostPage(
      reading: reading, address: ListAddress(),
      neighbours: try Neighbours(of: reading.post, on: ListAddress(), in: library.library),
      isReadOnly: true)
    #expect(page.html.markup.utf8.count < 4_000)
  }

  @Test func `a text is cut between characters, and says that it was`() {
    #expect("kitten".beginning(bytes: 6) == "kitten")
    #expect("kittens".beginning(bytes: 6) == "kitten…")
    #expect("ab👩‍👩‍👧c".beginning(bytes: 10) == "ab…")
    #expect("".beginning(bytes: 0) == "")
  }

  @Test func `a date leads to the newest post of the moment, day or month`() throws {
    let library = try TestLibrary()
    let calendar = ZoneCalendar()
    let moments = try [(3, 2), (3, 1), (2, 27), (2, 3)].map { month, day in
      try #require(calendar.moment(year: 2026, month: month, day: day, hour: 12))
    }
    try library.save(moments.enumerated().map { TestLibrary.post($0.offset, at: $0.element) })
    let ids = try library.answer("").id
    #expect(ids.count == 4)
    #expect(try library.answer("date=2026-02").id == Array(ids[2...]))
    #expect(try library.answer("date=2026-03-01").id == Array(ids[1...]))
    #expect(try library.answer("date=\(Int(moments[1].timeIntervalSince1970))").id == Array(ids[1...]))
    #expect(try library.answer("date=\(Int(moments[1].timeIntervalSince1970) - 1)").id == Array(ids[2...]))
    #expect(try library.answer("date=-62135596800&before=2").id == Array(ids[2...]))
    for date in ["", "x", "2026-13", "2026-02-30", "1-2-3-4"] {
      #expect(throws: RequestError.self, "\(date)") { try WindowRequest(Fields(form: "date=\(date)")) }
    }
  }

  @Test func `the short position of a row anchors a window as its key does`() throws {
    let library = try TestLibrary()
    try library.save((0..<9).map { TestLibrary.post($0, at: TestLibrary.noon.addingTimeInterval(Double(-$0) + 0.123)) })
    let all = try library.answer("")
    #expect(all.id.count == 9)
    for (index, id) in all.id.enumerated() {
      let window = try library.answer("around=\(all.at[index]).\(id)&before=1&after=2")
      #expect(window.id == Array(all.id[max(index - 1, 0)..<min(index + 2, 9)]))
      #expect(window.before == (index > 1) && window.after == (index < 7))
    }
  }

  @Test func `the trash has only deleted posts`() throws {
    let library = try TestLibrary()
    try library.save((0..<3).map { TestLibrary.post($0, at: TestLibrary.noon.addingTimeInterval(Double(-$0))) })
    let ids = try library.answer("").id
    try library.library.delete([ids[1]])
    #expect(try library.answer("deleted=1").id == [ids[1]])
    #expect(try library.answer("deleted=1").deleted == [ids[1]])
    #expect(try library.answer("").id == [ids[0], ids[2]])
  }

  @Test func `a value that few posts have is listed by number`() throws {
    let library = try TestLibrary()
    var post = TestLibrary.post(0, at: TestLibrary.noon)
    (post.warning, post.sensitive, post.title) = ("Spiders", true, "Eight legs")
    post.endsAt = TestLibrary.noon + 90
    post.attachments = [Posts.Attachment(kind: .image, url: "https://photos.example/1.jpg")]
    try library.save([post, TestLibrary.post(1, at: TestLibrary.noon.addingTimeInterval(-1))])
    let window = try library.answer("")
    let id = "\(window.id[0])"
    #expect(window.warnings == [id: "Spiders"] && window.titles == [id: "Eight legs"])
    #expect(window.ends == [id: window.at[0] + 90_000])
    #expect(window.missing.keys.sorted() == [id] && window.missing[id]?.state == "pending")
    #expect(window.kind == ["image", nil])
  }

  @Test func `a picture that a limit left out says why`() throws {
    let library = try TestLibrary()
    let picture = Posts.Attachment(kind: .image, url: "https://photos.example/1.jpg")
    try library.save([TestLibrary.post(0, at: TestLibrary.noon, attachments: [picture])])
    let id = try #require(try library.answer("").id.first)
    try library.library.store.wantFiles(
      ofPosts: [id], within: FileLimits(only: [.audio]), now: TestLibrary.noon)
    let missing = try library.answer("").missing["\(id)"]
    #expect(missing?.state == "skipped" && missing?.failure == "not among the wanted kinds")
  }
}

struct MonthsTests {
  @Test func `months tell how many posts they have, newest first`() throws {
    let library = try TestLibrary()
    let calendar = ZoneCalendar()
    let moments = try [(2026, 3, 2), (2026, 3, 1), (2025, 12, 31), (2024, 1, 1)].map { year, month, day in
      try #require(calendar.moment(year: year, month: month, day: day, hour: 12))
    }
    try library.save(moments.enumerated().map { TestLibrary.post($0.offset, at: $0.element) })
    let months = MonthsAnswer(try library.library.store.months(of: PostListQuery(), in: .autoupdatingCurrent))
    #expect(months.month == ["2026-03", "2025-12", "2024-01"])
    #expect(months.count == [2, 1, 1])
    for (index, moment) in zip(0..., [moments[0], moments[2], moments[3]].map { Int($0.timeIntervalSince1970) }) {
      #expect((months.start[index]..<months.end[index]).contains(moment))
    }
  }
}
