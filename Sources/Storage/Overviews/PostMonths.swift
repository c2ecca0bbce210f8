import FoundationEssentials

/// A month in which a list has posts.
public struct PostMonth: Sendable, Hashable {
  /// The year.
  public let year: Int
  /// The month, from 1.
  public let month: Int
  /// The month in its time zone, its end excluded.
  public let interval: DateInterval
  /// How many posts the list has in it.
  public let count: Int
}

extension Store {
  /// The months in which a list has posts, newest first.
  ///
  /// The cost grows with the list, by some fifty nanoseconds a post. That of a list with several conditions and of deleted
  /// posts is some microseconds a post. For a search in SQLite that many posts match, the months of all posts are kept in
  /// memory, two bytes for each.
  ///
  /// - Parameters:
  ///   - list: The list; its grouping does not matter.
  ///   - zone: The time zone of the months.
  /// - Throws: `StorageError` if the library cannot be read.
  public func months(of list: PostListQuery, in zone: TimeZone) throws(StorageError) -> [PostMonth] {
    try read { db in
      guard let predicate = try PostPredicate(list, in: db) else { return [] }
      let periods = Periods(of: .month, in: zone)
      return try PeriodCounts(periods: periods, months: postMonths).counts(of: predicate, in: db).map { count in
        let reading = periods.reading(of: count.period.start)
        return PostMonth(year: reading.year, month: reading.month, interval: count.period, count: count.posts)
      }
    }
  }
}
