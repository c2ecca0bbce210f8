import Foundation

/// Counts requests in windows of five minutes by the clock and tells the count, as Mastodon does. It never refuses: a
/// newcomer who looks at the demo for the first time should not have to wait.
struct RateWindow: Sendable {
  static let limit = 7_500
  private static let length: Double = 300
  private var opened = Date.distantPast
  private var counts: [String: Int] = [:]

  /// What to tell the client known by `key` after one more request.
  mutating func count(_ key: String, at now: Date) -> (remaining: Int, reset: Date) {
    let start = Date(
      timeIntervalSince1970: (now.timeIntervalSince1970 / RateWindow.length).rounded(.down) * RateWindow.length
    )
    if start != opened { (opened, counts) = (start, [:]) }
    counts[key, default: 0] += 1
    return (max(RateWindow.limit - counts[key, default: 0], 1), start.addingTimeInterval(RateWindow.length))
  }
}
