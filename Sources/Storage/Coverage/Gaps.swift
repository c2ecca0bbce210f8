import Coverage
import FoundationEssentials
import Machine
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
  package let ends: InnerGap.ID?
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
      try (feed.map { try [FeedRow($0, in: db)].compactMap(\.self) } ?? FeedRow.all(in: db))
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

  static func all(in db: Database) throws -> [FeedRow] {
    try db.rows("SELECT id, source, kind, value, server FROM feed ORDER BY name") { row -> FeedRow? in
      let id: Int64 = try row["id"]
      return try Feed(row).map { FeedRow(id: id, feed: $0) }
    }.compactMap(\.self)
  }
}

extension FeedRow {
  /// The row of a feed; nil if the library does not know it.
  init?(_ feed: Feed, in db: Database) throws {
    guard let id: Int64 = try db.value("SELECT id FROM feed WHERE name = $1", [feed.name]) else { return nil }
    self.init(id: id, feed: feed)
  }
}

/// Reads the gaps of one feed.
struct GapReader {
  let db: Database
  let row: FeedRow
  let isRunning: Bool

  /// The feed's coverage intervals, newest first.
  func intervals() throws -> [CoverageInterval] {
    try CoverageInterval.all("feed = $1 AND heir_place IS NULL ORDER BY id DESC", [row.id], in: db)
  }

  func gaps() throws -> [Gap] {
    let pulls = try UnfinishedPull.all(of: row.id, in: db).filter { try !isRunning && !$0.isCovered(in: db) }
    return try MissingPart.all(between: intervals(), and: pulls).map(gap)
  }

  private func gap(_ missing: MissingPart) throws -> Gap {
    let from = try missing.lower?.end(.up, in: db)?.moment
    let to = try missing.upper?.end(.down, in: db)?.moment
    var ends: InnerGap.ID?
    if let upper = missing.upper, let lower = missing.lower {
      ends = InnerGap.ID(upper: try upper.root(in: db).id, lower: try lower.root(in: db).id)
    }
    return Gap(
      feed: row.feed, kind: missing.isUnfinished ? .unfinished : .gap, above: missing.upper?.oldest,
      below: missing.lower?.newest, from: from.flatMap(UTC.date) ?? missing.since, to: to.flatMap(UTC.date), ends: ends)
  }
}
