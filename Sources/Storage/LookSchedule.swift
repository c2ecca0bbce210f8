import Foundation

/// When harvests look a post up again: a day after it was stored, and then when fewer and fewer posts still change.
enum LookSchedule {
  /// Days after a post was stored.
  static let days = [1, 7, 30]

  /// The first time that is still to come; nil where all have passed.
  static func next(storedAt: Date, after now: Date) -> Date? {
    days.map { storedAt.addingTimeInterval(Double($0) * 86_400) }.first { $0 > now }
  }
}
