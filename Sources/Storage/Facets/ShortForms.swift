import Blobs
import FoundationEssentials
import Posts

// Calls of the facets without the arguments that are usually the same. They have fewer parameters than what they call, so
// that a store that forgets a method does not compile, instead of calling itself.

extension PostLists {
  /// The commits from now on.
  public func changes() -> AsyncThrowingStream<LibraryChange, any Error> { changes(startsWithEverything: false) }

  /// A part of a list from a key on, or from its start: the present reading first, then another whenever it differs.
  public func observe(
    _ list: PostListQuery, around anchor: PostKey? = nil, after: Int = 50
  ) -> AsyncThrowingStream<PostWindowReading, any Error> {
    observe(list, around: anchor, before: 0, after: after)
  }

  /// A part of a list from a key on, or from its start.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func window(
    _ list: PostListQuery, around anchor: PostKey? = nil, after: Int = 50
  ) throws(StorageError) -> PostWindowReading {
    try window(list, around: anchor, before: 0, after: after)
  }

  /// The number of posts of a list in each of these time ranges.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func timeRanges(
    of list: PostListQuery, within intervals: [DateInterval]
  ) throws(StorageError) -> [PostTimeRange] {
    try timeRanges(of: list, within: intervals, atMost: 0)
  }

  /// The number of posts of a list that stand in each of these time ranges of a calendar.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func overlaps(
    of list: PostListQuery, within intervals: [DateInterval]
  ) throws(StorageError) -> [PostOverlap] {
    try overlaps(of: list, within: intervals, atMost: 0)
  }

  /// All posts that a person deleted, newest first.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func deletedPosts() throws(StorageError) -> [Int64] { try deletedPosts(of: PostListQuery()) }

  /// The newest 50 posts.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func posts() throws(StorageError) -> [StoredPost] { try posts(PostQuery()) }
}

extension Overviews {
  /// The tags with the most posts.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func tagCounts(limit: Int) throws(StorageError) -> [TagCount] {
    try tagCounts(containing: "", by: .count, after: nil, limit: limit)
  }

  /// The authors with the most posts.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func authorCounts(limit: Int) throws(StorageError) -> [AuthorCount] {
    try authorCounts(containing: "", by: .count, after: nil, limit: limit)
  }
}

extension FeedRecords {
  /// Sets the API of a feed, whose cursors stay valid.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func note(api: String?, of feed: Feed) throws(StorageError) { try note(api: api, other: false, of: feed) }
}

extension PullRecords {
  /// Resumes the feed's latest unfinished pull, whichever it is.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func resumePull(of feed: Feed, now: Date) throws(StorageError) -> Resumption? {
    try resumePull(of: feed, leaving: [], now: now)
  }

  /// Stores a page, whose pictures are to be fetched.
  ///
  /// - Throws: `StorageError.overtaken` if another pull changed the interval that this one extends.
  public func save(_ page: consuming Page, in pull: Pull, now: Date) throws(StorageError) -> Saved {
    try save(page, in: pull, pictures: true, now: now)
  }
}

extension GapRecords {
  /// The gaps between a feed's coverage intervals while no pull of it is running.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func innerGaps(of feed: Feed) throws(StorageError) -> (gaps: [InnerGap], isCutShort: Bool) {
    try innerGaps(of: feed) { _ in false }
  }

  /// The known gaps of a feed, or of all feeds, while no pull is running.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func gaps(of feed: Feed? = nil) throws(StorageError) -> [Gap] { try gaps(of: feed) { _ in false } }
}

extension PictureQueue {
  /// The pictures of posts that are to be fetched: pending ones, skipped ones, and failed ones that are due or, if asked
  /// for, all failed and gone ones.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func pictures(
    ofPosts posts: [Int64], retryFailed: Bool = false, now: Date
  ) throws(StorageError) -> [PictureTask] {
    try pictures(ofPosts: posts, retryFailed: retryFailed, gone: nil, skipped: true, now: now)
  }

  /// The avatars of the authors of posts that are to be fetched, failed ones only if they are due.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func avatars(ofPosts posts: [Int64], now: Date) throws(StorageError) -> [PictureTask] {
    try avatars(ofPosts: posts, retryFailed: false, now: now)
  }

  /// The number of missing pictures by feed, those that can be downloaded.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func countsOfMissingPictures(now: Date) throws(StorageError) -> [String: Int] {
    try countsOfMissingPictures(.wanted, of: nil, now: now)
  }
}

extension PersonalChanges {
  /// Stores a post made by hand, without pictures. It is on disk when this returns.
  ///
  /// - Returns: The post's number.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func add(_ post: Post, id: UUID, now: Date) throws(StorageError) -> Int64 {
    try add(post, id: id, pictures: [], now: now)
  }
}

extension RecheckQueue {
  /// The newest posts of a feed that its server can be asked for, without deleted ones.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func knownPosts(of feed: Feed, limit: Int) throws(StorageError) -> [KnownPost] {
    try knownPosts(of: feed, leaving: [], since: nil, after: nil, limit: limit)
  }

  /// Stores the result of a recheck, whose new pictures are to be fetched.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func save(_ result: LookupResult, of posts: [KnownPost], now: Date) throws(StorageError) -> Rechecked {
    try save(result, of: posts, pictures: true, now: now)
  }
}
