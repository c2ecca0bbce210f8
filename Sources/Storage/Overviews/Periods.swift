import FoundationEssentials
import Machine

/// The length of the periods by which something is counted.
public enum PeriodLength: String, Sendable, Hashable, CaseIterable {
  /// Days of a time zone.
  case day
  /// Weeks that begin on Monday.
  case week
  /// Months.
  case month
}

/// Days, weeks or months of a time zone. They differ in length.
struct Periods {
  let length: PeriodLength
  let zone: TimeZone
  private let calendar: ZoneCalendar

  init(of length: PeriodLength, in zone: TimeZone) {
    (self.length, self.zone, calendar) = (length, zone, ZoneCalendar(zone))
  }

  /// The period that contains a moment.
  func period(of moment: Date) -> DateInterval {
    switch length {
    case .day: calendar.day(of: moment)
    case .week: week(of: moment)
    case .month: calendar.month(of: moment)
    }
  }

  func reading(of moment: Date) -> ZoneCalendar.Reading { calendar.reading(of: moment) }

  private func week(of moment: Date) -> DateInterval {
    let day = calendar.day(of: moment)
    // Sunday is 1. Days are counted from one noon to another: no clock changes at noon.
    let sinceMonday = (calendar.reading(of: day.start).weekday + 5) % 7
    let noon = day.start + day.duration / 2
    let start = calendar.moment(-sinceMonday, .day, after: noon).map { calendar.day(of: $0).start } ?? day.start
    let end = calendar.moment(7 - sinceMonday, .day, after: noon).map { calendar.day(of: $0).start } ?? day.end
    return DateInterval(start: min(start, day.start), end: max(end, day.end))
  }
}

/// Sums by period, of moments in any order.
struct PeriodSums {
  /// What is known of a period.
  struct Sum {
    let period: DateInterval
    var count = 0
    var amount = 0
  }

  private let periods: Periods
  private var sums: [Sum] = []
  private var ranges: [TimeRange] = []
  /// The periods that moments of a day of UTC were in, by index.
  private var indexes: [String: [Int]] = [:]
  /// Most moments are in the period of the one before.
  private var last = 0

  init(by periods: Periods) { self.periods = periods }

  /// The periods, each at its index.
  var all: [DateInterval] { sums.map(\.period) }

  /// The sums, newest first.
  var newestFirst: [Sum] { sums.sorted { $0.period.start > $1.period.start } }

  /// Adds a stored moment. Text that is no moment is ignored.
  mutating func add(_ moment: String, count: Int = 1, amount: Int = 0) {
    guard let index = index(of: moment) else { return }
    sums[index].count += count
    sums[index].amount += amount
  }

  /// The index of a stored moment's period; nil if the text is no moment.
  mutating func index(of moment: String) -> Int? {
    if ranges.indices.contains(last), ranges[last].contains(moment) { return last }
    guard let index = search(for: moment) else { return nil }
    last = index
    return index
  }

  private mutating func search(for moment: String) -> Int? {
    let day = String(moment.prefix(10))
    if let known = indexes[day]?.first(where: { ranges[$0].contains(moment) }) { return known }
    guard let date = UTC.date(moment) else { return nil }
    let period = periods.period(of: date)
    let range = TimeRange(period)
    let index = ranges.firstIndex(of: range) ?? ranges.endIndex
    if index == ranges.endIndex {
      ranges.append(range)
      sums.append(Sum(period: period))
    }
    indexes[day, default: []].append(index)
    return index
  }
}
