import Blobs
import Foundation
import Posts
import Storage

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func changes(startsWithEverything: Bool) -> AsyncThrowingStream<LibraryChange, any Error> {
    relay(below.changes(startsWithEverything: startsWithEverything)) { $0 }
  }

  public func changePosition() throws(StorageError) -> ChangePosition { try below.changePosition() }

  public func countChanges(after position: ChangePosition) throws(StorageError) -> Int? {
    try below.countChanges(after: position)
  }

  public func countChanges(since date: Date) throws(StorageError) -> Int { try below.countChanges(since: date) }

  public func changes(after position: ChangePosition?) -> AsyncThrowingStream<PositionedChange, any Error> {
    relay(below.changes(after: position)) { PositionedChange(change: $0.change, position: $0.position) }
  }

  public func key(ofPost id: Int64) throws(StorageError) -> PostKey? { try below.key(ofPost: id)?.copy }

  public func observe(
    _ list: PostListQuery, around anchor: PostKey?, before: Int, after: Int
  ) -> AsyncThrowingStream<PostWindowReading, any Error> {
    relay(below.observe(list, around: anchor, before: before, after: after), \.copy)
  }

  private func relay<Value: Sendable>(
    _ stream: AsyncThrowingStream<Value, any Error>, _ copy: @escaping @Sendable (Value) -> Value
  ) -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream {
      // All iterators of the stream share the same elements.
      var elements = stream.makeAsyncIterator()
      return try await elements.next().map(copy)
    }
  }

  public func timeRanges(
    of list: PostListQuery, within intervals: [DateInterval], atMost limit: Int
  ) throws(StorageError) -> [PostTimeRange] {
    try below.timeRanges(of: list, within: intervals, atMost: limit).map(\.copy)
  }

  public func overlaps(
    of list: PostListQuery, within intervals: [DateInterval], atMost limit: Int
  ) throws(StorageError) -> [PostOverlap] {
    try below.overlaps(of: list, within: intervals, atMost: limit).map(\.copy)
  }

  public func lastKey(of list: PostListQuery) throws(StorageError) -> PostKey? { try below.lastKey(of: list)?.copy }

  public func window(
    _ list: PostListQuery, around anchor: PostKey?, before: Int, after: Int
  ) throws(StorageError) -> PostWindowReading {
    try below.window(list, around: anchor?.copy, before: before, after: after).copy
  }

  public func deletedPosts(of list: PostListQuery) throws(StorageError) -> [Int64] { try below.deletedPosts(of: list) }

  public func latestTags() throws(StorageError) -> [String] { try below.latestTags() }

  public func tagNames(beginningWith prefix: String, limit: Int) throws(StorageError) -> [String] {
    try below.tagNames(beginningWith: prefix, limit: limit)
  }

  public func authorHandles(beginningWith prefix: String, limit: Int) throws(StorageError) -> [String] {
    try below.authorHandles(beginningWith: prefix, limit: limit)
  }

  public func members(of list: PostListQuery) throws(StorageError) -> RangeSet<Int> { try below.members(of: list) }

  public func members(
    of list: PostListQuery, among posts: Set<Int64>, byAuthors authors: Set<Int64>
  ) throws(StorageError) -> Set<Int64> {
    try below.members(of: list, among: posts, byAuthors: authors)
  }

  public func posts(numbered numbers: some Collection<Int64> & Sendable) throws(StorageError) -> [StoredPost] {
    try below.posts(numbered: numbers).map(\.copy)
  }

  public func posts(_ query: PostQuery) throws(StorageError) -> [StoredPost] { try below.posts(query).map(\.copy) }

  public func plannedPosts(
    of list: PostListQuery, at moment: Date, limit: Int?
  ) throws(StorageError) -> [StoredPost] {
    try below.plannedPosts(of: list, at: moment, limit: limit).map(\.copy)
  }

  public func begunPosts(after start: Date, upTo end: Date) throws(StorageError) -> [Int64] {
    try below.begunPosts(after: start, upTo: end)
  }

  public func eachPost(_ query: PostQuery, _ body: (StoredPost) throws -> Void) throws {
    try below.eachPost(query) { try body($0.copy) }
  }

  public func post(at address: String, of sources: [SourceName]) throws(StorageError) -> Int64? {
    try below.post(at: address, of: sources)
  }

  public func post(_ id: Int64) throws(StorageError) -> WholePost? { try below.post(id)?.copy }

  public func stats() throws(StorageError) -> LibraryStats { try below.stats().copy }

  public func count(of total: PostTotal) throws(StorageError) -> Int { try below.count(of: total) }
}
