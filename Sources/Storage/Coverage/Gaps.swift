import FoundationEssentials
import Posts
import Rows

/// A part of a feed that is known to be missing.
public struct Gap: Sendable, Hashable {
  /// Why it counts as missing.
  public enum Kind: String, Sendable {
    /// It lies between two coverage intervals.
    case gap
    /// A pull was to read it and did not reach its goal.
    case unfinished
  }

  /// The feed.
  public let feed: Feed
  /// Why it counts as missing.
  public let kind: Kind
  /// The server's id of the last item above it. Nil if it begins at the feed's top.
  public let above: String?
  /// The server's id of the first item below it. Nil if nothing below is known.
  public let below: String?
  /// When the item below it came. Without such an item, the date down to which a pull was to read.
  public let from: Date?
  /// When the item above it came.
  public let to: Date?
  /// `from` and `to`, the older first. In a server's order an older item may stand above a newer one.
  public var dates: (from: Date?, to: Date?) {
    guard let from, let to else { return (from, to) }
    return (min(from, to), max(from, to))
  }

  /// The intervals it lies between.
  package let ends: Ends?

  /// The numbers of two intervals in their store.
  package struct Ends: Sendable, Hashable {
    /// The interval above.
    package let upper: Int64
    /// The interval below.
    package let lower: Int64
  }
}

extension Store {
  /// The known gaps of a feed, or of all feeds, each feed's newest gap first.
  ///
  /// - Parameters:
  ///   - feed: The feed, or nil for all feeds.
  ///   - isRunning: Whether a pull of a feed is running. What it has yet to read is not missing.
  /// - Returns: The gaps, feeds by name.
  /// - Throws: `StorageError` if the library cannot be read.
  public func gaps(
    of feed: Feed? = nil,
    isRunning: (Feed) -> Bool = { _ in false }
  ) throws(StorageError) -> [Gap] {
    try read { db in
      try FeedRow.all(in: db, named: feed?.name)
        .flatMap { try GapReader(db: db, row: $0, isRunning: isRunning($0.feed)).gaps() }
    }
  }

  /// Every feed that was ever pulled or followed, by name.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func feeds() throws(StorageError) -> [Feed] { try read { try FeedRow.all(in: $0).map(\.feed) } }

  /// The numbers of feeds by their names. They stay as long as the feed is known.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func feedNumbers() throws(StorageError) -> [String: Int64] {
    try read { db in
      Dictionary(try FeedRow.all(in: db).map { ($0.feed.name, $0.id) }) { first, _ in first }
    }
  }
}

/// A feed and its number.
struct FeedRow {
  let id: Int64
  let feed: Feed

  private static let columns = "SELECT id, source, kind, value, server FROM feed"

  static func all(in db: Database, named name: String? = nil) throws -> [FeedRow] {
    let (rest, arguments): (String, Arguments) = name.map { ("WHERE name = $1", [$0]) } ?? ("ORDER BY name", [])
    return try db.rows("\(columns) \(rest)", arguments) { row -> FeedRow? in
      let id: Int64 = try row["id"]
      return try Feed(row).map { FeedRow(id: id, feed: $0) }
    }.compactMap(\.self)
  }
}

/// Reads the gaps of one feed.
struct GapReader {
  let db: Database
  let row: FeedRow
  let isRunning: Bool

  /// The feed's coverage intervals, newest first.
  func intervals() throws -> [CoverageInterval] {
    // New intervals open above all others, so their numbers are in the feed's order.
    let ids: [Int64] = try db.values(
      "SELECT id FROM coverage WHERE feed = $1 AND heir_place IS NULL ORDER BY id DESC", [row.id])
    return try ids.compactMap { try CoverageInterval.read($0, in: db) }
  }

  func gaps() throws -> [Gap] {
    let intervals = try intervals()
    let unfinished = try UnfinishedPull.all(of: row.id, in: db).filter { try !isRunning && !$0.isCovered(in: db) }
    var gaps: [Gap] = []
    if let pull = unfinished.first(where: { $0.interval == nil }) {
      gaps.append(try missing(above: intervals.first, since: pull.goal))
    }
    for (index, interval) in intervals.enumerated() {
      let lower = intervals[(index + 1)...].first
      var isReported = false
      for pull in unfinished where pull.interval?.id == interval.id {
        let isLowest = try pull.position(in: db)?.isLowest ?? true
        // Pulls that stopped at the same position share one gap.
        if isLowest, isReported { continue }
        let upper = pull.parts.last ?? interval
        let gap = try missing(below: upper, lower: isLowest ? lower : nil, of: .unfinished, since: pull.goal)
        if !gaps.contains(gap) { gaps.append(gap) }
        isReported = isReported || isLowest
      }
      if !isReported, let lower, !interval.isLinked(with: lower) {
        gaps.append(try missing(below: interval, lower: lower, of: .gap, since: PullGoal()))
      }
    }
    return gaps
  }

  /// The gap of a pull that stored nothing.
  private func missing(above lower: CoverageInterval?, since goal: PullGoal) throws -> Gap {
    let moment = try lower?.top(in: db)?.moment
    return Gap(
      feed: row.feed,
      kind: .unfinished,
      above: nil,
      below: lower?.newest,
      from: moment.flatMap(UTC.date) ?? goal.since,
      to: nil,
      ends: nil
    )
  }

  private func missing(below upper: CoverageInterval, lower: CoverageInterval?, of kind: Gap.Kind, since goal: PullGoal)
    throws -> Gap
  {
    let from = try lower?.top(in: db)?.moment
    return Gap(
      feed: row.feed,
      kind: kind,
      above: upper.oldest,
      below: lower?.newest,
      from: from.flatMap(UTC.date) ?? goal.since,
      to: try upper.bottom(in: db).flatMap { UTC.date($0.moment) },
      ends: try lower.map { Gap.Ends(upper: try upper.root(in: db).id, lower: try $0.root(in: db).id) }
    )
  }
}
