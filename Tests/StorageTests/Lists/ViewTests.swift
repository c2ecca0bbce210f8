import Foundation
import Posts
import SQLite
import Testing

@testable import Storage

/// The views for people and programs that use SQL.
struct ViewTests {
  private func lines(_ sql: String, in library: DiskLibrary) throws -> [String] {
    try library.store.read { try rows(sql, in: $0) }
  }

  @Test func `live posts are those that are not deleted, with their author and their picture's file`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...3)
    try library.store.delete([ids[0]], now: noon)
    let made = try lines("SELECT id, name, path FROM live_post ORDER BY id DESC", in: library)
    #expect(made == (try ids[1...].map { "\($0)|Ada|\(try library.blob(of: $0).path)" }).reversed())
    try library.store.restore([ids[0]], now: noon)
    #expect(try lines("SELECT count(*) FROM live_post", in: library) == ["3"])
  }

  @Test func `a post without an author or a picture is a live post too`() throws {
    let library = try DiskLibrary()
    var made = post(1)
    (made.author, made.server, made.remoteID, made.url) = (nil, nil, nil, nil)
    try library.store.add(made, id: UUID(), pictures: [], now: noon)
    #expect(try lines("SELECT handle, path FROM live_post", in: library) == ["-|-"])
  }

  @Test func `a picture that is kept has a path, and one that is not says why`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...2)
    try library.spoil("UPDATE attachment SET state = 'failed', failure = '500' WHERE post = \(ids[0])")
    #expect(
      try lines("SELECT post, state, path, bytes IS NULL, failure FROM picture ORDER BY post", in: library)
        == [
          "\(ids[0])|failed|-|1|500", "\(ids[1])|stored|\(try library.blob(of: ids[1]).path)|0|-",
        ].sorted())
  }

  @Test func `a gap is shown with the posts above and below it`() throws {
    let library = try DiskLibrary()
    try library.pull(1...3)
    try library.pull(7...9)
    let gap = try #require(try library.store.gaps().first)
    #expect(
      try lines("SELECT name, above, below, above_at > below_at FROM gap", in: library)
        == ["tag:cats@social.example|\(gap.above ?? "")|\(gap.below ?? "")|1"])
    try library.pull(2...8)
    #expect(try lines("SELECT * FROM gap", in: library).count == library.store.gaps().count)
  }

  @Test func `every revision is shown beside the post's current text`() throws {
    let library = try DiskLibrary()
    for caption in ["first", "second", "third"] {
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
      _ = try library.store.save(page([post(1, caption: caption)]), in: pull, now: noon)
      try library.store.finishPull(pull, reached: true, now: noon)
    }
    #expect(
      try lines("SELECT handle IS NOT NULL, caption, caption_now FROM revision_text ORDER BY id", in: library)
        == ["1|first|third", "1|second|third"])
  }

  /// A query that reads a million rows to show the first hundred would be aborted by its user.
  @Test(arguments: ["live_post", "picture", "revision_text"])
  func `the first rows of a view are read without the rest`(view: String) throws {
    let library = try DiskLibrary()
    let plan = try library.store.read { db in
      try db.rows("EXPLAIN QUERY PLAN SELECT * FROM \(view) LIMIT 100") { try $0["detail"] as String }
    }
    #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.contains("MATERIALIZE") }, "\(plan)")
  }
}
