import FoundationEssentials
import Machine
import SQLite
import Synchronization

/// The month of each post of a library in SQLite, in memory: two bytes a post.
///
/// A search has the numbers of its posts at once. To read the row of each for its moment takes ten times longer.
final class PostMonthIndex: Sendable {
  /// The months of one snapshot.
  struct Months {
    fileprivate var position: ChangePosition
    fileprivate let zone: TimeZone
    fileprivate var sums: PeriodSums
    /// By a post's number, one more than the index of its month; 0 where there is no post.
    fileprivate var indexes: [UInt16] = []

    fileprivate init(at position: ChangePosition, by periods: Periods) {
      (self.position, zone, sums) = (position, periods.zone, PeriodSums(by: periods))
    }

    /// How many posts are in each month, newest first.
    ///
    /// - Parameter numbers: A query of their numbers.
    func counts(of numbers: Clause, in connection: Connection) throws -> [PeriodCounts.Count] {
      var counts = [Int](repeating: 0, count: sums.all.count + 1)
      try connection.eachNumber(numbers.sql, numbers.arguments) { number in
        if indexes.indices.contains(Int(number)) { counts[Int(indexes[Int(number)])] += 1 }
      }
      return zip(sums.all, counts.dropFirst()).map { PeriodCounts.Count(period: $0, posts: $1) }
        .filter { $0.posts > 0 }.sorted { $0.period.start > $1.period.start }
    }

    /// Forgets the months of posts.
    ///
    /// - Parameter numbers: A query of their numbers.
    mutating func leaveOut(_ numbers: Clause, in connection: Connection) throws {
      try connection.eachNumber(numbers.sql, numbers.arguments) { number in
        if indexes.indices.contains(Int(number)) { indexes[Int(number)] = 0 }
      }
    }

    fileprivate mutating func grow(to newest: Int) {
      indexes += [UInt16](repeating: 0, count: max(newest + 1 - indexes.count, 0))
    }

    /// Records the months of posts.
    ///
    /// - Parameter posts: A query of their `id` and `created_at`.
    /// - Returns: False if a number is no post's, or if there are more months than an index can tell.
    fileprivate mutating func record(_ posts: Clause, in db: Database) throws -> Bool {
      var isComplete = true
      try db.rows(posts) { row in
        let (id, moment): (Int64, String) = try (row["id"], row["created_at"])
        let index = sums.index(of: moment).map { $0 + 1 } ?? 0
        guard indexes.indices.contains(Int(id)), index <= UInt16.max else { return isComplete = false }
        indexes[Int(id)] = UInt16(index)
      }
      return isComplete
    }
  }

  private let writer: any StoreConnections
  private let known = Mutex<Months?>(nil)

  /// Numbers of removed posts are not filled again: a library that lost most of its posts would take memory for all of them.
  private static let highest = 50_000_000

  /// A search that fewer posts match reads their rows: that takes no longer than the months of all posts.
  let least: Int

  init(of writer: any StoreConnections, least: Int = 20_000) { (self.writer, self.least) = (writer, least) }

  /// The months as a snapshot has them; nil where the posts' numbers are too high, or their months too many.
  func months(by periods: Periods, in db: Database) throws -> Months? {
    let newest = try db.value("SELECT coalesce(max(id), 0) FROM post") ?? 0
    guard newest <= Self.highest else { return nil }
    let log = PositionReader(db, of: writer)
    var months = Months(at: try log.current(), by: periods)
    var changed: Set<Int64>?
    if let before = known.withLock({ $0 }), before.zone == periods.zone {
      guard let changes = try log.changes(after: before.position) else { return before }
      if case .posts(let posts, _) = changes.change { (months, changed) = (before, posts) }
      months.position = changes.position
    }
    let only: Clause = changed.map { "\(db.each)(\(bind: $0.sorted().jsonList)) j \(db.crossJoin) " } ?? ""
    let posts: Clause = "SELECT p.id, p.created_at FROM \(only)post p\(changed == nil ? "" : " ON p.id = j.value")"
    months.grow(to: newest)
    guard try months.record(posts, in: db) else { return nil }
    known.withLock { [months] in $0 = months }
    return months
  }
}
