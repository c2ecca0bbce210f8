import FoundationEssentials
import Posts

/// Finds the gaps between a feed's coverage intervals, and closes them.
///
/// A gap is named by its two ends (`Gap`). A gap that another pull has closed meanwhile yields nil, not an error.
public protocol GapRecords: Sendable {
  /// The gaps between a feed's coverage intervals, newest first.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - isRunning: Whether a pull of a feed is running. What it has yet to read is not missing.
  /// - Returns: The gaps, and whether an unfinished pull left something missing below everything known.
  /// - Throws: `StorageError` if the library cannot be read.
  func innerGaps(
    of feed: Feed,
    isRunning: (Feed) -> Bool
  ) throws(StorageError) -> (gaps: [InnerGap], isCutShort: Bool)

  /// Whether posts are still missing between the two intervals of a gap.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func isOpen(_ gap: Gap) throws(StorageError) -> Bool

  /// The known gaps of a feed, or of all feeds, each feed's newest gap first.
  ///
  /// - Parameters:
  ///   - feed: The feed, or nil for all feeds.
  ///   - isRunning: Whether a pull of a feed is running. What it has yet to read is not missing.
  /// - Returns: The gaps, feeds by name.
  /// - Throws: `StorageError` if the library cannot be read.
  func gaps(
    of feed: Feed?,
    isRunning: (Feed) -> Bool
  ) throws(StorageError) -> [Gap]

  /// The ids of items of the interval below a gap, if their dates suggest that the interval above has passed it.
  ///
  /// Dates only raise the question. The server's order answers it.
  ///
  /// - Returns: The newest first, then some further down. Empty if nothing suggests it.
  func idsOfPassed(_ gap: Gap) throws(StorageError) -> [String]

  /// Merges the interval below a gap into the one above, if a page that the server gave below an id of the lower
  /// interval continues within the upper one.
  ///
  /// - Parameters:
  ///   - gap: The gap between the two.
  ///   - ids: The ids of the page's items, in the server's order. If empty, the server knows none of the lower
  ///     interval's posts: then its dates, which raised the question, decide.
  /// - Returns: Whether the gap is closed.
  /// - Throws: `StorageError`.
  func closePassed(_ gap: Gap, by ids: [String]) throws(StorageError) -> Bool

  /// Begins to fill a gap from the feed's top, through what is known; nil if the gap no longer exists.
  func beginFillFromTop(of gap: Gap, now: Date) throws(StorageError) -> Pull?

  /// Begins to fill a gap, from the coverage interval above it or from the one below.
  ///
  /// - Parameters:
  ///   - gap: The gap.
  ///   - upwards: Whether to begin at the interval below.
  ///   - halfPage: Half the number of items on a page.
  ///   - now: The time of the call.
  /// - Returns: nil if the gap no longer exists. `edge` is the lower end of the interval above. `anchor` is the id of
  ///   an item half a page below the top of the lower interval, so that a pull upwards also finds late posts.
  func beginFill(
    of gap: Gap,
    upwards: Bool,
    halfPage: Int,
    now: Date
  ) throws(StorageError) -> (pull: Pull, edge: FeedEdge, anchor: String)?
}
