import FoundationEssentials
import Posts
import Storage

/// A day of a list, hour by hour.
struct DayHours: Sendable {
  /// An hour as a clock shows it.
  struct Hour: Sendable {
    let interval: DateInterval
    /// `14:00–15:00`.
    let label: String
    let posts: PostTimeRange
  }

  let day: DateInterval
  let hours: [Hour]

  /// The maximum number of posts of an hour.
  static let limit = 40

  /// Reads a day.
  init(_ day: DateInterval, of list: PostListQuery, in zone: TimeZone, from store: any LibraryStore) throws {
    self.day = day
    let intervals = LocalCalendar(zone: zone).hours(of: day)
    let readings = try store.timeRanges(of: list, within: intervals, atMost: Self.limit)
    let labels = LocalCalendar(zone: zone).labels(of: intervals)
    hours = zip(intervals, zip(labels, readings)).map { Hour(interval: $0, label: $1.0, posts: $1.1) }
  }
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

  /// `128 posts`, `more than 10,000 posts`.
  var words: String { (isMore ? "more than " : "") + NumberText.count(known, "post") }

  private var isMore: Bool { if case .moreThan = self { true } else { false } }
}
