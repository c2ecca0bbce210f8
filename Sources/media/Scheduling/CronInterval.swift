import FoundationEssentials
import Machine

/// The cron times at which a line runs with a constant interval.
///
/// crontab(5) counts minutes of an hour and hours of a day: only divisors of an hour or a day give a constant interval.
struct CronInterval: Equatable, Sendable {
  let minutes: Int

  /// Every interval that cron supports, in minutes.
  private static let all = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30] + [1, 2, 3, 4, 6, 8, 12, 24].map { $0 * 60 }

  /// Throws for an interval that cron does not support. The error names the nearest ones.
  init(_ interval: Duration) throws(ScheduleError) {
    let seconds = Int(interval.components.seconds)
    guard interval.components.attoseconds == 0, seconds % 60 == 0, Self.all.contains(seconds / 60) else {
      let below = Self.all.last { $0 * 60 < seconds }
      let above = Self.all.first { $0 * 60 > seconds }
      throw .notForCron(interval, nearest: [below, above].compactMap { $0 }.map { .seconds($0 * 60) })
    }
    minutes = seconds / 60
  }

  /// Parses the five fields as written here; nil for any others.
  init?(_ fields: some StringProtocol) {
    guard let minutes = Self.all.first(where: { CronInterval(minutes: $0).fields == fields }) else { return nil }
    self.init(minutes: minutes)
  }

  private init(minutes: Int) { self.minutes = minutes }

  /// The five fields of crontab(5).
  var fields: String {
    switch minutes {
    case 1: "* * * * *"
    case ..<60: "*/\(minutes) * * * *"
    case 60: "0 * * * *"
    case 1440: "0 0 * * *"
    default: "0 */\(minutes / 60) * * *"
    }
  }

  var duration: Duration { .seconds(minutes * 60) }

  /// The next run, in the machine's time zone.
  func next(after now: Date, in calendar: ZoneCalendar) -> Date? {
    let seconds = Double(calendar.reading(of: now).second)
    let start = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down) - seconds)
    // Two days: when clocks are put forward, a day may have no midnight.
    return (1...2880).lazy.map { start.addingTimeInterval(Double($0) * 60) }.first { time in
      let parts = calendar.reading(of: time)
      return (parts.hour * 60 + parts.minute) % minutes == 0
    }
  }
}
