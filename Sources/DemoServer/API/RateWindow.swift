import FoundationEssentials

/// Counts requests in windows of five minutes by the clock and reports the rest, as Mastodon does. It never rejects, so
/// that newcomers need not wait.
struct RateWindow: Sendable {
  static let limit = 7_500
  private static let length: Double = 300
  private var opened = Date.distantPast
  private var counts: [String: Int] = [:]

  /// Counts one more request of the client `key`; returns its remaining requests and the window's end.
  mutating func count(_ key: String, at now: Date) -> (remaining: Int, reset: Date) {
    let start = Date(
      timeIntervalSince1970: (now.timeIntervalSince1970 / RateWindow.length).rounded(.down) * RateWindow.length
    )
    if start != opened { (opened, counts) = (start, [:]) }
    counts[key, default: 0] += 1
    return (max(RateWindow.limit - counts[key, default: 0], 1), start.addingTimeInterval(RateWindow.length))
  }
}
