import Foundation

/// The days and hours of a time zone. Their lengths vary when clocks change.
struct LocalCalendar: Sendable, Equatable {
  private let calendar: Calendar
  private let zone: TimeZone

  init(zone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    (self.calendar, self.zone) = (calendar, zone)
  }

  /// The day that contains a date.
  func day(of moment: Date) -> DateInterval {
    calendar.dateInterval(of: .day, for: moment) ?? DateInterval(start: moment, duration: 86_400)
  }

  /// The day that is this many days later.
  func day(_ days: Int, after day: DateInterval) -> DateInterval { moved(day, .day, days) }

  /// The same day this many months later, or the last day of a shorter month.
  func month(_ months: Int, after day: DateInterval) -> DateInterval { moved(day, .month, months) }

  /// The days of the month that contains a day.
  func days(ofMonthOf day: DateInterval) -> [DateInterval] {
    guard let month = calendar.dateInterval(of: .month, for: day.start) else { return [day] }
    var days: [DateInterval] = []
    var next = self.day(of: month.start)
    while next.start < month.end, days.count < 31 {
      days.append(next)
      next = self.day(of: next.end)
    }
    return days
  }

  /// The hours of a day as a clock shows them. On a day of a clock change an hour can be missing, repeated or shorter.
  func hours(of day: DateInterval) -> [DateInterval] {
    var hours: [DateInterval] = []
    var start = day.start
    while start < day.end, hours.count < 50 {
      let local = Int(start.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: start)
      let into = (local % 3600 + 3600) % 3600
      let end = min(start.addingTimeInterval(Double(3600 - into)), day.end)
      hours.append(DateInterval(start: start, end: end))
      start = end
    }
    return hours
  }

  /// The weekday of a day; Monday is 0.
  func weekday(_ day: DateInterval) -> Int { (calendar.component(.weekday, from: day.start) + 5) % 7 }

  /// The day of the month.
  func number(_ day: DateInterval) -> Int { calendar.component(.day, from: day.start) }

  /// `November 2026`.
  func month(of day: DateInterval) -> String {
    let parts = calendar.dateComponents([.year, .month], from: day.start)
    return "\(DateText.months[((parts.month ?? 1) - 1) % 12]) \(parts.year ?? 0)"
  }

  /// `24 Nov 14:05`.
  func short(_ moment: Date) -> String {
    let parts = calendar.dateComponents([.month, .day], from: moment)
    return "\(parts.day ?? 1) \(DateText.months[((parts.month ?? 1) - 1) % 12].prefix(3)) \(time(moment))"
  }

  /// `14:05`.
  func time(_ moment: Date) -> String {
    let parts = calendar.dateComponents([.hour, .minute], from: moment)
    return [parts.hour ?? 0, parts.minute ?? 0].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  private func moved(_ day: DateInterval, _ unit: Calendar.Component, _ count: Int) -> DateInterval {
    // Starts at noon: no clock change moves noon into another day.
    let middle = day.start.addingTimeInterval(day.duration / 2)
    return calendar.date(byAdding: unit, value: count, to: middle).map(self.day) ?? day
  }
}
