import FetchedResults
import Storage

extension Library {
  /// The window that shows the last rows of a list, however long the list is, and what comes below them, each so many at
  /// most; nil where it has no rows.
  public func window(atEndOf list: PostListQuery, _ count: Int) throws(StorageError) -> Window<PostKey>? {
    let count = max(count, 1)
    return try store.lastKey(of: list).map { Window(anchor: $0, before: count - 1, after: 1 + count) }
  }
}
