import FoundationEssentials
import Posts

/// Formats times for the list in the local calendar.
struct DateText: Sendable, Equatable {
  private let calendar: ZoneCalendar

  init(zone: TimeZone) { calendar = ZoneCalendar(zone) }

  static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  static let months = LocalCalendar.months

  /// `now`, `5 min`, `3 h`, `2 d`; the date if it is long ago or in the future.
  func age(of date: Date, at now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    case ..<(-60): return short(date, at: now)
    case ..<60: return "now"
    case ..<3600: return "\(Int(seconds / 60)) min"
    case ..<86_400: return "\(Int(seconds / 3600)) h"
    case ..<(30 * 86_400): return "\(Int(seconds / 86_400)) d"
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
    let numbers = [parts.hour, parts.minute].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(day(date, at: now)), \(numbers.joined(separator: ":"))"
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

/// The time that remains: `42 s`, `12 min`, `3 h`.
enum DurationText {
  static func until(_ date: Date, at now: Date) -> String {
    let seconds = Int(max(0, date.timeIntervalSince(now)).rounded(.up))
    if seconds < 120 { return "\(seconds) s" }
    return seconds < 7200 ? "\((seconds + 59) / 60) min" : "\(seconds / 3600) h"
  }
}
