import FoundationEssentials
import Machine
import Rows

/// How many of the posts that totals count begin later, without hidden ones. Lists leave them out.
public struct PlannedCounts: Sendable, Equatable {
  /// The number of all of them.
  public let posts: Int
  /// The number of those that carry a tag, by its name; tags without one are left out.
  public let tags: [String: Int]
  /// The number of those of an author, by the author's number; authors without one are left out.
  public let authors: [Int64: Int]

  package init(posts: Int = 0, tags: [String: Int] = [:], authors: [Int64: Int] = [:]) {
    (self.posts, self.tags, self.authors) = (posts, tags, authors)
  }
}

extension Store {
  /// How many of the posts that the other counts include were made by hand and begin later. The cost grows with their number.
  ///
  /// - Parameter moment: The moment after which they begin.
  /// - Throws: `StorageError` if the library cannot be read.
  public func plannedCounts(after moment: Date) throws(StorageError) -> PlannedCounts {
    try read { db in
      let planned = "FROM post p \(db.index("post_manual"))"
      var condition: Clause = """
        WHERE p.source = 'manual' AND p.created_at > \(bind: UTC.text(moment))
          AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL)
        """
      if let hidden = try Hidden(in: db) { condition += " AND NOT \(hidden.clause(of: "p.id"))" }
      var (tags, authors): ([String: Int], [Int64: Int]) = ([:], [:])
      try db.rows(
        """
        SELECT t.name AS name, count(*) AS posts \(planned) JOIN post_tag k ON k.post = p.id JOIN tag t ON t.id = k.tag
        \(condition) GROUP BY t.id, t.name
        """ as Clause
      ) { row in tags[try row["name"]] = try row["posts"] }
      try db.rows(
        "SELECT p.author AS author, count(*) AS posts \(planned) \(condition) AND p.author IS NOT NULL GROUP BY p.author"
          as Clause
      ) { row in authors[try row["author"]] = try row["posts"] }
      return PlannedCounts(
        posts: try db.value("SELECT count(*) \(planned) \(condition)" as Clause) ?? 0, tags: tags, authors: authors)
    }
  }
}
