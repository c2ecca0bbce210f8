import FoundationEssentials
import Posts

/// Keeps which feeds are followed, and records what harvests did. All times are the caller's.
public protocol HarvestRecords: Sendable {
  /// Follows a feed, or changes how it is followed. The feed need not be known. The change is on disk when this returns.
  ///
  /// - Parameters:
  ///   - follow: The feed and its schedule.
  ///   - now: The current time.
  /// - Returns: How the feed was followed before, or nil if it was not.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  func follow(_ follow: Follow, now: Date) throws(StorageError) -> Follow?

  /// Follows feeds that are not followed, all of them or none. The change is on disk when this returns.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  func follow(_ follows: [Follow], now: Date) throws(StorageError)

  /// Stops following a feed. Its posts stay. The change is on disk when this returns.
  ///
  /// - Returns: False if the feed was not followed.
  /// - Throws: `StorageError` if the library cannot be written.
  func unfollow(_ feed: Feed) throws(StorageError) -> Bool

  /// The followed feeds, by name.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func follows() throws(StorageError) -> [Follow]

  /// How a feed is followed. Nil if it is not.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func follow(of feed: Feed) throws(StorageError) -> Follow?

  /// The followed feeds that have failed since a moment or longer, the longest first.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func follows(failingSince moment: Date) throws(StorageError) -> [Follow]

  /// Stores the notices of a harvest.
  ///
  /// - Parameters:
  ///   - notices: The notices.
  ///   - run: The number of the harvest.
  ///   - toldAt: When the person's command received them, or nil if it did not.
  /// - Throws: `StorageError` if the library cannot be written.
  func keep(_ notices: [HarvestNotice], of run: Int64, toldAt: Date?) throws(StorageError)

  /// The notices that the person's command has not received since a moment. Notices are equal if kind and subject are.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func undelivered(_ notices: [HarvestNotice], since moment: Date) throws(StorageError) -> [HarvestNotice]

  /// Records the start of a harvest. The caller holds the harvest lock: open harvests become `cutOff`.
  ///
  /// - Parameters:
  ///   - feeds: The number of feeds to pull.
  ///   - process: The process id.
  ///   - now: The current time.
  /// - Returns: The number of the harvest.
  /// - Throws: `StorageError` if the library cannot be written.
  func beginRun(of feeds: Int, process: Int32, now: Date) throws(StorageError) -> Int64

  /// Records the result of a feed.
  ///
  /// - Parameters:
  ///   - part: The result.
  ///   - schedule: The feed's new schedule, stored if the feed is followed.
  ///   - run: The number of the harvest.
  /// - Throws: `StorageError` if the library cannot be written.
  func note(_ part: HarvestRun.Part, schedule: Follow.Schedule?, in run: Int64) throws(StorageError)

  /// Adds counts that belong to no feed: pictures that were tried again.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  func add(_ counts: HarvestRun.Counts, to run: Int64) throws(StorageError)

  /// Records the end of a harvest. Of harvests older than a year, only the one with the most new posts of each day is kept.
  ///
  /// - Parameters:
  ///   - run: The number of the harvest.
  ///   - state: How it ended.
  ///   - code: The exit status.
  ///   - requests: All its requests.
  ///   - bytes: All bytes received over the network.
  ///   - waited: The total time that requests waited.
  ///   - now: The current time.
  /// - Throws: `StorageError` if the library cannot be written.
  func finishRun(
    _ run: Int64, as state: HarvestRun.State, code: Int32, requests: Int, bytes: Int64, waited: Duration, now: Date
  ) throws(StorageError)

  /// The latest harvests, newest first.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func runs(limit: Int) throws(StorageError) -> [HarvestRun]
}
