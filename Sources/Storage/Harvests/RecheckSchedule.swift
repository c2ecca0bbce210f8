import FoundationEssentials

/// When harvests recheck a post: a day after it was stored, then less often, as fewer posts still change.
enum RecheckSchedule {
  /// Days after a post was stored.
  static let days = [1, 7, 30]

  /// The first recheck after `now`. Nil if all have passed.
  static func next(storedAt: Date, after now: Date) -> Date? {
    days.map { storedAt.addingTimeInterval(Double($0) * 86_400) }.first { $0 > now }
  }
}
