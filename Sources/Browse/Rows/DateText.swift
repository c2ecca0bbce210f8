import FoundationEssentials
import Machine
import Wording

/// Formats times for the list in the local calendar.
struct DateText: Sendable, Equatable {
  private let calendar: ZoneCalendar

  init(zone: TimeZone) { calendar = ZoneCalendar(zone) }

  static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  static let months = LocalCalendar.months

  /// `now`, `5 m`, `3 h`, `2 d`; the date if it is long ago or in the future.
  func age(of date: Date, at now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    case ..<(-60): return short(date, at: now)
    case ..<60: return "now"
    case ..<(30 * 86_400): return NumberText.span(seconds, units: 1)
    default: return short(date, at: now)
    }
  }

  /// `Today`, `Yesterday`, `Friday, 20 November 2026`.
  func day(_ date: Date, at now: Date) -> String {
    if calendar.isSameDay(date, now) { return "Today" }
    if let before = calendar.moment(-1, .day, after: now), calendar.isSameDay(date, before) { return "Yesterday" }
    let parts = calendar.reading(of: date)
    return "\(Self.days[parts.weekday - 1]), \(parts.day) \(Self.months[parts.month - 1]) \(parts.year)"
  }

  /// `Friday, 20 November 2026, 14:05`.
  func moment(_ date: Date, at now: Date) -> String {
    let parts = calendar.reading(of: date)
    return "\(day(date, at: now)), \(parts.hour.digits(2)):\(parts.minute.digits(2))"
  }

  /// `Today, 14:05 – 15:30`; with both days if they differ.
  func range(_ start: Date, _ end: Date?, at now: Date) -> String {
    guard let end, end > start else { return moment(start, at: now) }
    let whole = moment(end, at: now)
    let last = calendar.isSameDay(start, end) ? String(whole.suffix(5)) : whole
    return "\(moment(start, at: now)) – \(last)"
  }

  private func short(_ date: Date, at now: Date) -> String {
    let parts = calendar.reading(of: date)
    let year = parts.year == calendar.reading(of: now).year ? "" : " \(parts.year)"
    return "\(parts.day) \(Self.months[parts.month - 1].prefix(3))\(year)"
  }
}
