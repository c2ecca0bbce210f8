import FoundationEssentials
import Posts

/// Records pulls: their pages, and how far they came.
///
/// A page is stored whole with its coverage and the pull's cursor, or not at all: a process that is killed at any moment
/// leaves no posts without coverage, and no coverage without posts. Coverage claims only what the server's order proves.
/// One pull of a feed writes at a time: the caller holds the feed's lock, and a pull that was overtaken nevertheless
/// throws `StorageError.overtaken` and changes nothing. All times are the caller's.
public protocol PullRecords: Sendable {
  /// The ids of items at and above the position of a pull.
  ///
  /// - Returns: The nearest id first, each about three times as far away as the one before, then the newest id of the
  ///   interval. Empty if the pull has no interval.
  /// - Throws: `StorageError` if the library cannot be read.
  func fallbackIDs(of pull: Pull) throws(StorageError) -> [String]

  /// The ids of items near one above which a pull was to ask for a page.
  ///
  /// - Parameters:
  ///   - anchor: The server's id of that item.
  ///   - pull: The pull.
  /// - Returns: Ids below the item first, then above. Empty if no interval contains the item.
  /// - Throws: `StorageError` if the library cannot be read.
  func fallbackAnchors(near anchor: String, of pull: Pull) throws(StorageError) -> [String]

  /// Whether the server seems to show its newest items instead of the page below what a pull has read.
  ///
  /// Judged by dates: no interval contains any of the items, and all are newer than the topmost items of the pull's
  /// interval. Dates raise a suspicion, and prove nothing.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func looksNewer(_ page: Page, than pull: Pull) throws(StorageError) -> Bool

  /// The intervals above the one that contains an item.
  ///
  /// - Parameters:
  ///   - id: The server's id of the item.
  ///   - feed: The feed.
  /// - Returns: The lowest interval first. Empty if no interval contains the item.
  /// - Throws: `StorageError` if the library cannot be read.
  func intervals(above id: String, of feed: Feed) throws(StorageError) -> [FeedInterval]

  /// Whether an interval contains one of these items.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func holds(anyOf ids: [String], in interval: FeedInterval) throws(StorageError) -> Bool

  /// Whether the interval of a pull contains one of these items.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func holds(anyOf ids: [String], in pull: Pull) throws(StorageError) -> Bool

  /// Begins a pull: records its goal before its first request. Closes an open pull of the same feed as unfinished.
  func beginPull(of feed: Feed, goal: PullGoal, now: Date) throws(StorageError) -> Pull

  /// Ends a pull. A pull that reached its goal also satisfies earlier unfinished ones that its goal covers.
  ///
  /// - Parameter reached: Whether it reached its goal. If false, the rest is recorded as missing.
  func finishPull(_ pull: Pull, reached: Bool, now: Date) throws(StorageError)

  /// Resumes the feed's latest unfinished pull. Pulls that others have completed meanwhile are closed.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - stuck: Pulls that must not be resumed.
  ///   - now: The time of the call.
  /// - Returns: The pull, or nil if there is none to resume.
  func resumePull(
    of feed: Feed, leaving stuck: Set<Int64>, now: Date
  ) throws(StorageError) -> Resumption?

  /// Begins a pull again at the feed's top, in place of one whose cursor is lost.
  func beginAnew(_ lost: Pull, now: Date) throws(StorageError) -> Pull

  /// Begins a pull below everything that is known of the feed; nil if nothing is known.
  func beginPull(below feed: Feed, goal: PullGoal, now: Date) throws(StorageError) -> (Pull, FeedEdge)?

  /// Moves a pull past the rest of the interval that it has reached.
  ///
  /// - Returns: The interval's lower end.
  /// - Throws: `StorageError.overtaken` if another pull changed the interval.
  func stepOver(_ pull: Pull) throws(StorageError) -> FeedEdge

  /// Begins to pull what is above the feed's newest interval.
  ///
  /// An interrupted pull leaves nothing unfinished: coverage claims nothing above the newest item seen, and the next pull
  /// begins there. Of the feed's earlier pulls that reached their goal, only the last is kept.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - count: How many items below the interval's top the pull begins.
  ///   - now: The current time.
  /// - Returns: The pull, or nil if too little is known to tell where a page belongs.
  /// - Throws: `StorageError` if the library cannot be written.
  func beginIncrementalPull(of feed: Feed, below count: Int, now: Date) throws(StorageError) -> IncrementalPull?

  /// Whether an item is at the top of the pull's interval, or so near that the items above it may be gone upstream.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func isNearTop(_ id: String, of pull: Pull) throws(StorageError) -> Bool

  /// The number of items at the top of a feed's newest interval that came into the feed since a moment, judged by their
  /// dates.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - moment: The moment.
  ///   - most: Maximum number of items that are read.
  /// - Throws: `StorageError` if the library cannot be read.
  func countOfTop(of feed: Feed, since moment: Date, most: Int) throws(StorageError) -> Int

  /// Stores a page in one transaction: posts, authors, tags, attachments, raw answers, the feed's coverage interval and
  /// the pull's cursor. Rows of joined intervals move in transactions of their own, before and after it.
  ///
  /// - Parameters:
  ///   - page: The page. Its items are released one by one if nothing else holds them.
  ///   - pull: The open pull that read the page.
  ///   - pictures: Whether to fetch pictures. If false, new attachments are marked as skipped.
  ///   - now: The time of the write.
  /// - Returns: What the page changed.
  /// - Throws: `StorageError.overtaken` if another pull changed the interval that this one extends.
  func save(
    _ page: consuming Page, in pull: Pull, pictures: Bool, now: Date
  ) throws(StorageError) -> Saved

  /// Stores the items of a page that is not where a pull stands: one that a server sent in place of another, or that was
  /// asked as a probe. Coverage claims nothing of it, and no pull moves on.
  ///
  /// - Parameters:
  ///   - items: The page's items, newest first.
  ///   - feed: The feed.
  ///   - pictures: Whether to fetch pictures. If false, new attachments are marked as skipped.
  ///   - now: The time of the write.
  /// - Returns: What the items changed.
  /// - Throws: `StorageError` if the library cannot be written.
  func saveAside(_ items: [PageItem], of feed: Feed, pictures: Bool, now: Date) throws(StorageError) -> Saved

  /// Stores the page above an item, for a pull that `beginFill` or `beginIncrementalPull` began, by
  /// the same rules.
  ///
  /// - Parameter anchor: The id of the item.
  /// - Returns: What the page changed, and how far the coverage interval grew upwards.
  /// - Throws: `StorageError.overtaken` if another pull changed the interval.
  func save(
    _ page: Page,
    above anchor: String,
    in pull: Pull,
    pictures: Bool,
    now: Date
  ) throws(StorageError) -> (Saved, UpwardMergeResult)
}
