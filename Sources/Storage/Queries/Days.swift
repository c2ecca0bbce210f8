import FoundationEssentials
import Machine

/// The days of a time zone. They differ in length.
struct Days {
  private let calendar: ZoneCalendar

  init(in zone: TimeZone) { calendar = ZoneCalendar(zone) }

  /// A day: its name, `2026-11-21`, its first moment and the first moment of the next day, as stored in rows.
  struct Day: Equatable {
    let name: String
    let timeRange: TimeRange
  }

  /// The day that contains a stored moment. Nil if the text is not a moment.
  func day(of moment: String) -> Day? {
    guard let date = UTC.date(moment) else { return nil }
    let parts = calendar.reading(of: date)
    let name = "\(parts.year.digits(4))-\(parts.month.digits(2))-\(parts.day.digits(2))"
    return Day(name: name, timeRange: TimeRange(calendar.day(of: date)))
  }
}
