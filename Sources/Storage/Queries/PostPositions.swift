// Where posts are in lists.

extension Store {
  /// The position of a post in lists without sections, whether or not it is on one of them; nil if no post has the
  /// number.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func key(ofPost id: Int64) throws(StorageError) -> PostKey? {
    try read { db in
      let createdAt: String? = try db.value("SELECT created_at FROM post WHERE id = $1", [id])
      return createdAt.map { PostKey(createdAt: $0, id: id) }
    }
  }
}
