import FoundationEssentials
import Posts

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
    let name = "\(padded(parts.year, to: 4))-\(padded(parts.month, to: 2))-\(padded(parts.day, to: 2))"
    return Day(name: name, timeRange: TimeRange(calendar.day(of: date)))
  }

  private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}
