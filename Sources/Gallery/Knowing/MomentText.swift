import FoundationEssentials
import Posts
import Web

/// Moments as pages show them, in a time zone.
struct MomentText: Sendable {
  private let zone: TimeZone
  private let calendar: ZoneCalendar

  init(_ zone: TimeZone = .autoupdatingCurrent) { (self.zone, calendar) = (zone, ZoneCalendar(zone)) }

  /// `2026-11-21`.
  func day(_ moment: Date) -> String {
    let parts = calendar.reading(of: moment)
    return "\(month(moment))-\(two(parts.day))"
  }

  /// `2026-11`.
  func month(_ moment: Date) -> String {
    let parts = calendar.reading(of: moment)
    let year = String(parts.year)
    return "\(String(repeating: "0", count: max(0, 4 - year.count)))\(year)-\(two(parts.month))"
  }

  /// `2026-11-21 14:05`.
  func minute(_ moment: Date) -> String {
    let parts = calendar.reading(of: moment)
    return "\(day(moment)) \(two(parts.hour)):\(two(parts.minute))"
  }

  /// As markup, with the exact moment behind it.
  func html(_ moment: Date) -> HTML { LocalTime(moment, zone).html }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
