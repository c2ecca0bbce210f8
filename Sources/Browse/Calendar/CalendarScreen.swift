import FoundationEssentials
import MediaLibrary
import Posts

/// The calendar of a list: a month with the number of posts of each day, and the opened day.
struct CalendarScreen: Sendable, Equatable {
  private let almanac: LocalCalendar
  /// The selected day.
  private(set) var day: DateInterval
  /// The days of its month.
  private(set) var days: [DateInterval]
  /// The number of posts of each day, once counted.
  private(set) var counts: [Date: Total] = [:]
  /// The posts of the selected day; nil if no day is open.
  var opened: DayView?

  /// The maximum number of posts shown for one hour.
  private static let mostOfHour = 200

  /// The month that contains a date; the date's day is selected.
  init(_ almanac: LocalCalendar, at moment: Date) {
    self.almanac = almanac
    day = almanac.day(of: moment)
    days = almanac.days(ofMonthOf: day)
  }

  /// What has to be read to show the calendar.
  var request: CalendarRequest {
    opened.map { CalendarRequest($0.hours.map(\.interval), rows: Self.mostOfHour) } ?? CalendarRequest(days)
  }

  /// The number of posts of the whole month, as far as counted.
  var total: Total? { counts.isEmpty ? nil : days.compactMap { counts[$0.start] }.reduce(.exactly(0), +) }

  /// The index of the selected day in its month.
  var selectedIndex: Int { days.firstIndex(of: day) ?? 0 }

  /// The weekday of each day of the month; Monday is 0.
  var weekdays: [Int] { days.map(almanac.weekday) }

  /// Applies a reading. Ignores answers to earlier requests.
  mutating func handle(_ readings: [CalendarReading]) {
    let intervals = readings.map(\.interval)
    if opened?.hours.map(\.interval) == intervals { opened?.handle(readings) }
    if intervals == days { counts = Dictionary(uniqueKeysWithValues: readings.map { ($0.interval.start, $0.count) }) }
  }

  /// Selects the day this many days later.
  mutating func move(days count: Int) { select(almanac.day(count, after: day)) }

  /// Selects the day this many months later.
  mutating func move(months count: Int) { select(almanac.month(count, after: day)) }

  /// Selects the day that contains a date.
  mutating func select(_ moment: Date) { select(almanac.day(of: moment)) }

  /// Opens the selected day.
  mutating func open() { opened = DayView(almanac.hours(of: day)) }

  private mutating func select(_ next: DateInterval) {
    day = next
    if !days.contains(next) {
      days = almanac.days(ofMonthOf: next)
      counts = [:]
    }
  }
}

/// A day with its hours and the posts of each hour, oldest first.
struct DayView: Sendable, Equatable {
  /// The content of one line.
  enum Line: Sendable, Equatable {
    /// An hour without posts.
    case hour(Int)
    /// A post, and whether it is the first shown post of its hour.
    case post(Int, ListRow, isFirst: Bool)
    /// The number of posts of an hour that are not shown.
    case more(Int, Total)
  }

  /// The hours, each with its newest posts.
  private(set) var hours: [CalendarReading]
  /// The selected post.
  private(set) var selected: Int64?
  /// The first visible line, unless the selected post needs another.
  private(set) var top = 0
  /// Whether the posts have been read.
  private(set) var isRead = false

  init(_ hours: [DateInterval]) { self.hours = hours.map { CalendarReading($0, count: .exactly(0)) } }

  /// The posts, oldest first.
  var rows: [ListRow] { hours.flatMap { $0.rows.reversed() } }

  /// The selected post.
  var row: ListRow? { selected.flatMap { id in rows.first { $0.id == id } } }

  /// The number of posts of the day.
  var total: Total { hours.map(\.count).reduce(.exactly(0), +) }

  /// The lines, from top to bottom.
  var lines: [Line] {
    hours.indices.flatMap { hour -> [Line] in
      let reading = hours[hour]
      guard !reading.rows.isEmpty else { return [.hour(hour)] }
      let left = reading.count.known - reading.rows.count
      let more: Total = if case .moreThan = reading.count { .moreThan(left) } else { .exactly(left) }
      let posts = reading.rows.reversed().enumerated().map { Line.post(hour, $1, isFirst: $0 == 0) }
      // The newest posts are shown; the older ones are left out.
      return left > 0 ? [.more(hour, more)] + posts : posts
    }
  }

  mutating func handle(_ readings: [CalendarReading]) {
    let before = rows.firstIndex { $0.id == selected }
    hours = readings
    isRead = true
    let rows = rows
    if !rows.contains(where: { $0.id == selected }) {
      selected = rows.isEmpty ? nil : rows[min(before ?? 0, rows.count - 1)].id
    }
  }

  /// Selects the post this many positions later, or scrolls if there is none.
  mutating func move(by count: Int, height: Int) {
    let rows = rows
    if let index = rows.firstIndex(where: { $0.id == selected }) {
      selected = rows[min(max(0, index + count), rows.count - 1)].id
    } else {
      top = min(max(0, top + count), max(0, lines.count - height))
    }
    settle(height: height)
  }

  /// Selects the post of a line. Returns whether there is one.
  mutating func select(line: Int) -> Bool {
    guard lines.indices.contains(line), case .post(_, let row, _) = lines[line] else { return false }
    selected = row.id
    return true
  }

  /// The first visible line that keeps the selected post visible, with the preceding hours if it is the first post.
  func start(height: Int) -> Int {
    let lines = lines
    let index = lines.firstIndex { if case .post(_, let row, _) = $0 { row.id == selected } else { false } }
    let bounded = min(top, max(0, lines.count - height))
    guard let index else { return bounded }
    return min(max(bounded, index - height + 1), index)
  }

  /// Stores the first visible line as drawn.
  mutating func settle(height: Int) { top = start(height: height) }
}
