import Coverage
import FoundationEssentials
import Machine
import Posts

/// What of a feed is complete, and what is missing.
public struct FeedCoverage: Sendable, Hashable {
  /// A contiguous part of the feed of which nothing is missing.
  public struct Interval: Sendable, Hashable {
    /// The earlier of the dates of its lowest and its highest item.
    public let from: Date
    /// The later of the two.
    public let to: Date
    /// Whether the feed has nothing below it. If false, its lower end is open: older items may exist.
    public let reachesEnd: Bool
    /// When a pull last read it. Whatever came later is above it.
    public let pulledAt: Date
  }

  /// The feed.
  public let feed: Feed
  /// The intervals, newest first. Above the first one the feed is open: it may have brought more since.
  public let intervals: [Interval]
  /// The gaps and the unfinished pulls, newest first.
  public let gaps: [Gap]

  /// When a pull last read a part that is complete; nil if none is.
  package var pulledAt: Date? { intervals.map(\.pulledAt).max() }
}

extension Follow {
  /// The followed feed, of which a pull by hand may have read the newest posts before any harvest did.
  package func noting(_ coverage: FeedCoverage?) -> Follow {
    var follow = self
    follow.schedule.pulledAt = schedule.pulledAt ?? coverage?.pulledAt
    return follow
  }
}

extension Store {
  /// What of a feed is complete, and what is missing. A feed that was never pulled has nothing of either.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - isRunning: Whether a pull of a feed is running. What it has yet to read is not missing.
  /// - Throws: `StorageError` if the library cannot be read.
  public func coverage(
    of feed: Feed, isRunning: (Feed) -> Bool = { _ in false }
  ) throws(StorageError) -> FeedCoverage {
    try read { db in
      guard let row = try FeedRow(feed, in: db) else {
        return FeedCoverage(feed: feed, intervals: [], gaps: [])
      }
      let reader = GapReader(db: db, row: row, isRunning: isRunning(feed))
      return FeedCoverage(feed: feed, intervals: try reader.drawn(), gaps: try reader.gaps())
    }
  }
}

extension GapReader {
  /// The intervals with their dates. Linked ones are one.
  fileprivate func drawn() throws -> [FeedCoverage.Interval] { try intervals().linked.compactMap(drawn) }

  private func drawn(_ parts: [CoverageInterval]) throws -> FeedCoverage.Interval? {
    guard let upper = parts.first, let lower = parts.last,
      let to = try upper.end(.up, in: db).flatMap({ UTC.date($0.moment) }),
      let from = try lower.end(.down, in: db).flatMap({ UTC.date($0.moment) })
    else { return nil }
    let pulls = try parts.compactMap { part in
      let moment: String? = try db.value("SELECT walked_at FROM coverage WHERE id = $1", [part.id])
      return moment.flatMap(UTC.date)
    }
    return FeedCoverage.Interval(
      from: min(from, to), to: max(from, to), reachesEnd: lower.reachedEnd, pulledAt: pulls.max() ?? .distantPast)
  }
}
