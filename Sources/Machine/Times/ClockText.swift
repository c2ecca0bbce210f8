import FoundationEssentials

extension Date {
  /// `14:05`, and `2026-11-22 14:05` on another day than `now`. The minute is rounded up: a
  /// person who comes back at that time must not come too early.
  public func clockText(seenFrom now: Date, in zone: TimeZone = .autoupdatingCurrent) -> String {
    let calendar = ZoneCalendar(zone)
    let minute = Date(timeIntervalSince1970: (timeIntervalSince1970 / 60).rounded(.up) * 60)
    let text = calendar.written(minute)
    return calendar.isSameDay(minute, now) ? String(text.suffix(5)) : text
  }
}
