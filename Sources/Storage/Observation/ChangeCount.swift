import FoundationEssentials
import Machine

// How much changed, for who sends changes to another library.

extension Store {
  /// The number of posts, and of authors, that changed after a position.
  ///
  /// - Returns: The number; nil if the changes are no longer listed, or the library is not the one to which the position
  ///   belongs.
  /// - Throws: `StorageError` if the library cannot be read.
  public func countChanges(after position: ChangePosition) throws(StorageError) -> Int? {
    try read { db in
      switch try PositionReader(db, of: writer).changes(after: position)?.change {
      case nil: 0
      case .posts(let posts, let authors): posts.count + authors.count
      case .everything: nil
      }
    }
  }

  /// The number of posts that changed from a time on, by the clock of the machines that changed them. The cost grows with the
  /// library.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func countChanges(since date: Date) throws(StorageError) -> Int {
    try read { db in
      let date = UTC.text(date)
      return try db.value(
        """
        SELECT count(*) FROM post p LEFT JOIN post_state s ON s.post = p.id
        WHERE p.updated_at >= $1 OR coalesce(s.deleted_at, '') >= $2 OR coalesce(s.restored_at, '') >= $3
        """, [date, date, date]) ?? 0
    }
  }
}
