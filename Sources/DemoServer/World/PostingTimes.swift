import FoundationEssentials
import Glibc

/// When people post: more by day than by night, over four weeks, the newest a few minutes before the demo begins.
struct PostingTimes {
  private var time: Date
  private let pace: Double
  private var dice: Dice

  /// Creates times for `count` posts, going back from `start`.
  init(count: Int, before start: Date, seed: UInt64) {
    pace = 28 * 86_400 / Double(max(count, 100))
    dice = Dice(seed: seed, subject: 0x7157)
    time = start.addingTimeInterval(-150).roundedDown
  }

  /// The time of the next older post, always earlier than the one before it.
  mutating func next() -> Date {
    let now = time
    let hour = Int(time.timeIntervalSince1970 / 3600) % 24
    let wait = -log(1 - Double(dice.unit()) * 0.98) * pace * PostingTimes.quiet[hour]
    time = time.addingTimeInterval(-max(wait, 1)).roundedDown
    return now
  }

  /// How much longer than usual the pause between posts is at each hour of the day, in UTC.
  private static let quiet: [Double] = [
    2.6, 3.4, 4, 4, 3.2, 2.2, 1.4, 0.9, 0.7, 0.7, 0.8, 0.8, 0.6, 0.7, 0.8, 0.8, 0.7, 0.6, 0.5, 0.5, 0.5, 0.7, 1.1, 1.8,
  ]
}

extension Date {
  /// Rounded down to milliseconds, because a server sends nothing finer.
  var roundedDown: Date { Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded(.down) / 1000) }
}
