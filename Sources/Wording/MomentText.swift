import FoundationEssentials
import Machine

/// Moments as people read them in a time zone.
package struct MomentText: Sendable, Equatable {
  /// The calendar of the zone.
  package let calendar: ZoneCalendar

  /// Moments in a zone; by default the machine's.
  package init(_ zone: TimeZone = .autoupdatingCurrent) { calendar = ZoneCalendar(zone) }

  /// `2026-11`.
  package func month(_ moment: Date) -> String { String(minute(moment).dropLast(9)) }

  /// `2026-11-21`.
  package func day(_ moment: Date) -> String { String(minute(moment).dropLast(6)) }

  /// `14:05`.
  package func time(_ moment: Date) -> String { String(minute(moment).suffix(5)) }

  /// `14:05:33`.
  package func clock(_ moment: Date) -> String { "\(time(moment)):\(calendar.reading(of: moment).second.digits(2))" }

  /// `2026-11-21 14:05`.
  package func minute(_ moment: Date) -> String { calendar.written(moment) }

  /// `11-21 14:05`, if there is no room for the year.
  package func brief(_ moment: Date) -> String { String(minute(moment).drop { $0 != "-" }.dropFirst()) }

  /// `2026-11-21 14:05`, and the end if there is one: `2026-11-21 14:05 to 15:30`, with its day if that differs.
  package func range(_ start: Date, _ end: Date?) -> String {
    guard let end else { return minute(start) }
    return "\(minute(start)) to \(calendar.isSameDay(start, end) ? time(end) : minute(end))"
  }

  /// `2026-11-21 14:05:33 UTC+01:00`.
  package func exact(_ moment: Date) -> String {
    "\(minute(moment)):\(calendar.reading(of: moment).second.digits(2)) \(zone(at: moment))"
  }

  /// `UTC+01:00`: what the clock is ahead of UTC at the moment.
  package func zone(at moment: Date) -> String {
    // Before there were zones, towns were apart by seconds.
    let minutes = calendar.offset(at: moment) / 60
    guard minutes != 0 else { return "UTC" }
    return "UTC\(minutes < 0 ? "-" : "+")\((abs(minutes) / 60).digits(2)):\((abs(minutes) % 60).digits(2))"
  }
}
