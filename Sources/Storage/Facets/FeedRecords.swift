import FoundationEssentials
import Posts

/// Keeps what is known of feeds: their names, titles, addresses, APIs, last visits, and how often
/// they bring something.
public protocol FeedRecords: Sendable {
  /// Every feed that was ever pulled or followed, by name.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func feeds() throws(StorageError) -> [Feed]

  /// Removes a feed that never brought anything, such as a mistyped one, and its gaps. If it is followed, only its gaps
  /// are removed. The change is on disk when this returns.
  ///
  /// - Returns: False if the feed brought something, is followed, or is not known.
  /// - Throws: `StorageError` if the library cannot be written.
  func forgetEmpty(_ feed: Feed) throws(StorageError) -> Bool

  /// Whether any page of a feed was read.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func isKnown(_ feed: Feed) throws(StorageError) -> Bool

  /// The last visit to a feed that brought a page; nil if there was none, or if its source needs none.
  func visit(of feed: Feed) throws(StorageError) -> Visit?

  /// The feed with an address: its own, or one on the same host that it moved to. A move to another host does not prove
  /// that the feed owns the address.
  func feed(at address: String) throws(StorageError) -> Feed?

  /// The titles of feeds, by the feeds' names. Feeds without a title are not included.
  func feedTitles() throws(StorageError) -> [String: String]

  /// Whether any post of a feed is stored.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func hasPosts(of feed: Feed) throws(StorageError) -> Bool

  /// The API that was last chosen for a feed.
  ///
  /// - Returns: The API's name, or nil if none was chosen or the default is used.
  /// - Throws: `StorageError` if the library cannot be read.
  func api(of feed: Feed) throws(StorageError) -> String?

  /// Sets the API that all pulls of a feed use from now on.
  ///
  /// Cursors of one API mean nothing to another. If `other` is true, they are removed. What was read stays complete, and
  /// unfinished pulls start again at the feed's top. The caller then prevents other pulls of the feed.
  ///
  /// - Parameters:
  ///   - api: The API's name, or nil for the default.
  ///   - other: Whether the API differs from the one before.
  ///   - feed: The feed.
  /// - Returns: Whether an unfinished pull starts again.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  func note(api: String?, other: Bool, of feed: Feed) throws(StorageError) -> Bool

  /// What harvests have learnt about a feed, or an empty value if none has pulled it.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func pollingStatistics(of feed: Feed) throws(StorageError) -> PollingStatistics

  /// Stores what harvests have learnt about a feed.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  func keep(_ statistics: PollingStatistics, of feed: Feed) throws(StorageError)

  /// The age at which 99 of 100 late posts of a feed had arrived.
  ///
  /// Reads the feed's newest thousand posts. A post is late if it was first seen after another at its position.
  ///
  /// - Returns: The age in seconds, or nil if no post was late.
  /// - Throws: `StorageError` if the library cannot be read.
  func lateness(of feed: Feed) throws(StorageError) -> TimeInterval?

  /// Changes the schedule of a feed if it is followed.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - next: Returns the new schedule, or nil to leave it unchanged.
  /// - Throws: `StorageError` if the library cannot be written.
  func reschedule(_ feed: Feed, _ next: (Follow) -> Follow.Schedule?) throws(StorageError)
}
