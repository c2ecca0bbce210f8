import FoundationEssentials

/// The days and hours of a time zone. Their lengths vary when clocks change.
package struct LocalCalendar: Sendable, Equatable {
  /// The names of the months, January first.
  package static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  /// The names of the weekdays; a week begins on Monday.
  package static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

  private let calendar: ZoneCalendar

  /// The calendar of a zone.
  package init(zone: TimeZone) { calendar = ZoneCalendar(zone) }

  /// The day that contains a date.
  package func day(of moment: Date) -> DateInterval { calendar.day(of: moment) }

  /// The day that is this many days later.
  package func day(_ days: Int, after day: DateInterval) -> DateInterval { moved(day, .day, days) }

  /// The same day this many months later, or the last day of a shorter month.
  package func month(_ months: Int, after day: DateInterval) -> DateInterval { moved(day, .month, months) }

  /// The days of the month that contains a day.
  package func days(ofMonthOf day: DateInterval) -> [DateInterval] {
    let month = calendar.month(of: day.start)
    var days: [DateInterval] = []
    var next = self.day(of: month.start)
    while next.start < month.end, days.count < 31 {
      days.append(next)
      next = self.day(of: next.end)
    }
    return days
  }

  /// The hours of a day as a clock shows them. On a day of a clock change an hour can be missing, repeated or shorter.
  package func hours(of day: DateInterval) -> [DateInterval] {
    var hours: [DateInterval] = []
    var start = day.start
    while start < day.end, hours.count < 50 {
      let local = Int(start.timeIntervalSince1970.rounded(.down)) + calendar.offset(at: start)
      let into = (local % 3600 + 3600) % 3600
      let end = min(start.addingTimeInterval(Double(3600 - into)), day.end)
      hours.append(DateInterval(start: start, end: end))
      start = end
    }
    return hours
  }

  /// The weekday of a day; Monday is 0.
  package func weekday(_ day: DateInterval) -> Int { (calendar.reading(of: day.start).weekday + 5) % 7 }

  /// The day of the month.
  package func number(_ day: DateInterval) -> Int { calendar.reading(of: day.start).day }

  /// `November 2026`.
  package func month(of day: DateInterval) -> String {
    let parts = calendar.reading(of: day.start)
    return "\(Self.months[parts.month - 1]) \(parts.year)"
  }

  /// `24 Nov 14:05`.
  package func short(_ moment: Date) -> String {
    let parts = calendar.reading(of: moment)
    return "\(parts.day) \(Self.months[parts.month - 1].prefix(3)) \(time(moment))"
  }

  /// `14:05`.
  package func time(_ moment: Date) -> String {
    let parts = calendar.reading(of: moment)
    return [parts.hour, parts.minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// The index of the week of each day of a month, given the weekdays. Weeks follow from the weekdays, not from counting:
  /// a zone that crossed the date line lost a day.
  package static func weeks(_ weekdays: [Int]) -> [Int] {
    var week = 0
    return weekdays.indices.map { day in
      if day > 0, weekdays[day] <= weekdays[day - 1] { week += 1 }
      return week
    }
  }

  private func moved(_ day: DateInterval, _ unit: Calendar.Component, _ count: Int) -> DateInterval {
    // Starts at noon: no clock change moves noon into another day.
    let middle = day.start.addingTimeInterval(day.duration / 2)
    return calendar.moment(count, unit, after: middle).map(self.day) ?? day
  }
}
