import Foundation
import Posts
import Testing

@testable import Storage

/// Versions of one post in any order.
struct ItemVersionTests {
  private func version(_ number: Int?, _ caption: String) -> Post {
    var made = post(1, caption: caption)
    made.editedAt = number.map { noon.addingTimeInterval(Double($0)) }
    return made
  }

  private func state(_ library: TestLibrary) throws -> [String] {
    try library.lines("SELECT caption, (SELECT count(*) FROM revision) FROM post")
  }

  @Test func `a stale copy changes nothing and leaves no revision`() throws {
    let library = try TestLibrary()
    try library.pull([version(2, "second")])
    for stale in [version(1, "first"), version(nil, "none")] {
      let saved = try library.pull([stale])
      #expect((saved.updated, saved.unchanged) == (0, 1))
    }
    #expect(try state(library) == ["second|0"])
    try library.pull([version(3, "third")])
    #expect(try state(library) == ["third|1"])
  }

  @Test(arguments: [[1, 2], [2, 1]])
  func `two versions in one answer are one post with one revision, however often they come`(order: [Int]) throws {
    let library = try TestLibrary()
    let versions = order.map { version($0 == 1 ? nil : 2, $0 == 1 ? "first" : "second") }
    for _ in 1...4 { try library.pull(versions) }
    #expect(try state(library) == ["second|1"])
    try library.checkIndex()
  }

  @Test func `of two versions that no date tells apart the last one counts, and each is kept once`() throws {
    let library = try TestLibrary()
    for _ in 1...4 { try library.pull([version(nil, "one"), version(nil, "other")]) }
    #expect(try state(library) == ["other|2"])
  }

  @Test func `two wordings that a server shows in turn are kept once each`() throws {
    let library = try TestLibrary()
    for _ in 1...3 { for caption in ["one", "other"] { try library.pull([version(nil, caption)]) } }
    #expect(try library.lines("SELECT caption FROM revision ORDER BY id") == ["one", "other"])
  }

  @Test func `a server that tells no edits may correct another that does`() throws {
    let library = try TestLibrary()
    try library.pull([version(2, "edited")])
    var own = version(nil, "from home")
    own.server = birds
    try library.pull([own])
    #expect(try state(library) == ["from home|1"])
  }

  @Test func `an undated item's version is told by when it was last changed`() throws {
    let library = try TestLibrary()
    let feed = Feed(source: .feed, kind: .url, value: "https://birds.example/feed", server: birds)
    func item(_ minute: Int?, _ caption: String) -> Post {
      let date = minute.map { noon.addingTimeInterval(Double($0) * 60) }
      return Post(
        source: .feed, uri: "feed://birds.example/feed#1", identity: .page, server: birds,
        createdAt: date ?? noon, isDated: false, revisedAt: date, caption: caption)
    }
    try library.pull([item(1, "first")], of: feed)
    try library.pull([item(3, "third")], of: feed)
    try library.pull([item(2, "second")], of: feed)
    #expect(try state(library) == ["third|1"])
    try library.pull([item(nil, "undated")], of: feed)
    #expect(try state(library) == ["undated|2"])
  }

  @Test func `items of one date are listed in their document's order`() throws {
    let library = try TestLibrary()
    let feed = Feed(source: .feed, kind: .url, value: "https://birds.example/feed", server: birds)
    func pull(_ numbers: [Int]) throws -> Saved {
      try library.pull(
        numbers.map { number in
          Post(
            source: .feed, uri: "feed://birds.example/feed#\(number)", identity: .page, server: birds, createdAt: noon,
            caption: "\(number)")
        }, of: feed)
    }
    let saved = try pull([3, 2, 1])
    #expect(try library.store.posts().map(\.caption) == ["3", "2", "1"])
    #expect(try library.store.posts().map(\.id) == saved.posts)
    _ = try pull([5, 4, 3])
    #expect(try library.store.posts().map(\.caption) == ["5", "4", "3", "2", "1"])
    #expect(
      try library.lines("SELECT p.caption FROM feed_post f JOIN post p ON p.id = f.post ORDER BY f.place DESC")
        == ["5", "4", "3", "2", "1"])
  }
}
