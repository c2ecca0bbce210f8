import Foundation
import Posts

/// The days of a place, which are not all equally long.
struct Days {
  private let calendar: Calendar

  init(in zone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
  }

  /// A day: `2026-11-21`, and its first moment and that of the next day, as they stand in the rows.
  struct Day: Equatable {
    let name: String
    let stint: Stint
  }

  /// The day in which a moment, as it stands in the rows, falls; nil where it is no moment.
  func day(of moment: String) -> Day? {
    guard let date = UTC.date(moment), let interval = calendar.dateInterval(of: .day, for: date) else { return nil }
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    guard let year = parts.year, let month = parts.month, let day = parts.day else { return nil }
    let name = "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    return Day(name: name, stint: Stint(interval))
  }

  private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}
