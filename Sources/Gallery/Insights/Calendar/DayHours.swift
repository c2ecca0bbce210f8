import FoundationEssentials
import Machine
import Storage
import Wording

/// A day of a list, hour by hour: entries with a length as blocks over their hours, all other posts in the hour of their time.
struct DayHours: Sendable {
  /// An hour as a clock shows it.
  struct Hour: Sendable {
    let interval: DateInterval
    /// `14:00–15:00`.
    let label: String
    /// The posts without a length, oldest first.
    let posts: [StoredPost]
    /// The number of posts that are not read.
    let rest: Int
    /// The lines of the blocks, side by side.
    let lines: [HourTable.Line]

    /// Whether nothing is in it.
    var isEmpty: Bool { posts.isEmpty && rest == 0 && lines.isEmpty }
  }

  let day: DateInterval
  let hours: [Hour]
  /// The entries with a length.
  let entries: [StoredPost]
  /// Where they stand.
  let table: HourTable
  /// The number of posts that begin in the day.
  let begun: Int

  /// The maximum number of posts of an hour.
  static let limit = 40

  /// Reads a day.
  init(_ day: DateInterval, of list: PostListQuery, in zone: TimeZone, from store: Store) throws {
    self.day = day
    let localCalendar = LocalCalendar(zone: zone)
    let intervals = localCalendar.hours(of: day)
    let readings = try store.overlaps(of: list, within: intervals, atMost: Self.limit)
    var seen: Set<Int64> = []
    let entries = readings.flatMap { $0.continued + $0.begun.reversed() }
      .filter { $0.span != nil && seen.insert($0.id).inserted }
    let table = HourTable(hours: intervals, entries: entries.compactMap(\.span))
    (self.entries, self.table) = (entries, table)
    begun = readings.reduce(0) { $0 + $1.count.known - $1.continuedCount }
    let labels = localCalendar.labels(of: intervals)
    hours = intervals.indices.map { index in
      let reading = readings[index]
      return Hour(
        interval: intervals[index], label: labels[index], posts: reading.begun.reversed().filter { $0.span == nil },
        rest: reading.count.known - reading.begun.count - reading.continuedCount, lines: table.lines[index])
    }
  }
}

extension StoredPost {
  /// When it begins and ends; nil if it has no length.
  var span: DateInterval? { endsAt.flatMap { $0 > createdAt ? DateInterval(start: createdAt, end: $0) : nil } }
}

extension ListTotal {
  /// The number that was counted.
  var known: Int {
    switch self {
    case .exactly(let count), .moreThan(let count): count
    }
  }

  /// `1.2k`, `10k+`.
  var brief: String { NumberText.brief(known) + (isMore ? "+" : "") }

  /// `1,234`, `10,000+`.
  var grouped: String { NumberText.grouped(known) + (isMore ? "+" : "") }

  /// The number, if all were counted.
  var exact: Int? { isMore ? nil : known }

  /// `128 posts`, `more than 10,000 posts`.
  var words: String { (isMore ? "more than " : "") + NumberText.count(known, "post") }

  private var isMore: Bool { if case .moreThan = self { true } else { false } }
}
