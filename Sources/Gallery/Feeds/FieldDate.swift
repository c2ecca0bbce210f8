import FoundationEssentials
import Machine

/// Dates of header fields: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
enum FieldDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  static func text(_ date: Date) -> String {
    let parts = ZoneCalendar(.gmt).reading(of: date)
    let year = String(String(10_000 + parts.year).suffix(4))
    return """
      \(days[parts.weekday - 1]), \(parts.day.digits(2)) \(LocalCalendar.months[parts.month - 1].prefix(3)) \(year) \
      \(parts.hour.digits(2)):\(parts.minute.digits(2)):\(parts.second.digits(2)) GMT
      """
  }
}
