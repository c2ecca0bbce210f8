import Foundation

/// Formats times for the list in the local calendar.
struct DateText: Sendable, Equatable {
  private let calendar: Calendar

  init(zone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
  }

  static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

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
    if calendar.isDate(date, inSameDayAs: now) { return "Today" }
    if let before = calendar.date(byAdding: .day, value: -1, to: now), calendar.isDate(date, inSameDayAs: before) {
      return "Yesterday"
    }
    let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
    let weekday = Self.days[((parts.weekday ?? 1) - 1) % 7]
    return "\(weekday), \(parts.day ?? 0) \(Self.months[((parts.month ?? 1) - 1) % 12]) \(parts.year ?? 0)"
  }

  /// `Friday, 20 November 2026, 14:05`.
  func moment(_ date: Date, at now: Date) -> String {
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    let numbers = [parts.hour ?? 0, parts.minute ?? 0].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(day(date, at: now)), \(numbers.joined(separator: ":"))"
  }

  private func short(_ date: Date, at now: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    let month = Self.months[((parts.month ?? 1) - 1) % 12].prefix(3)
    let year = parts.year == calendar.component(.year, from: now) ? "" : " \(parts.year ?? 0)"
    return "\(parts.day ?? 0) \(month)\(year)"
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
