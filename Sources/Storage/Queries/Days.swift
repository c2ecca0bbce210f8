import Foundation
import Posts

/// The days of a time zone. They differ in length.
struct Days {
  private let calendar: Calendar

  init(in zone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
  }

  /// A day: its name, `2026-11-21`, its first moment and the first moment of the next day, as stored in rows.
  struct Day: Equatable {
    let name: String
    let timeRange: TimeRange
  }

  /// The day that contains a stored moment. Nil if the text is not a moment.
  func day(of moment: String) -> Day? {
    guard let date = UTC.date(moment), let interval = calendar.dateInterval(of: .day, for: date) else { return nil }
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    guard let year = parts.year, let month = parts.month, let day = parts.day else { return nil }
    let name = "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    return Day(name: name, timeRange: TimeRange(interval))
  }

  private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}
