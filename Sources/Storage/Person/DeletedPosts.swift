// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
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
