import FoundationEssentials
import Machine
import MediaLibrary

/// The calendar of a list: a month with the number of posts of each day, and the hours of the selected day.
struct CalendarScreen: Sendable, Equatable {
  private let localCalendar: LocalCalendar
  /// The selected day.
  private(set) var day: DateInterval
  /// The days of its month.
  private(set) var days: [DateInterval]
  /// The number of posts of each day, once counted.
  private(set) var counts: [Date: Total] = [:]
  /// The number of posts of the whole month, once counted.
  private(set) var total: Total?
  /// Whether the counts are those of the month as it is now.
  private var isCounted = false
  /// The hours of the selected day.
  var table: DayTable
  /// Whether keys go to the hours; otherwise to the month.
  var isInDay = false

  /// The maximum number of posts shown for one hour.
  private static let mostOfHour = 200

  /// The month that contains a date; the date's day is selected.
  init(_ localCalendar: LocalCalendar, at moment: Date) {
    self.localCalendar = localCalendar
    day = localCalendar.day(of: moment)
    days = localCalendar.days(ofMonthOf: day)
    table = DayTable(day, localCalendar)
  }

  /// The hours, if keys go to them.
  var opened: DayTable? { isInDay ? table : nil }

  /// What has to be read to show the calendar.
  var request: CalendarRequest {
    CalendarRequest(days: isCounted ? [] : days, hours: table.hours, rows: Self.mostOfHour)
  }

  /// The index of the selected day in its month.
  var selectedIndex: Int { days.firstIndex(of: day) ?? 0 }

  /// The weekday of each day of the month; Monday is 0.
  var weekdays: [Int] { days.map(localCalendar.weekday) }

  /// Applies an answer. Ignores what earlier requests asked for.
  mutating func handle(_ answer: CalendarAnswer) {
    if answer.hours.map(\.interval) == table.hours { table.handle(answer.hours) }
    if answer.days.map(\.interval) == days {
      counts = Dictionary(uniqueKeysWithValues: answer.days.map { ($0.interval.start, $0.count) })
      (total, isCounted) = (answer.days.total, true)
    }
  }

  /// Forgets that the counts are current, because the list changed.
  mutating func expire() { isCounted = false }

  /// Selects the day this many days later.
  mutating func move(days count: Int) { select(localCalendar.day(count, after: day)) }

  /// Selects the day this many months later.
  mutating func move(months count: Int) { select(localCalendar.month(count, after: day)) }

  /// Selects the day that contains a date.
  mutating func select(_ moment: Date) { select(localCalendar.day(of: moment)) }

  /// Selects the day before or after, with the cursor in its last or first hour: the hours are one long table.
  mutating func scroll(days count: Int) {
    move(days: count)
    table = DayTable(day, localCalendar, from: count < 0 ? .lastHour : .firstHour)
  }

  private mutating func select(_ next: DateInterval) {
    guard next != day else { return }
    day = next
    table = DayTable(next, localCalendar)
    if !days.contains(next) {
      days = localCalendar.days(ofMonthOf: next)
      (counts, total, isCounted) = ([:], nil, false)
    }
  }
}
