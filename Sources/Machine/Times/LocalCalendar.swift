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

  /// The hours of a day as ranges: `14:00–15:00`. When clocks go back, an hour comes twice: the offset from UTC tells the
  /// two apart, `02:00–03:00 UTC+1`.
  package func labels(of hours: [DateInterval]) -> [String] {
    let starts = hours.map { time($0.start) }
    return zip(hours, starts).map { hour, start in
      let label = "\(start)–\(Self.clock(start, plus: hour.duration))"
      return starts.count { $0 == start } > 1 ? "\(label) \(offset(at: hour.start))" : label
    }
  }

  /// What a clock shows at the end of an hour before it is changed.
  private static func clock(_ start: String, plus duration: TimeInterval) -> String {
    let parts = start.split(separator: ":").compactMap { Int($0) }
    let minutes = parts[0] * 60 + parts[1] + Int((duration / 60).rounded())
    return "\((minutes / 60).digits(2)):\((minutes % 60).digits(2))"
  }

  /// `UTC+2`, `UTC−3:30`.
  private func offset(at moment: Date) -> String {
    let seconds = calendar.offset(at: moment)
    let minutes = abs(seconds) / 60
    let rest = minutes % 60 == 0 ? "" : ":\((minutes % 60).digits(2))"
    return "UTC\(seconds < 0 ? "−" : "+")\(minutes / 60)\(rest)"
  }

  /// From when to when: `14:30–16:10`, with the dates if the two are on different days: `20 Nov 14:30 – 22 Nov 16:10`. An
  /// end at midnight belongs to the day before: `22:00–24:00`.
  package func span(_ start: Date, _ finish: Date) -> String {
    let day = day(of: start)
    if finish == day.end { return "\(time(start))–24:00" }
    return finish < day.end ? "\(time(start))–\(time(finish))" : "\(short(start)) – \(short(finish))"
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
  package func time(_ moment: Date) -> String { String(calendar.written(moment).suffix(5)) }

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
