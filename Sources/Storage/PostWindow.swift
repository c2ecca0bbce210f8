import Foundation
import GRDB
import Posts

/// A query whose words were looked up: the statement that reads the numbers of its posts, in order, by key.
struct PostWindow {
  /// A post's place in the order: older posts are lower, and of one moment's those that were stored earlier.
  struct Key: Equatable {
    let createdAt: String
    let id: Int64
  }

  /// One place the numbers come from, ordered by its own columns of time and number.
  private struct Branch {
    let from: String
    let time: String
    let id: String
    var condition = ""
    var mayRepeat = false
    var arguments: [any DatabaseValueConvertible] = []
  }

  private var branches: [Branch]
  private var conditions: [String] = []
  private var arguments: [any DatabaseValueConvertible] = []
  private let day: DateInterval?

  /// nil where nothing can match: an unknown tag, an unknown author, a search without a word.
  init?(_ query: PostQuery, in db: Database) throws {
    branches = [Branch(from: "post p", time: "p.created_at", id: "p.id")]
    day = query.day
    if let search = query.search, !search.allSatisfy(\.isWhitespace) {
      guard let match = SearchText.query(search) else { return nil }
      branches = [
        Branch(
          from: "caption_fts f CROSS JOIN post p ON p.id = f.rowid",
          time: "p.created_at",
          id: "p.id",
          condition: "caption_fts MATCH ?",
          arguments: [match]
        )
      ]
    }
    if let tag = query.tag, try !narrow(toTag: Feed.tagName(tag), isSearch: !branches[0].condition.isEmpty, in: db) {
      return nil
    }
    if let user = query.user {
      let authors = try Self.authors(user, in: db)
      guard !authors.isEmpty else { return nil }
      conditions.append("p.author \(authors.count == 1 ? "= ?" : "IN (\(marks(authors.count)))")")
      arguments += authors
    }
    if !query.includesDeleted {
      conditions.append(
        "NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL)"
      )
    }
  }

  /// The statement for the posts after a place.
  func statement(after key: Key?, limit: Int) -> (sql: String, arguments: StatementArguments) {
    var all: [any DatabaseValueConvertible] = []
    let selects = branches.map { branch in
      let (time, id) = (branch.time, branch.id)
      var parts = branch.condition.isEmpty ? [] : [branch.condition]
      all += branch.arguments
      if let day {
        parts.append("\(time) >= ? AND \(time) < ?")
        all += [UTC.text(day.start), UTC.text(day.end)]
      }
      if let key {
        parts.append("(\(time), \(id)) < (?, ?)")
        all += [key.createdAt, key.id] as [any DatabaseValueConvertible]
      }
      parts += conditions
      all += arguments
      let condition = parts.isEmpty ? "" : " WHERE \(parts.joined(separator: " AND "))"
      // A feed holds a post more than once where somebody repeated it; UNION of several branches drops the others.
      let distinct = branches.count == 1 && branch.mayRepeat ? "DISTINCT " : ""
      return "SELECT \(distinct)\(time) AS moment, \(id) AS number FROM \(branch.from)\(condition)"
    }
    all.append(limit)
    let sql = "\(selects.joined(separator: " UNION ")) ORDER BY moment DESC, number DESC LIMIT ?"
    return (sql, StatementArguments(all))
  }

  /// The next places in order.
  func keys(after key: Key?, limit: Int, in db: Database) throws -> [Key] {
    let (sql, arguments) = statement(after: key, limit: limit)
    return try db.rows(sql, arguments).map { Key(createdAt: $0[0], id: $0[1]) }
  }

  /// One branch for the posts that carry the tag and one for each feed of it: each is read in order from an index, and
  /// SQLite merges them.
  private mutating func narrow(toTag tag: String, isSearch: Bool, in db: Database) throws -> Bool {
    let id = try db.row("SELECT id FROM tag WHERE name = ?", [tag]).map { $0[0] as Int64 }
    let feeds = try db.rows("SELECT id FROM feed WHERE kind = 'tag' AND value = ?", [tag]).map { $0[0] as Int64 }
    guard id != nil || !feeds.isEmpty else { return false }
    if isSearch {
      let tests =
        (id.map { _ in ["EXISTS (SELECT 1 FROM post_tag k WHERE k.post = p.id AND k.tag = ?)"] } ?? [])
        + feeds.map { _ in "EXISTS (SELECT 1 FROM feed_post b WHERE b.post = p.id AND b.feed = ?)" }
      conditions.append("(\(tests.joined(separator: " OR ")))")
      arguments += (id.map { [$0] } ?? []) + feeds
      return true
    }
    branches = feeds.map { feed in
      Branch(
        from: "feed_post b CROSS JOIN post p ON p.id = b.post",
        time: "b.created_at",
        id: "b.post",
        condition: "b.feed = ?",
        mayRepeat: true,
        arguments: [feed]
      )
    }
    if let id {
      branches.append(
        Branch(
          from: "post_tag k CROSS JOIN post p ON p.id = k.post",
          time: "k.created_at",
          id: "k.post",
          condition: "k.tag = ?",
          arguments: [id]
        )
      )
    }
    return true
  }

  static func authors(_ user: String, in db: Database) throws -> [Int64] {
    let handle = user.trimmingCharacters(in: .whitespaces).drop { $0 == "@" }.description.storable
    guard !handle.isEmpty else { return [] }
    // "[" is the character after "@" for SQLite's NOCASE, which folds capitals.
    return try db.rows(
      """
      SELECT id FROM author WHERE handle COLLATE NOCASE = ?1
      UNION SELECT id FROM author WHERE handle COLLATE NOCASE >= ?2 AND handle COLLATE NOCASE < ?3
      """,
      [handle, handle + "@", handle + "["]
    ).map { $0[0] }
  }

  private func marks(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ", ") }
}
