import FoundationEssentials
import Posts

// How much changed, for who sends changes to another library.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func countChanges(after position: ChangePosition) throws(StorageError) -> Int? {
    try read { db in
      switch try PositionReader(db, of: writer).changes(after: position)?.change {
      case nil: 0
      case .posts(let posts, let authors): posts.count + authors.count
      case .everything: nil
      }
    }
  }

  public func countChanges(since date: Date) throws(StorageError) -> Int {
    try read { db in
      let date = UTC.text(date)
      return try db.value(
        """
        SELECT count(*) FROM post p LEFT JOIN post_state s ON s.post = p.id
        WHERE p.updated_at >= ? OR coalesce(s.deleted_at, '') >= ? OR coalesce(s.restored_at, '') >= ?
        """, [date, date, date]) ?? 0
    }
  }
}
