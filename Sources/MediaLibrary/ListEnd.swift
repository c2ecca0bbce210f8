import FetchedResults
import Storage

extension Library {
  /// The window over the last rows of a list, and over rows that are added below them.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - count: The maximum number of last rows, and of rows below them.
  /// - Returns: The window; nil if the list is empty.
  public func window(atEndOf list: PostListQuery, _ count: Int) throws(StorageError) -> Window<PostKey>? {
    let before = max(count, 1) - 1
    // The last row itself, and `count` rows below it.
    let after = before < .max - 1 ? before + 2 : .max
    return try store.lastKey(of: list).map { Window(anchor: $0, before: before, after: after) }
  }
}
