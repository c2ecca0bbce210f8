import FoundationEssentials
import Posts

/// Counts what pages and pictures of a library show beside its posts.
///
/// Every call reads one snapshot. All counts are exact, and leave out deleted posts unless the list shows them.
public protocol Overviews: Sendable {
  /// The months in which a list has posts, newest first.
  ///
  /// The cost grows with the list, by some fifty nanoseconds a post. That of a list with several conditions, of a search
  /// and of deleted posts is some microseconds a post.
  ///
  /// - Parameters:
  ///   - list: The list; its grouping does not matter.
  ///   - zone: The time zone of the months.
  /// - Throws: `StorageError` if the library cannot be read.
  func months(of list: PostListQuery, in zone: TimeZone) throws(StorageError) -> [PostMonth]

  /// The tags of posts, with their counts. Tags without a post are left out.
  ///
  /// - Parameters:
  ///   - part: A part of the names, in any case of the letters of ASCII; empty for all.
  ///   - order: The order.
  ///   - key: The key of the last one of the page before, in the same order; nil for the first page. It stays valid if
  ///     its tag is gone.
  ///   - limit: Maximum number of tags.
  /// - Throws: `StorageError` if the library cannot be read.
  func tagCounts(
    containing part: String, by order: CountOrder, after key: CountKey?, limit: Int
  ) throws(StorageError) -> [TagCount]

  /// The authors of posts, with their counts. Authors without a post are left out.
  ///
  /// - Parameters:
  ///   - part: A part of the handles or the names, in any case of the letters of ASCII; empty for all.
  ///   - order: The order; names are the handles.
  ///   - key: The key of the last one of the page before, in the same order; nil for the first page.
  ///   - limit: Maximum number of authors.
  /// - Throws: `StorageError` if the library cannot be read.
  func authorCounts(
    containing part: String, by order: CountOrder, after key: CountKey?, limit: Int
  ) throws(StorageError) -> [AuthorCount]

  /// How many of the posts that the other counts include were made by hand and begin later. The cost grows with their number.
  ///
  /// - Parameter moment: The moment after which they begin.
  /// - Throws: `StorageError` if the library cannot be read.
  func plannedCounts(after moment: Date) throws(StorageError) -> PlannedCounts

  /// What of a feed is complete, and what is missing. A feed that was never pulled has nothing of either.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - isRunning: Whether a pull of a feed is running. What it has yet to read is not missing.
  /// - Throws: `StorageError` if the library cannot be read.
  func coverage(of feed: Feed, isRunning: (Feed) -> Bool) throws(StorageError) -> FeedCoverage

  /// How many pictures and files are kept, and their size. The cost grows with the different ones.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func blobTotals() throws(StorageError) -> BlobTotals

  /// Numbers for pictures of the whole library. The cost grows with the library.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func statistics(_ query: StatisticsQuery) throws(StorageError) -> LibraryStatistics
}

extension Overviews {
  /// What of a feed is complete, and what is missing, while no pull of it is running.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func coverage(of feed: Feed) throws(StorageError) -> FeedCoverage {
    try coverage(of: feed) { _ in false }
  }
}
