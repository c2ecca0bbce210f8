import FoundationEssentials
import Posts

/// Reads lists of posts, whole posts and totals, and tells what changes.
///
/// Every call reads one snapshot: a commit by another process is in it whole, or not at all. The numbers of posts are
/// opaque: they name rows of this store, are never used twice, and another store of the same posts has others. A key
/// (`PostKey`) stays valid when its post leaves the list.
public protocol PostLists: Sendable {
  /// The commits from now on, by this process and others.
  ///
  /// If too many changes wait for a slow reader, it gets `everything`. Commits that change nothing shown are skipped.
  ///
  /// - Parameter startsWithEverything: Whether the first element is `everything`, as soon as commits are watched. What
  ///   is read after it misses no commit.
  /// - Returns: A stream. It ends when the store is closed, and throws if the library cannot be read.
  func changes(startsWithEverything: Bool) -> AsyncThrowingStream<LibraryChange, any Error>

  /// The position of the last commit that changed something shown. Whoever reads it first, then a list, and then follows
  /// the changes after it, misses none.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func changePosition() throws(StorageError) -> ChangePosition

  /// The number of posts, and of authors, that changed after a position.
  ///
  /// - Returns: The number; nil if the changes are no longer listed, or the library is not the one to which the position
  ///   belongs.
  /// - Throws: `StorageError` if the library cannot be read.
  func countChanges(after position: ChangePosition) throws(StorageError) -> Int?

  /// The number of posts that changed from a time on, by the clock of the machines that changed them. The cost grows with the
  /// library.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func countChanges(since date: Date) throws(StorageError) -> Int

  /// The commits after a position, each with the position from which a later reader continues, also in another process.
  ///
  /// A slow reader gets several commits as one change, and misses none.
  ///
  /// - Parameter position: Where an earlier reader stopped. If the changes after it are no longer listed, or the library
  ///   is not the one to which it belongs, the first element is `everything`; also if it is nil.
  /// - Returns: A stream. It ends when the store is closed, and throws if the library cannot be read.
  func changes(after position: ChangePosition?) -> AsyncThrowingStream<PositionedChange, any Error>

  /// A part of a list, as `window` reads it: the present reading first, then another whenever the rows, the sections or a
  /// count differ. A slow reader gets only the newest reading.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - anchor: The key around which rows are read, or nil for the list's start.
  ///   - before: Maximum number of rows before the anchor.
  ///   - after: Maximum number of rows after the anchor.
  /// - Returns: A stream. It ends when the store is closed, and throws if the library cannot be read.
  func observe(
    _ list: PostListQuery,
    around anchor: PostKey?,
    before: Int,
    after: Int
  ) -> AsyncThrowingStream<PostWindowReading, any Error>

  /// The part of a list in each of these time ranges. All of it is read from one snapshot.
  ///
  /// The cost grows with the posts in the ranges, up to some ten thousand each, not with the library. That of a search
  /// also grows with its results.
  ///
  /// - Parameters:
  ///   - list: The list; its grouping does not matter.
  ///   - intervals: The time ranges, their ends excluded.
  ///   - limit: The maximum number of posts to read for each range.
  /// - Returns: One result for each range, in the same order.
  func timeRanges(
    of list: PostListQuery,
    within intervals: [DateInterval],
    atMost limit: Int
  ) throws(StorageError) -> [PostTimeRange]

  /// What of a list stands in each of these time ranges of a calendar: its posts, and those that begin before it and end
  /// after its start. All of it is read from one snapshot.
  ///
  /// The cost is that of `timeRanges`, and grows with the posts that have an end after the first start, by some tens of
  /// nanoseconds each. They are few in a library of many posts.
  ///
  /// - Parameters:
  ///   - list: The list; its grouping does not matter.
  ///   - intervals: The time ranges, their ends excluded.
  ///   - limit: The maximum number of posts of each kind to read for each range.
  /// - Returns: One result for each range, in the same order.
  /// - Throws: `StorageError` if the library cannot be read.
  func overlaps(
    of list: PostListQuery,
    within intervals: [DateInterval],
    atMost limit: Int
  ) throws(StorageError) -> [PostOverlap]

  /// The key of a list's last row; nil if it is empty. It reads from the list's end: the cost does not grow with the
  /// list, except for a search.
  func lastKey(of list: PostListQuery) throws(StorageError) -> PostKey?

  /// A part of a list, read from one snapshot.
  ///
  /// The cost grows with the requested rows, not with the library. That of a search also grows with its results.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - anchor: A row's key. If its post is gone, or no longer on the list, the key's position still anchors the
  ///     window. nil for the list's start.
  ///   - before: The maximum number of rows before the anchor.
  ///   - after: The maximum number of rows from the anchor on.
  func window(
    _ list: PostListQuery,
    around anchor: PostKey?,
    before: Int,
    after: Int
  ) throws(StorageError) -> PostWindowReading

  /// The position of a post in lists without sections, whether or not it is on one of them; nil if no post has the
  /// number.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func key(ofPost id: Int64) throws(StorageError) -> PostKey?

  /// The posts of a list that a person deleted, newest first.
  ///
  /// - Parameter list: A list without search terms.
  /// - Returns: The numbers of the posts.
  /// - Throws: `StorageError` if the library cannot be read.
  func deletedPosts(of list: PostListQuery) throws(StorageError) -> [Int64]

  /// The tags that were shown last, as passed to `noteTag`, newest first.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func latestTags() throws(StorageError) -> [String]

  /// The names of tags with a prefix, in alphabetical order.
  ///
  /// - Parameters:
  ///   - prefix: The start of the names, in any case.
  ///   - limit: Maximum number of names.
  /// - Returns: The names as posts spell them.
  /// - Throws: `StorageError` if the library cannot be read.
  func tagNames(beginningWith prefix: String, limit: Int) throws(StorageError) -> [String]

  /// The handles of authors with a prefix, in alphabetical order.
  ///
  /// - Parameters:
  ///   - prefix: The start of the handles, in any case.
  ///   - limit: Maximum number of handles.
  /// - Throws: `StorageError` if the library cannot be read.
  func authorHandles(beginningWith prefix: String, limit: Int) throws(StorageError) -> [String]

  /// The numbers of all posts of a list. Takes time in proportion to the list's length.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func members(of list: PostListQuery) throws(StorageError) -> RangeSet<Int>

  /// The posts on a list among some posts and all posts of some authors. Takes time in proportion to their number.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - posts: The numbers of posts.
  ///   - authors: The numbers of authors.
  /// - Returns: The numbers of those on the list.
  /// - Throws: `StorageError` if the library cannot be read.
  func members(
    of list: PostListQuery, among posts: Set<Int64>, byAuthors authors: Set<Int64>
  ) throws(StorageError) -> Set<Int64>

  /// Posts by their numbers.
  ///
  /// - Returns: The posts, oldest first. Numbers without a post are skipped.
  /// - Throws: `StorageError` if the library cannot be read.
  func posts(numbered numbers: some Collection<Int64> & Sendable) throws(StorageError) -> [StoredPost]

  /// The posts of a query, newest first.
  ///
  /// - Throws: `StorageError.unknownPosts` if `before` is not a post's number.
  func posts(_ query: PostQuery) throws(StorageError) -> [StoredPost]

  /// The posts made by hand that begin after a moment, or have begun and end after it, soonest first.
  ///
  /// - Parameters:
  ///   - list: The list that they are on. Its sections and its treatment of planned posts do not count.
  ///   - moment: The moment.
  ///   - limit: The maximum number; nil for no limit.
  /// - Throws: `StorageError` if the library cannot be read.
  func plannedPosts(of list: PostListQuery, at moment: Date, limit: Int?) throws(StorageError) -> [StoredPost]

  /// The numbers of the posts made by hand that began in a time: a list that leaves out what is planned must be read anew
  /// for them.
  ///
  /// - Parameters:
  ///   - start: The time's start, which does not belong to it.
  ///   - end: The time's end, which does.
  /// - Throws: `StorageError` if the library cannot be read.
  func begunPosts(after start: Date, upTo end: Date) throws(StorageError) -> [Int64]

  /// Calls `body` with each post of a query, in constant memory.
  ///
  /// - Throws: `StorageError.unknownPosts` if `before` is not a post's number, or what `body` throws, which ends the
  ///   iteration.
  func eachPost(_ query: PostQuery, _ body: (StoredPost) throws -> Void) throws

  /// The number of the post with a web address; nil if none has it.
  ///
  /// - Parameters:
  ///   - address: The post's identity, an alias of it, or the address at which people open it.
  ///   - sources: The sources whose posts may have it.
  /// - Throws: `StorageError` if the library cannot be read.
  func post(at address: String, of sources: [SourceName]) throws(StorageError) -> Int64?

  /// A post with everything that the library has of it; nil if no post has the number.
  func post(_ id: Int64) throws(StorageError) -> WholePost?

  /// Counts everything. The cost grows with the library.
  func stats() throws(StorageError) -> LibraryStats

  /// How many posts of a list are not deleted; 0 for an unknown tag, author or feed.
  func count(of total: PostTotal) throws(StorageError) -> Int
}
