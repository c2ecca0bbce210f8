// Where posts are in lists.

extension Store {
  /// The position of a post in a list without sections, whether or not it is on it; nil if no post has the number.
  ///
  /// - Parameter list: The list; by default one that shows the newest first.
  /// - Throws: `StorageError` if the library cannot be read.
  public func key(ofPost id: Int64, on list: PostListQuery = PostListQuery()) throws(StorageError) -> PostKey? {
    try read { try PostPlan(list, in: $0).key(of: id, in: $0) }
  }
}
