import Foundation
import Posts
import Storage

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func months(of list: PostListQuery, in zone: TimeZone) throws(StorageError) -> [PostMonth] {
    try below.months(of: list, in: zone).map {
      PostMonth(year: $0.year, month: $0.month, interval: $0.interval, count: $0.count)
    }
  }

  public func tagCounts(
    containing part: String, by order: CountOrder, after key: CountKey?, limit: Int
  ) throws(StorageError) -> [TagCount] {
    try below.tagCounts(containing: part, by: order, after: key, limit: limit).map(\.copy)
  }

  public func plannedCounts(after moment: Date) throws(StorageError) -> PlannedCounts {
    try below.plannedCounts(after: moment)
  }

  public func authorCounts(
    containing part: String, by order: CountOrder, after key: CountKey?, limit: Int
  ) throws(StorageError) -> [AuthorCount] {
    try below.authorCounts(containing: part, by: order, after: key, limit: limit).map(\.copy)
  }

  public func coverage(of feed: Feed, isRunning: (Feed) -> Bool) throws(StorageError) -> FeedCoverage {
    let coverage = try below.coverage(of: feed, isRunning: isRunning)
    return FeedCoverage(
      feed: coverage.feed,
      intervals: coverage.intervals.map {
        FeedCoverage.Interval(from: $0.from, to: $0.to, reachesEnd: $0.reachesEnd, pulledAt: $0.pulledAt)
      },
      gaps: coverage.gaps.map(\.copy))
  }

  public func blobTotals() throws(StorageError) -> BlobTotals { try below.blobTotals() }

  public func statistics(_ query: StatisticsQuery) throws(StorageError) -> LibraryStatistics {
    let found = try below.statistics(query)
    return LibraryStatistics(
      length: found.length,
      posts: found.posts.map { LibraryStatistics.Posts(period: $0.period, counts: $0.counts) },
      tags: found.tags.map(\.copy), authors: found.authors.map(\.copy),
      growth: found.growth.map { LibraryStatistics.Growth(month: $0.month, blobs: $0.blobs, bytes: $0.bytes) })
  }
}

extension TagCount {
  fileprivate var copy: TagCount { TagCount(name: name, count: count, key: key) }
}

extension AuthorCount {
  fileprivate var copy: AuthorCount { AuthorCount(author: author, count: count, key: key) }
}
