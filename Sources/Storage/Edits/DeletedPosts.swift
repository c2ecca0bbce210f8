extension Store {
  /// The posts of a list that a person deleted, newest first.
  ///
  /// - Parameter list: A list without search terms.
  /// - Returns: The numbers of the posts.
  /// - Throws: `StorageError` if the library cannot be read.
  public func deletedPosts(of list: PostListQuery = PostListQuery()) throws(StorageError) -> [Int64] {
    var list = list
    list.deleted = .only
    return try read { db in
      guard let predicate = try PostPredicate(list, in: db) else { return [] }
      let deleted = PostSelection(source: .deleted, predicate: predicate)
      return try deleted.keys(limit: -1, in: db).map(\.id)
    }
  }
}
