import FetchedResults
import Storage

extension Library {
  /// The window that shows the last rows of a list, however long the list is, and what comes below them, each so many at
  /// most; nil where it has no rows.
  public func window(atEndOf list: PostListQuery, _ count: Int) throws(StorageError) -> Window<PostKey>? {
    let before = max(count, 1) - 1
    // The last row itself, and as many below it.
    let after = before < .max - 1 ? before + 2 : .max
    return try store.lastKey(of: list).map { Window(anchor: $0, before: before, after: after) }
  }
}
