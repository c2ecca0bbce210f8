import FoundationEssentials
import Posts

/// Keeps when posts are looked up again at their servers, and stores what came of it. All times are the caller's.
public protocol RecheckQueue: Sendable {
  /// Adds the results of rechecks to a harvest's record.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  func add(_ counts: HarvestRun.RecheckCounts, to run: Int64) throws(StorageError)

  /// Posts of a feed that its server can be asked for, without deleted ones.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - others: Feeds whose posts are left out if they brought the post first.
  ///   - since: The earliest date of a post, or nil for all.
  ///   - after: The last post of the batch before, or nil for the first batch.
  ///   - limit: Maximum number of posts.
  /// - Returns: The posts, newest first.
  /// - Throws: `StorageError` if the library cannot be read.
  func knownPosts(
    of feed: Feed, leaving others: [Feed], since: Date?, after: KnownPost?, limit: Int
  ) throws(StorageError) -> [KnownPost]

  /// The number of posts that `knownPosts` returns in all. Takes time in proportion to it.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func countOfKnownPosts(
    of feed: Feed, leaving others: [Feed], since: Date?
  ) throws(StorageError) -> Int

  /// Posts whose recheck is due, each with the first of these feeds that brought it.
  ///
  /// A due post that cannot be requested from any of them moves on to its next recheck.
  ///
  /// - Parameters:
  ///   - feeds: The feeds whose servers can be asked.
  ///   - limit: Maximum number of posts.
  ///   - now: The current time.
  /// - Returns: The posts by feed, the longest overdue first.
  /// - Throws: `StorageError` if the library cannot be written.
  func duePosts(
    among feeds: [Feed], limit: Int, now: Date
  ) throws(StorageError) -> [(feed: Feed, posts: [KnownPost])]

  /// Whether the recheck of any post is due.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func hasDuePosts(now: Date) throws(StorageError) -> Bool

  /// Postpones the due recheck of posts that could not be checked.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  func postpone(_ posts: [KnownPost], to time: Date) throws(StorageError)

  /// Stores the result of a recheck, as a page that shows the posts would be stored. Edits become revisions. Posts that
  /// are gone are marked and stay. It stores no other post, whatever the server shows under their ids.
  ///
  /// - Parameters:
  ///   - result: What the server answered.
  ///   - posts: The posts that were looked up.
  ///   - pictures: Whether to fetch pictures. If false, new attachments are marked as skipped.
  ///   - now: The time of the recheck.
  /// - Returns: What changed.
  func save(
    _ result: LookupResult, of posts: [KnownPost], pictures: Bool, now: Date
  ) throws(StorageError) -> Rechecked
}
