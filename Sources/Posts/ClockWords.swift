import Foundation

extension Date {
  /// `14:05`, and `2026-11-22 14:05` on another day than `now`. The minute is a whole one that has not begun before: who
  /// comes back when the clock shows it must not come too early.
  public func clockWords(seenFrom now: Date, in zone: TimeZone = .current) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let minute = Date(timeIntervalSince1970: (timeIntervalSince1970 / 60).rounded(.up) * 60)
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: minute)
    func digits(_ numbers: [Int?], _ separator: String) -> String {
      numbers.map { ($0 ?? 0) < 10 ? "0\($0 ?? 0)" : "\($0 ?? 0)" }.joined(separator: separator)
    }
    let time = digits([parts.hour, parts.minute], ":")
    if calendar.isDate(minute, inSameDayAs: now) { return time }
    return "\(digits([parts.year, parts.month, parts.day], "-")) \(time)"
  }
}
