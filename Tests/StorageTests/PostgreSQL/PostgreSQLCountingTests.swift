import PostgreSQL
import PostgreSQLServer
import PropertyTesting
import SQLRows
import SQLite
import Testing

@testable import Storage

/// The triggers of PostgreSQL's schema against those of SQLite's: both get the same statements.
@Suite struct PostgreSQLCountingTests {
  private static let totals = """
    SELECT t.kind || ' ' || coalesce(g.name, t.ref || '') || ' ' || t.posts
    FROM total t LEFT JOIN tag g ON t.kind = 'tag' AND g.id = t.ref WHERE t.posts <> 0 ORDER BY 1
    """
  private static let lists = """
    SELECT g.name || ' ' || k.post || ' ' || k.created_at || ' ' || k.kind FROM (
      SELECT tag, post, created_at, 'own' AS kind FROM post_tag
      UNION ALL SELECT tag, post, created_at, 'extra' FROM tag_extra) k JOIN tag g ON g.id = k.tag
    UNION ALL SELECT feed || ' ' || remote_id || ' ' || post || ' ' || created_at FROM feed_post ORDER BY 1
    """
  private static let changes = """
    SELECT DISTINCT coalesce('post ' || post, 'author ' || author) FROM change WHERE id > (SELECT coalesce(max(id), 0) FROM seen)
    ORDER BY 1
    """

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let library: TestLibrary
  private let connection: PostgreSQLConnection

  init() throws {
    library = try TestLibrary()
    connection = try PostgreSQLConnection(PostgreSQLServer.shared().newDatabase())
    try PostgreSQLSchema(path: "/l").migrate(connection) { _ in }
    try connection.execute("SET search_path = media; SET jit = off")
    try both("CREATE TABLE seen (id bigint)")
    for number in 1...4 {
      try both("INSERT INTO author (id, source, uri, handle, name) VALUES (\(number), 's', 'u\(number)', 'h', 'n')")
      let sha = String(repeating: "\(number)", count: 64)
      try both("INSERT INTO blob (id, sha256, bytes, stored_at) VALUES (\(number), '\(sha)', \(number), '')")
    }
    try both("INSERT INTO tag (id, name) VALUES (1, 'cats'), (2, 'dogs'), (3, 'birds')")
    try connection.execute("SELECT set_identities()")
    for number in 1...5 { try both(Self.feed(number)) }
  }

  /// Runs a statement on both; both refuse it, or none.
  private func both(_ sql: String) throws {
    let theirs = Result {
      try library.database.write { db in
        try db.run(sql)
        if sql.hasPrefix("INSERT INTO post (") {
          try db.run("INSERT INTO caption_fts (caption_fts) VALUES ('rebuild')")
        }
      }
    }
    let ours = Result { try connection.run(sql) }
    switch (theirs, ours) {
    case (.success, .success), (.failure, .failure): break
    default: throw Failure(description: "\(sql): SQLite \(theirs), PostgreSQL \(ours)")
    }
  }

  private func equal(_ sql: String, _ hint: String) throws {
    let theirs: [String] = try library.database.read { try $0.values(sql) }
    let ours: [String] = try connection.values(sql)
    // What comes later would only follow from this.
    try #require(ours == theirs, "\(hint)")
  }

  private static func feed(_ number: Int) -> String {
    let (kind, value) = [("tag", "cats"), ("user", "ada"), ("tag", "new"), ("tag", "cats"), ("search", "x")][number - 1]
    return """
      INSERT INTO feed (id, name, source, kind, value, server)
      VALUES (\(number), '\(kind):\(value)@\(number)', 's', '\(kind)', '\(value)', 'x') ON CONFLICT DO NOTHING
      """
  }

  @Test(arguments: PropertyTest.seeds(sample: 4, whole: 60))
  func `totals, lists and changes equal those of SQLite after any statements`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    for step in 0..<150 {
      let sql = Self.statement(&dice)
      try both(sql)
      if dice.below(20) == 0 { try connection.execute("SELECT sweep()") }
      let hint = "seed \(seed), step \(step): \(sql)"
      try equal(Self.totals, hint)
      try equal(Self.lists, hint)
      try equal(Self.changes, hint)
      try equal("SELECT 'bytes ' || bytes FROM cache_size", hint)
      try both("INSERT INTO seen SELECT max(id) FROM change")
    }
  }

  private static func statement(_ dice: inout Dice) -> String {
    let (post, other, tag, feed) = (dice.below(14) + 1, dice.below(14) + 1, dice.below(3) + 1, dice.below(5) + 1)
    let some = "IN (\(post), \(other), \(dice.below(14) + 1))"
    let time = "2025-01-0\(dice.below(9) + 1)T00:00:00.000Z"
    let author = ["NULL", "1", "2", "3"][dice.below(4)]
    let sha = String(repeating: "ABCDEFGHIJKLMN".map(String.init)[post - 1], count: 64)
    switch dice.below(26) {
    case 0, 1, 2:
      return """
        INSERT INTO post (id, source, uri, author, created_at, caption, stored_at, updated_at) VALUES
          (\(post), 's', 'p\(post)', \(author), '\(time)', 'x', '', ''),
          (\(other), 's', 'p\(other)', 1, '\(time)', 'x', '', '') ON CONFLICT DO NOTHING
        """
    case 3: return "DELETE FROM post WHERE id \(some)"
    case 4: return "DELETE FROM post WHERE id \(some) AND id NOT IN (SELECT post FROM post_state)"
    case 5: return "UPDATE post SET author = \(author), created_at = '\(time)' WHERE id \(some)"
    case 6, 7, 8:
      return """
        INSERT INTO post_tag (tag, post, position, created_at)
        SELECT \(tag), id, 0, created_at FROM post WHERE id \(some) ON CONFLICT DO NOTHING
        """
    case 9: return "DELETE FROM post_tag WHERE post \(some) AND tag = \(tag)"
    case 10, 11, 12:
      return """
        INSERT INTO feed_post (feed, remote_id, post, created_at, seen_at)
        SELECT \(feed), 'r' || (id + \(dice.below(3))), id, created_at, '' FROM post WHERE id \(some)
        ON CONFLICT DO NOTHING
        """
    case 13: return "DELETE FROM feed_post WHERE feed = \(feed) AND post \(some)"
    case 14: return "UPDATE feed_post SET post = \(other) WHERE post = \(post) AND feed <> \(feed)"
    case 15, 16:
      return """
        INSERT INTO post_state (post, deleted_at) SELECT id, '\(time)' FROM post WHERE id \(some)
        ON CONFLICT (post) DO UPDATE SET deleted_at = excluded.deleted_at
        """
    case 17: return "UPDATE post_state SET deleted_at = NULL WHERE post \(some)"
    case 18: return "DELETE FROM post_state WHERE post \(some)"
    case 19:
      return [
        "INSERT INTO attachment (post, position, kind, state) SELECT id, 0, 'image', 'pending' FROM post WHERE id \(some) ON CONFLICT DO NOTHING",
        "DELETE FROM attachment WHERE post \(some)", "UPDATE attachment SET state = 'failed' WHERE post \(some)",
        "UPDATE attachment SET state = 'stored', blob = (SELECT max(id) FROM blob) WHERE post \(some)",
        "UPDATE author SET name = '\(time)' WHERE id = \(tag)",
        "UPDATE author SET avatar_attempts = 1 WHERE id = \(tag)",
        "UPDATE attachment SET attempts = 1 WHERE post \(some)",
      ][dice.below(7)]
    case 20, 22, 23:
      return [
        "INSERT INTO cached VALUES (\(tag), \(post), '2025-01-01') ON CONFLICT DO NOTHING",
        "DELETE FROM cached WHERE blob = \(tag)",
        "INSERT INTO recheck (post, gone_at) SELECT id, '\(time)' FROM post WHERE id \(some) ON CONFLICT (post) DO UPDATE SET gone_at = NULL",
        "INSERT INTO blob (id, sha256, bytes, stored_at) VALUES (\(post), '\(sha)', \(other), '2025-01-01T0\(tag):\(10 + post * 3):00.000Z') ON CONFLICT DO NOTHING",
        "UPDATE blob SET bytes = bytes + 1, stored_at = '\(time)' WHERE id \(some)",
        "DELETE FROM blob WHERE id \(some)",
      ][dice.below(6)]
    case 24, 25:
      let (hidden, deleted) = (["NULL", "id % 2"][dice.below(2)], ["NULL", "'\(time)'"][dice.below(2)])
      return """
        INSERT INTO post_state (post, favourite, rating, hidden, note, deleted_at)
        SELECT id, id % 2, \(tag), \(hidden), '\(time)', \(deleted) FROM post WHERE id \(some)
        ON CONFLICT (post) DO UPDATE SET favourite = excluded.favourite, rating = excluded.rating, hidden = excluded.hidden,
          note = excluded.note, deleted_at = excluded.deleted_at
        """
    default: return dice.below(2) == 0 ? "DELETE FROM feed WHERE id = \(feed)" : Self.feed(feed)
    }
  }
}
