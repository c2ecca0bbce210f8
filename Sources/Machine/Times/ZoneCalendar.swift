import FoundationEssentials
import Glibc

/// The calendar and the clock of a time zone. Days and hours differ in length where clocks change.
///
/// Foundation's calendar needs ICU's tables for zones whose clocks change. This one asks glibc for the machine's zone, so
/// that the programs link no ICU (docs/decisions/icu.md).
package struct ZoneCalendar: Sendable, Equatable {
  /// What calendar and clock show.
  package struct Reading: Sendable, Equatable {
    /// The year, and the month and the day from 1.
    package let year: Int, month: Int, day: Int
    /// The time of day.
    package let hour: Int, minute: Int, second: Int
    /// The weekday; Sunday is 1.
    package let weekday: Int
  }

  private let zone: TimeZone
  private let isMachines: Bool
  private let file: ZoneFile?

  /// A calendar of a zone. `.autoupdatingCurrent` is the machine's zone: `TZ`, or /etc/localtime.
  package init(_ zone: TimeZone = .autoupdatingCurrent) {
    (self.zone, isMachines, file) = (zone, zone == .autoupdatingCurrent, nil)
  }

  /// A calendar of a zone of the system's database.
  package init(_ file: ZoneFile) { (zone, isMachines, self.file) = (.gmt, false, file) }

  /// What calendar and clock show at a moment.
  package func reading(of moment: Date) -> Reading {
    let parts = Self.utc.dateComponents(
      [.year, .month, .day, .hour, .minute, .second, .weekday], from: shown(at: moment))
    return Reading(
      year: parts.year ?? 0, month: parts.month ?? 1, day: parts.day ?? 1, hour: parts.hour ?? 0,
      minute: parts.minute ?? 0, second: parts.second ?? 0, weekday: parts.weekday ?? 1)
  }

  /// The moment at which the clock shows a time.
  ///
  /// - Returns: The first of two such moments. If a clock change skips the time, the moment as much later. Nil if the
  ///   calendar or the zone has no such day, or the day no such time.
  package func moment(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) -> Date? {
    let parts = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    guard (1...9999).contains(year), parts.isValidDate(in: Self.utc), let shown = Self.utc.date(from: parts) else {
      return nil
    }
    // A zone that changes sides of the date line skips a day.
    let noon = Self.utc.startOfDay(for: shown).addingTimeInterval(43_200)
    guard self.shown(at: moment(showing: noon)) == noon else { return nil }
    return moment(showing: shown)
  }

  /// The day that contains a moment: 23 or 25 hours long where clocks change.
  package func day(of moment: Date) -> DateInterval { interval(.day, of: moment) }

  /// The month that contains a moment.
  package func month(of moment: Date) -> DateInterval { interval(.month, of: moment) }

  /// The same time of day so many days or months later; the last day of a shorter month.
  package func moment(_ count: Int, _ unit: Calendar.Component, after moment: Date) -> Date? {
    guard let wanted = Self.utc.date(byAdding: unit, value: count, to: shown(at: moment)) else { return nil }
    let found = self.moment(showing: wanted)
    // The way back over a day that the zone skips must not end where it began.
    return count < 0 && found >= moment ? wanted.addingTimeInterval(-Double(offset(at: moment))) : found
  }

  /// Whether two moments fall on the same day.
  package func isSameDay(_ one: Date, _ other: Date) -> Bool {
    Self.utc.isDate(shown(at: one), inSameDayAs: shown(at: other))
  }

  /// The seconds by which the clock is ahead of UTC.
  package func offset(at moment: Date) -> Int {
    if let file { return file.offset(at: moment) }
    guard isMachines else { return zone.secondsFromGMT(for: moment) }
    // Beyond these years the calendar has no dates, and `time_t` ends.
    guard var seconds = time_t(exactly: moment.timeIntervalSince1970.rounded(.down)) else { return 0 }
    var parts = tm()
    return localtime_r(&seconds, &parts) == nil ? 0 : parts.tm_gmtoff
  }

  private static let utc: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// The moment at which a clock of UTC shows what this clock shows at `moment`.
  private func shown(at moment: Date) -> Date { moment.addingTimeInterval(Double(offset(at: moment))) }

  private func moment(showing shown: Date) -> Date {
    let before = offset(at: shown.addingTimeInterval(-86_400))
    let candidates = [before, offset(at: shown.addingTimeInterval(86_400))].map { offset in
      (offset: offset, moment: shown.addingTimeInterval(-Double(offset)))
    }
    let found = candidates.filter { offset(at: $0.moment) == $0.offset }.map(\.moment).min()
    return found ?? candidates[0].moment
  }

  private func interval(_ unit: Calendar.Component, of moment: Date) -> DateInterval {
    guard let whole = Self.utc.dateInterval(of: unit, for: shown(at: moment)) else {
      return DateInterval(start: moment, duration: 0)
    }
    let start = self.moment(showing: whole.start)
    return DateInterval(start: start, end: max(start, self.moment(showing: whole.end)))
  }
}
