import GRDB
import Posts

extension Store {
  /// The posts that a person deleted, the newest first: of a tag, where one is named, as `restore(tag:)` takes them.
  public func deletedPosts(tag: String? = nil) throws(StorageError) -> [Int64] {
    try read { db in
      if let tag { return try db.rows(Self.deletedQuery, [Feed.tagName(tag)]).map { $0[0] } }
      return try db.rows(
        """
        SELECT p.id FROM post_state s INDEXED BY post_state_deleted CROSS JOIN post p ON p.id = s.post
        WHERE s.deleted_at IS NOT NULL ORDER BY p.created_at DESC, p.id DESC
        """
      ).map { $0[0] }
    }
  }
}
