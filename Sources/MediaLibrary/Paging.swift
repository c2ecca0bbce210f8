import FetchedResults
import Storage

// Where to look next. A window grows until it holds a limit of rows, and slides from then on: however far a list is
// scrolled, no more than the limit is held.

extension Snapshot where Row == ListedPost {
  /// The window that shows so many more of the rows that follow, and lets go of the first ones where it would show more
  /// than the limit; nil where no rows follow. At least one row stays, so that nobody loses their place.
  ///
  /// A window at the list's start stays there as long as it grows: what is new still shows on top.
  public func window(after count: Int, atMost limit: Int) -> Window<PostKey>? {
    guard hasMoreAfter, let last = rows.last else { return nil }
    let more = Self.more(count, limit)
    if !hasMoreBefore, more <= max(limit, 1) - rows.count { return Window(after: rows.count + more) }
    return Window(anchor: last.key, before: min(rows.count, max(limit, 1) - more) - 1, after: 1 + more)
  }

  /// The window that shows so many more of the rows that stand before, and lets go of the last ones where it would show
  /// more than the limit; nil where no rows stand before. At least one row stays.
  public func window(before count: Int, atMost limit: Int) -> Window<PostKey>? {
    guard hasMoreBefore, let first = rows.first else { return nil }
    let more = Self.more(count, limit)
    return Window(anchor: first.key, before: more, after: max(min(rows.count, max(limit, 1) - more), 1))
  }

  /// At least one, whatever is asked for; a limit leaves room for a row that stays.
  private static func more(_ count: Int, _ limit: Int) -> Int { max(min(count, max(limit, 1) - 1), 1) }
}
