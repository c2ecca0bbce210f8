import Blobs
import Foundation
import Posts
import SQLRows
import SQLite
import Synchronization
import Testing

@testable import Storage

/// Rows that were corrupted from outside: each is named, and repaired without losing known data.
struct AuditTests {
  @Test(arguments: [
    ("DELETE FROM blob WHERE id = 2", "row 2 of attachment refers to a row of blob that is not there"),
    ("UPDATE author SET avatar_blob = 99", "row 1 of author refers to a row of blob that is not there"),
    ("UPDATE post SET author = 99 WHERE id = 2", "row 2 of post refers to a row of author that is not there"),
    ("DELETE FROM tag", "row 1 of post_tag refers to a row of tag that is not there"),
    ("UPDATE post_tag SET post = 99 WHERE post = 2", "row 2 of post_tag refers to a row of post that is not there"),
    (
      "UPDATE feed_post SET coverage = 99 WHERE id = 1",
      "row 1 of feed_post refers to a row of coverage that is not there"
    ),
    (
      "UPDATE feed_post SET repeated_by = 99 WHERE id = 1",
      "row 1 of feed_post refers to a row of author that is not there"
    ),
    ("DELETE FROM coverage", "row 1 of feed_post refers to a row of coverage that is not there"),
    ("DELETE FROM feed", "row 1 of feed_post refers to a row of feed that is not there"),
    (
      "INSERT INTO post_state (post, deleted_at) VALUES (99, 'then')",
      "row 99 of post_state refers to a row of post that is not there"
    ),
    ("DELETE FROM post WHERE id = 2", "row 2 of attachment refers to a row of post that is not there"),
  ])
  func `a row that names one which is not there is named and mended`(harm: String, words: String) throws {
    let library = try DiskLibrary()
    try library.pull(1...4)
    try library.spoil(harm)
    let found = try library.check().findings
    #expect(found.contains { $0.kind == .reference && $0.detail == words }, "\(found.map(\.detail))")
    let (_, result) = try library.check(repair: true)
    #expect(result.remaining == 0)
    #expect(try library.check().findings.filter(\.isFault) == [])
    #expect(try library.store.posts().count == (harm.hasPrefix("DELETE FROM post ") ? 3 : 4))
  }

  @Test(arguments: [
    ("UPDATE total SET posts = 9 WHERE kind = 'library'", "all library is said to have 9 posts and has 4"),
    ("UPDATE total SET posts = 0 WHERE kind = 'tag'", "tag 1 is said to have 0 posts and has 4"),
    (
      "UPDATE total SET posts = 5 WHERE kind = 'author' AND ref = 0",
      "all posts without an author is said to have 5 posts and has 0"
    ),
    (
      "UPDATE total SET posts = 9 WHERE kind = 'blobs'",
      "blobs of the quarter of an hour 20251120120 are said to be 9 and are 4"
    ),
    (
      "DELETE FROM total WHERE kind = 'bytes'",
      "bytes of the quarter of an hour 20251120120 are said to be no number and are 152"
    ),
    ("UPDATE total SET posts = 0 WHERE kind = 'stored'", "stored pictures are said to be 0 and are 4"),
    ("DELETE FROM total WHERE kind = 'feed'", "feed 1 is said to have no number of posts and has 4"),
    (
      "INSERT INTO tag_extra (tag, post, created_at) SELECT 1, id, created_at FROM post WHERE id = 2",
      "a post is in the list of a tag that it has nothing to do with"
    ),
    ("DELETE FROM tag_extra", "a post that a feed of a tag brought is not in the tag's list"),
  ])
  func `a count that is wrong is named and put right`(harm: String, words: String) throws {
    let library = try DiskLibrary()
    try library.pull(1...4)
    try library.spoil("DELETE FROM post_tag WHERE post = 3")
    #expect(try library.check().findings.filter(\.isFault) == [])
    try library.spoil(harm)
    let found = try library.check().findings
    #expect(found.contains { $0.kind == .count && $0.detail == words }, "\(found.map(\.detail))")
    #expect(try library.check(repair: true).result.remaining == 0)
    #expect(try library.check().findings.filter(\.isFault) == [])
  }

  @Test(arguments: ["post_tag", "feed_post", "tag_extra"])
  func `a list with a post at a wrong date is reported and repaired`(table: String) throws {
    let library = try DiskLibrary()
    try library.pull(1...4)
    try library.spoil("DELETE FROM post_tag WHERE post = 3")
    #expect(try library.check().findings == [])
    try library.spoil("UPDATE \(table) SET created_at = '2031-01-01T00:00:00.000Z' WHERE post = 3")
    if table == "post_tag" {
      try library.spoil("UPDATE post_tag SET created_at = '2031-01-01T00:00:00.000Z' WHERE post = 2")
    }
    let list = table == "feed_post" ? "a feed" : "a tag"
    let found = try library.check().findings
    #expect(found.map(\.kind) == [.order])
    #expect(found.map(\.detail) == ["a post stands in the list of \(list) at another date than its own"])
    #expect(found.map(\.post) == [table == "post_tag" ? 2 : 3])
    #expect(try library.check(repair: true).result.remaining == 0)
    #expect(try library.check().findings == [])
  }

  @Test func `a picture whose blob row is missing is downloaded again`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...3)
    let blob = try library.blob(of: ids[1])
    try library.spoil("DELETE FROM blob WHERE sha256 = '\(blob)'")
    #expect(try library.check(repair: true).result.postsToFetch == [ids[1]])
    #expect(try library.store.pictures(ofPosts: ids, now: noon).map(\.post) == [ids[1]])
  }

  @Test func `a row that refers to a missing row is quarantined before it is removed`() throws {
    let library = try DiskLibrary()
    try library.pull(1...2)
    try library.spoil("DELETE FROM post WHERE id = 2")
    try library.check(repair: true)
    let text = try String(contentsOfFile: "\(library.scratch.path)/quarantine/rows.jsonl", encoding: .utf8)
    let kept = try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let attachment = try #require(kept.first { $0["table"] as? String == "attachment" })
    #expect(attachment["url"] as? String == "https://files.example/1.jpg")
    #expect(kept.contains { $0["table"] as? String == "raw" && ($0["body"] as? String)?.hasPrefix("28B52FFD") == true })
  }

  @Test(arguments: [
    ("UPDATE coverage SET oldest = 'nobody'", "begins or ends with an item that tag:cats@social.example never showed"),
    ("INSERT INTO coverage (feed, newest, oldest, walked_at) VALUES (1, 'a', 'a', 'then')", "holds no post"),
  ])
  func `an interval that claims what it does not hold is drawn tighter`(harm: String, words: String) throws {
    let library = try DiskLibrary()
    try library.pull(1...4)
    try library.spoil("UPDATE coverage SET reached_end = 1, next = 'c'; \(harm)")
    #expect(try library.check().findings.map { $0.detail.hasSuffix(words) && $0.kind == .coverage } == [true])
    #expect(try library.check(repair: true).result.remaining == 0)
    #expect(try library.check().findings == [])
    let edges = try library.store.read { try rows("SELECT newest, oldest, reached_end, next FROM coverage", in: $0) }
    #expect(edges == ["social.example-4|social.example-1|" + (harm.hasPrefix("UPDATE") ? "0|-" : "1|c")])
  }

  @Test(arguments: ["heir = id", "heir_place = 3", "heir = 2"])
  func `an interval whose successor cannot include it stands alone`(harm: String) throws {
    let library = try DiskLibrary()
    try library.pull(1...2)
    try library.pull(5...6, of: Feed(source: .usual, kind: .tag, value: "birds", server: social))
    try library.spoil("UPDATE coverage SET \(harm) WHERE id = 1")
    #expect(try library.check().findings.map(\.kind) == [.coverage])
    #expect(try library.check(repair: true).result.remaining == 0)
    #expect(try library.check().findings == [])
    #expect(try library.store.read { try rows("SELECT heir, heir_place FROM coverage", in: $0) } == ["-|-", "-|-"])
  }

  @Test func `a post is removed from an interval of another feed`() throws {
    let library = try DiskLibrary()
    let other = Feed(source: .usual, kind: .tag, value: "birds", server: social)
    try library.pull(1...2)
    try library.pull(5...6, of: other)
    try library.spoil("UPDATE feed_post SET coverage = 1 WHERE id = 3; UPDATE feed_post SET place = NULL WHERE id = 2")
    let found = try library.check().findings
    #expect(Set(found.map(\.kind)).isSubset(of: [.coverage, .damaged]))
    #expect(found.contains { $0.post == 3 })
  }

  @Test func `a search index that does not match the posts is rebuilt`() throws {
    let library = try DiskLibrary()
    try library.pull(1...4)
    try library.spoil(
      """
      INSERT INTO caption_fts (caption_fts, rowid, title, caption, warning) VALUES ('delete', 2, NULL, 'post 3', '')
      """)
    #expect(try library.store.window(PostListQuery(search: "post")).total == .exactly(3))
    #expect(try library.check().findings.map(\.kind) == [.search])
    #expect(try library.check(repair: true).result.remaining == 0)
    #expect(try library.check().findings == [])
    #expect(try library.store.window(PostListQuery(search: "post")).total == .exactly(4))
  }

  @Test func `posts added during the check of the search index are not findings`() throws {
    let library = try DiskLibrary()
    try library.pull(1...4)
    let comings = Atomic(0)
    // Between making the copy and comparing it with the posts.
    let listener = StatementListener { sql in
      guard sql.contains("integrity-check"), comings.add(1, ordering: .relaxed).oldValue == 0 else { return }
      #expect(throws: Never.self) { try library.pull(5...9) }
    }
    let database = try Connection("\(library.scratch.path)/media.sqlite", .reading)
    try database.trace(listener)
    let findings = try withExtendedLifetime(listener) {
      let findings = try StoreAudit.searchIndex.find(Database(database))
      try database.trace(nil)
      return findings
    }
    #expect(comings.load(ordering: .relaxed) >= 1)
    #expect(findings == [])
  }

  /// Posts 1 to 9 in one interval that reaches the feed's end, and a pull whose position is its bottom.
  @Test(arguments: [
    ([5], ["social.example-9|social.example-6|0|-"], 4), ([1], ["social.example-9|social.example-2|0|-"], 8),
    ([9], ["social.example-8|social.example-1|1|c"], 8), ([7], ["social.example-6|social.example-1|1|c"], 6),
    ([3, 6], ["social.example-5|social.example-4|0|-"], 2), ([1, 2, 3, 4, 5, 6, 7, 8, 9], [], 0),
  ])
  func `an interval out of which posts are lost claims no more than one side of them`(
    lost: [Int], edges: [String], held: Int
  ) throws {
    let library = try DiskLibrary()
    try library.pull(1...9)
    try library.spoil(
      """
      UPDATE coverage SET reached_end = 1, next = 'c'; UPDATE cursor SET state = 'unfinished', next = 'c';
      DELETE FROM post WHERE remote_id IN (\(lost.map { "'social.example-\($0)'" }.joined(separator: ",")))
      """)
    #expect(try library.check(repair: true).result.remaining == 0)
    #expect(try library.check().findings.filter(\.isFault) == [])
    let lines = { sql in try library.store.read { try rows(sql, in: $0) } }
    #expect(try lines("SELECT newest, oldest, reached_end, next FROM coverage") == edges)
    #expect(try lines("SELECT count(*) FROM feed_post WHERE coverage IS NOT NULL") == ["\(held)"])
    #expect(try lines("SELECT coverage, place, next, pages FROM cursor") == ["-|-|-|0"])
  }

  @Test func `a wrong count of a trigger is corrected`() throws {
    let library = try DiskLibrary()
    try library.spoil("UPDATE cache_size SET bytes = 7")
    let (found, _) = try library.check()
    #expect(found.map(\.detail) == ["the cache is said to have 7 bytes and has 0"])
    #expect(try library.check(repair: true).result.remaining == 0)
    #expect(try library.store.cacheSize() == 0)
  }

  /// Neither the full-text index nor SQLite's own checks see it.
  @Test(arguments: ["caption", "caption_html", "title", "warning"])
  func `a changed byte of a post's text is found`(column: String) throws {
    let library = try DiskLibrary()
    let made = (1...3).map { number in
      var post = post(number, caption: "one, \(number)")
      (post.title, post.captionHTML, post.warning) = ("two, \(number)", "<p>one</p>", "three, \(number)")
      return post
    }
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    let ids = try library.store.save(page(made), in: pull, now: noon).posts
    try library.store.finishPull(pull, reached: true, now: noon)
    #expect(try library.check().findings == [])
    let flipped = column == "caption_html" ? "replace(caption_html, '<p>', '<q>')" : "replace(\(column), ',', ';')"
    try library.spoil(
      """
      DROP TRIGGER post_reindexed; UPDATE post SET \(column) = \(flipped) WHERE id = \(ids[1])
      """)
    let (found, result) = try library.check()
    #expect(found.map(\.kind) == [.text])
    #expect((found.map(\.post), result.remaining) == ([ids[1]], 1))
    // A page that shows the post writes it anew.
    let again = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    _ = try library.store.save(page(made), in: again, now: noon)
    #expect(try library.check().findings.filter { $0.kind == .text } == [])
    let revisions = try library.store.read { try $0.value("SELECT count(*) FROM revision") as Int? }
    #expect(revisions == 0, "nobody wrote what the disk made of it")
  }

  @Test func `a text without a digest, from an earlier version, is accepted`() throws {
    let library = try DiskLibrary()
    try library.pull(1...3)
    try library.spoil("UPDATE post SET digest = NULL")
    #expect(try library.check().findings == [])
    // A repair records it: a later change is found.
    #expect(try library.check(repair: true).findings == [])
    try library.spoil("UPDATE post SET caption = 'pest 2' WHERE id = 2")
    #expect(try library.check().findings.filter { $0.kind == .text }.map(\.post) == [2])
  }

  @Test func `a changed verbatim answer is found by a deep check`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...3)
    let frame: [UInt8] = try #require(
      try library.store.read { try $0.value("SELECT body FROM raw WHERE post = ?", [ids[1]]) })
    for byteIndex in frame.indices {
      var frame = frame
      frame[byteIndex] ^= 1
      try library.store.writer.write { try $0.run("UPDATE raw SET body = ? WHERE post = ?", [frame, ids[1]]) }
      let findings = try library.store.findings(of: .answers)
      #expect(findings.map(\.kind) == [.answer], "byte \(byteIndex)")
      #expect(findings.map(\.post) == [ids[1]])
    }
    #expect(try library.check().findings == [])
  }

  /// Simulates a faulty disk: SQLite itself refuses to write it.
  private func mistype(_ library: DiskLibrary) throws {
    try library.spoil(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'width INTEGER', 'width TEXT') WHERE name = 'attachment';
      PRAGMA writable_schema = RESET;
      UPDATE attachment SET width = 'wide' WHERE id = 2;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'width TEXT', 'width INTEGER') WHERE name = 'attachment';
      PRAGMA writable_schema = RESET;
      """)
  }

  @Test func `a value of a wrong type is reported as damage by every reader`() throws {
    let library = try DiskLibrary()
    try library.pull(1...3)
    try mistype(library)
    let read = #expect(throws: StorageError.self) { try library.store.posts() }
    guard case .damaged(_, let reason) = read else { Issue.record("\(String(describing: read))"); return }
    #expect(reason.contains("holds TEXT in place of"))
    // A read of another row is not blocked.
    #expect(try library.store.stats().blobs == 3)
    let (found, result) = try library.check()
    #expect(found.contains { $0.kind == .damaged })
    #expect(result.isDamaged)
  }

  @Test func `a transaction that read such a value is rolled back`() throws {
    let library = try DiskLibrary()
    try library.pull(1...3)
    try mistype(library)
    #expect(throws: StorageError.self) {
      try library.store.write { db in
        try db.run("UPDATE setting SET value = 'x'")
        try db.run("INSERT INTO setting (name, value) VALUES ('y', 'z')")
        try db.row("SELECT width FROM attachment WHERE id = 2") { try $0["width"] as Int? }
      }
    }
    #expect(try library.store.settings() == [:])
    // The connection remains usable.
    try library.store.set("view", to: "grid")
    #expect(try library.store.settings() == ["view": "grid"])
  }

  @Test func `an index that does not match its table is rebuilt`() throws {
    let library = try DiskLibrary()
    try library.pull(1...4)
    try library.spoil(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, '(author, created_at, id)', '(author, id, created_at)')
      WHERE name = 'post_author';
      PRAGMA writable_schema = RESET;
      """)
    let (found, result) = try library.check()
    #expect(found.first?.kind == .damaged)
    #expect(result.isDamaged)
    let mended = try library.check(repair: true).result
    #expect((mended.remaining, mended.isDamaged) == (0, false))
    #expect(try library.check().findings == [])
  }

  /// Not a page of the schema: without that nothing opens at all.
  @Test(arguments: ["attachment", "raw", "post_newest"])
  func `a store with a corrupt page is reported as damaged`(table: String) throws {
    let library = try DiskLibrary()
    try library.pull(1...60)
    let root = try library.store.read { try $0.row("SELECT rootpage FROM sqlite_schema WHERE name = ?", [table]) }
    let number: Int = try #require(root)[0]
    library.store.close()
    let path = "\(library.scratch.path)/media.sqlite"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let page = (number - 1) * 4096
    bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0x5A, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: path))
    for purpose in [Store.Purpose.reading, .mending] {
      let store = try Store.open(library: library.scratch.path, for: purpose, now: noon)
      defer { store.close() }
      let check = LibraryCheck(store: store, blobs: library.blobs, now: noon)
      var found: [Finding] = []
      let result = try check.run(repair: purpose == .mending) { finding, _ in found.append(finding) }
      #expect(found.contains { $0.kind == .damaged || $0.kind == .search })
      #expect(result.isDamaged || found.allSatisfy { $0.kind == .search })
    }
  }
}
