import Foundation
import Migrations
import Posts
import PropertyTesting
import SQLite
import Testing

@testable import Storage

struct TotalsTests {
  private static let isThere = """
    NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL)
    """
  private static let isOfTag = """
    (EXISTS (SELECT 1 FROM post_tag k WHERE k.post = p.id AND k.tag = t.id)
      OR EXISTS (SELECT 1 FROM feed_post b JOIN feed f ON f.id = b.feed
        WHERE b.post = p.id AND f.kind = 'tag' AND f.value = t.name))
    """

  private static let counted = """
    SELECT 'library', 0, count(*) FROM post p WHERE \(isThere)
    UNION ALL SELECT 'author', 0, count(*) FROM post p WHERE p.author IS NULL AND \(isThere)
    UNION ALL SELECT 'author', a.id, (SELECT count(*) FROM post p WHERE p.author = a.id AND \(isThere)) FROM author a
    UNION ALL SELECT 'tag', t.id, (SELECT count(*) FROM post p WHERE \(isOfTag) AND \(isThere)) FROM tag t
    UNION ALL SELECT 'tags', 0, (SELECT count(*) FROM post p, tag t WHERE \(isOfTag) AND \(isThere))
    UNION ALL SELECT 'feed', f.id, (
      SELECT count(*) FROM post p
      WHERE EXISTS (SELECT 1 FROM feed_post b WHERE b.post = p.id AND b.feed = f.id) AND \(isThere)) FROM feed f
    ORDER BY 1, 2
    """
  private static let kept = "SELECT kind, ref, posts FROM total ORDER BY 1, 2"

  private static let extras = """
    SELECT t.name, p.id, p.created_at FROM tag t, post p
    WHERE \(isOfTag) AND NOT EXISTS (SELECT 1 FROM post_tag k WHERE k.post = p.id AND k.tag = t.id) ORDER BY 1, 2
    """
  private static let keptExtras = """
    SELECT t.name, e.post, e.created_at FROM tag_extra e JOIN tag t ON t.id = e.tag ORDER BY 1, 2
    """

  @Test(arguments: PropertyTest.seeds(sample: 6, whole: 300))
  func `totals equal a fresh count after any edits`(seed: UInt64) throws {
    let library = try TestLibrary()
    var turmoil = Turmoil(seed: seed)
    for step in 0..<80 {
      try turmoil.stir(library.store)
      #expect(try library.lines(Self.kept) == library.lines(Self.counted), "seed \(seed), step \(step)")
      #expect(try library.lines(Self.keptExtras) == library.lines(Self.extras), "seed \(seed), step \(step)")
    }
    #expect(try library.lines("PRAGMA foreign_key_check") == [])
  }

  @Test(arguments: PropertyTest.seeds(sample: 3, whole: 50))
  func `a library from before there were totals gets them when it is opened`(seed: UInt64) throws {
    let database = try Connections()
    var turmoil = Turmoil(seed: seed)
    let before = Array(Migration.all.prefix { $0.name < "v003" })
    let first = try Store(database, path: "first", migrations: before, now: nil)
    // New rows are also recorded in tables and columns that were added after the totals.
    let index: String? = try database.read { try $0.value("SELECT sql FROM sqlite_schema WHERE name = 'caption_fts'") }
    try database.write {
      try $0.execute(
        """
        CREATE TABLE stale_text (post INTEGER PRIMARY KEY);
        CREATE TABLE searched_text (post INTEGER PRIMARY KEY, author, alt, tags, files);
        CREATE VIEW searched_post AS SELECT p.id, p.title, p.caption, p.warning, s.author, s.alt, s.tags, s.files
        FROM post p LEFT JOIN searched_text s ON s.post = p.id;
        DROP TABLE caption_fts;
        CREATE VIRTUAL TABLE caption_fts USING fts5 (
          title, caption, warning, author, alt, tags, files, content = 'searched_post', content_rowid = 'id');
        CREATE TABLE recheck (post PRIMARY KEY, gone_at, due_at); ALTER TABLE post ADD COLUMN digest INTEGER;
        ALTER TABLE post ADD COLUMN visibility TEXT;
        ALTER TABLE attachment ADD COLUMN gone_at TEXT; ALTER TABLE author ADD COLUMN avatar_gone_at TEXT;
        ALTER TABLE attachment ADD COLUMN name TEXT;
        ALTER TABLE coverage ADD COLUMN heir INTEGER; ALTER TABLE coverage ADD COLUMN heir_place INTEGER;
        CREATE INDEX coverage_heir ON coverage (heir) WHERE heir IS NOT NULL
        """)
    }
    for _ in 0..<60 { try turmoil.stir(first) }
    try database.write {
      try $0.execute(
        """
        DROP TABLE caption_fts; \(index ?? ""); INSERT INTO caption_fts (caption_fts) VALUES ('rebuild');
        DROP VIEW searched_post; DROP TABLE searched_text; DROP TABLE stale_text;
        DROP TABLE recheck; ALTER TABLE post DROP COLUMN digest; ALTER TABLE post DROP COLUMN visibility;
        ALTER TABLE attachment DROP COLUMN gone_at;
        ALTER TABLE attachment DROP COLUMN name; ALTER TABLE author DROP COLUMN avatar_gone_at; DROP INDEX coverage_heir;
        ALTER TABLE coverage DROP COLUMN heir; ALTER TABLE coverage DROP COLUMN heir_place
        """)
    }
    let store = try Store(database)
    let (kept, counted) = try store.read { (try rows(Self.kept, in: $0), try rows(Self.counted, in: $0)) }
    #expect(kept == counted, "seed \(seed)")
    let (extras, fresh) = try store.read { (try rows(Self.keptExtras, in: $0), try rows(Self.extras, in: $0)) }
    #expect(extras == fresh, "seed \(seed)")
  }

  @Test func `each list has its total`() throws {
    let library = try TestLibrary()
    try library.pull([post(3, tags: []), post(2), post(1, tags: ["dogs"])])
    try library.store.delete([2], now: noon)
    #expect(try library.store.count(of: .library) == 2)
    #expect(try library.store.count(of: .tag("#Cats")) == 2)
    #expect(try library.store.count(of: .tag("dogs")) == 1)
    #expect(try library.store.count(of: .tag("nothing")) == 0)
    #expect(try library.store.count(of: .author(1)) == 2)
    #expect(try library.store.count(of: .author(nil)) == 0)
    #expect(try library.store.count(of: .feed(cats)) == 2)
  }

  @Test func `every change of what is shown is logged, and only the last ones are kept`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, attachments: [picture("a")])])
    func changes(_ sql: String) throws -> [String] {
      let last = try library.lines("SELECT max(id) FROM change")[0]
      try library.database.write { try $0.execute(sql) }
      return try library.lines("SELECT DISTINCT post, author FROM change WHERE id > \(last) ORDER BY 1, 2")
    }
    #expect(try changes("UPDATE post SET title = 'x'") == ["1|-"])
    #expect(try changes("UPDATE attachment SET state = 'failed'") == ["1|-"])
    #expect(try changes("UPDATE attachment SET attempts = 4") == [])
    #expect(try changes("UPDATE author SET name = 'x'") == ["-|1"])
    #expect(try changes("UPDATE author SET avatar_attempts = 4") == [])
    #expect(try changes("DELETE FROM post_tag") == ["1|-"])
    #expect(try changes("INSERT INTO post_state (post, deleted_at) VALUES (1, 'x')") == ["1|-"])
    #expect(try changes("UPDATE post_state SET seen_at = 'x'") == [])
    let many = "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000) "
    try library.database.write { try $0.execute("\(many) INSERT INTO change (post) SELECT 1 FROM n") }
    #expect(try library.lines("SELECT count(*) BETWEEN 10000 AND 11000, max(id) > 25000 FROM change") == ["1|1"])
  }
}
