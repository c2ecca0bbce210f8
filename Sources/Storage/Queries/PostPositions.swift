// Where posts are in lists.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func key(ofPost id: Int64) throws(StorageError) -> PostKey? {
    try read { db in
      let createdAt: String? = try db.value("SELECT created_at FROM post WHERE id = ?", [id])
      return createdAt.map { PostKey(createdAt: $0, id: id) }
    }
  }
}
