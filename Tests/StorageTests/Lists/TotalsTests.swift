import Foundation
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
    UNION ALL SELECT k.column1, 0, (SELECT count(*) FROM attachment WHERE state = k.column1)
    FROM (VALUES ('pending'), ('stored'), ('failed'), ('gone'), ('skipped')) k
    UNION ALL SELECT 'blobs', \(quarter), count(*) FROM blob GROUP BY 2
    UNION ALL SELECT 'bytes', \(quarter), sum(bytes) FROM blob GROUP BY 2
    ORDER BY 1, 2
    """
  private static let quarter = """
    CAST(strftime('%Y%m%d%H', stored_at) || (CAST(strftime('%M', stored_at) AS INTEGER) / 15) AS INTEGER)
    """
  private static let kept = """
    SELECT kind, ref, posts FROM total WHERE posts <> 0 OR kind NOT IN ('blobs', 'bytes') ORDER BY 1, 2
    """

  /// Changes of pictures that commands make.
  private static func pictureEdit(_ dice: inout Dice) -> String {
    let (post, blob) = (dice.below(60), dice.below(6))
    let moment = "2026-0\(dice.below(2) + 1)-01T0\(dice.below(2)):\(dice.below(50) + 10):00.000Z"
    return [
      "INSERT INTO attachment (post, position, kind, state) SELECT id, 9, 'image', 'pending' FROM post WHERE id = \(post) ON CONFLICT DO NOTHING",
      "INSERT INTO blob (sha256, bytes, stored_at) VALUES (printf('%064d', \(blob)), 1 + \(post), '\(moment)') ON CONFLICT DO NOTHING",
      "UPDATE attachment SET state = 'stored', blob = (SELECT max(id) FROM blob) WHERE post > \(post) AND EXISTS (SELECT 1 FROM blob)",
      "UPDATE attachment SET state = 'failed' WHERE post < \(post)",
      "UPDATE attachment SET state = 'gone', blob = NULL WHERE post % 7 = \(blob)",
      "UPDATE blob SET bytes = bytes + \(post), stored_at = '\(moment)' WHERE id < \(blob)",
      "DELETE FROM blob WHERE NOT EXISTS (SELECT 1 FROM attachment WHERE blob = blob.id)",
    ].randomElement(using: &dice) ?? ""
  }

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
      try library.database.write { try $0.execute(Self.pictureEdit(&turmoil.dice)) }
      #expect(try library.lines(Self.kept) == library.lines(Self.counted), "seed \(seed), step \(step)")
      #expect(try library.lines(Self.keptExtras) == library.lines(Self.extras), "seed \(seed), step \(step)")
    }
    #expect(try library.lines("PRAGMA foreign_key_check") == [])
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
    #expect(try changes("UPDATE post_state SET seen_at = 'x'") == ["1|-"])
    #expect(try changes("UPDATE post_state SET seen_stamp = 'x'") == [])
    let many = "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000) "
    try library.database.write { try $0.execute("\(many) INSERT INTO change (post) SELECT 1 FROM n") }
    #expect(try library.lines("SELECT count(*) BETWEEN 10000 AND 11000, max(id) > 25000 FROM change") == ["1|1"])
  }
}
