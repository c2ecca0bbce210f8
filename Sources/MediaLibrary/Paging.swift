import FetchedResults
import Storage

// The next window when a list is scrolled. A window grows up to a limit of rows, and then slides. However far a list is
// scrolled, the window never holds more rows than the limit.

extension Snapshot where Row == ListedPost {
  /// The window with more of the rows that follow. It drops rows at its start if it would exceed the limit. At least one
  /// row stays, so that readers keep their position.
  ///
  /// A window at the list's start stays there while it grows: new rows still appear on top.
  ///
  /// - Parameters:
  ///   - count: The number of rows to add.
  ///   - limit: The maximum number of rows in the window.
  /// - Returns: The window; nil if no rows follow.
  public func window(after count: Int, atMost limit: Int) -> Window<PostKey>? {
    guard hasMoreAfter, let last = rows.last else { return nil }
    let more = Self.more(count, limit)
    if !hasMoreBefore, more <= max(limit, 1) - rows.count { return Window(after: rows.count + more) }
    return Window(anchor: last.key, before: min(rows.count, max(limit, 1) - more) - 1, after: 1 + more)
  }

  /// The window with more of the rows before it. It drops rows at its end if it would exceed the limit. At least one row
  /// stays.
  ///
  /// - Parameters:
  ///   - count: The number of rows to add.
  ///   - limit: The maximum number of rows in the window.
  /// - Returns: The window; nil if there are no rows before it.
  public func window(before count: Int, atMost limit: Int) -> Window<PostKey>? {
    guard hasMoreBefore, let first = rows.first else { return nil }
    let more = Self.more(count, limit)
    return Window(anchor: first.key, before: more, after: max(min(rows.count, max(limit, 1) - more), 1))
  }

  /// The number of rows to add: at least one, and small enough that one row stays.
  private static func more(_ count: Int, _ limit: Int) -> Int { max(min(count, max(limit, 1) - 1), 1) }
}
