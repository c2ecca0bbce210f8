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
    let labels = Self.labels(of: intervals, in: zone)
    hours = zip(intervals, zip(labels, readings)).map { Hour(interval: $0, label: $1.0, posts: $1.1) }
  }

  /// The hours as ranges. When clocks go back, an hour comes twice: the offset from UTC tells the two apart.
  static func labels(of hours: [DateInterval], in zone: TimeZone) -> [String] {
    let almanac = LocalCalendar(zone: zone)
    let plain = hours.map { hour in
      let start = almanac.time(hour.start)
      return "\(start)–\(clock(start, plus: hour.duration))"
    }
    return zip(hours, plain).map { hour, label in
      let isRepeated = plain.count { $0.prefix(5) == label.prefix(5) } > 1
      return isRepeated ? "\(label) \(offset(ZoneCalendar(zone).offset(at: hour.start)))" : label
    }
  }

  /// What a clock shows at the end of an hour before it is changed.
  private static func clock(_ start: String, plus duration: TimeInterval) -> String {
    let parts = start.split(separator: ":").compactMap { Int($0) }
    let minutes = parts[0] * 60 + parts[1] + Int((duration / 60).rounded())
    return [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// `UTC+2`, `UTC−3:30`.
  private static func offset(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    let rest = minutes % 60 == 0 ? "" : ":\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    return "UTC\(seconds < 0 ? "−" : "+")\(minutes / 60)\(rest)"
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
