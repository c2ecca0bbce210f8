import Foundation
import Posts
import Storage

/// How often a feed is looked at: within bounds, and within them so often that what comes has room.
public struct Rhythm: Sendable, Hashable {
  /// The shortest and the longest time between two looks.
  public let bounds: ClosedRange<Duration>

  /// The pace that a busy hour has set is half forgotten after `memory` hours without one, and what came in fewer than
  /// `least` counts as if it had taken so long.
  private let memory: Double
  private let least: Double
  private let isOfDocument: Bool

  /// The longest that a feed is left alone where no person fixed it: a quiet one, or one that fails. Instagram shows a
  /// tag's last 24 hours: it is never left alone for more than 20, whoever wished for more
  /// (https://developers.facebook.com/docs/instagram-platform, recent_media).
  static func longest(of source: SourceName) -> Duration { .seconds(source == .instagram ? 72_000 : 86_400) }

  /// Where an adaptive interval begins.
  static let beginning = Duration.seconds(3600)
  /// The longest that a feed is left alone because it would be.
  private static let longestRespite = Duration.seconds(86_400)
  /// An interval never more than doubles from one look to the next.
  private static let growth = 2

  /// The rhythm of a feed whose interval a person fixed, or nobody did.
  public init(every: Duration?, of source: SourceName) {
    let longest = Self.longest(of: source)
    let fixed = every.map { max($0, .seconds(60)) }.map { source == .instagram ? min($0, longest) : $0 }
    isOfDocument = source == .feed
    // A document shows its newest items alone: a night, or a quiet weekend, must not let the next morning overflow it.
    (memory, least) = isOfDocument ? (48, 0.5) : (12, 1)
    bounds = fixed.map { $0...$0 } ?? .seconds(900)...longest
  }

  /// The first interval.
  public var first: Duration { held(Self.beginning) }

  /// Posts an hour, by what a look showed and what was known of the feed; nil where neither tells.
  ///
  /// At a feed's first look the dates of what it shows tell its pace, later the time since the last look.
  func pace(after head: FeedHead, lookedAt: Date?, before pace: Double?, now: Date) -> Double? {
    let isMeasured = !head.isFirst && lookedAt != nil
    guard let since = isMeasured ? lookedAt : head.oldest else { return pace }
    // Items without a date are dated when they are seen, which tells nothing.
    if !isMeasured, isOfDocument, now.timeIntervalSince(since) < 60 { return pace }
    let hours = max(now.timeIntervalSince(since) / 3600, 0)
    let count = Double(isMeasured ? head.arrived : head.items) * (head.isOverflown ? 2 : 1)
    // A pace that no interval can follow would only be remembered for longer.
    let most = Double(head.capacity) / 4 * 3600 / (bounds.lowerBound / .seconds(1))
    return min(max(count / max(hours, least), (pace ?? 0) * pow(0.5, hours / memory)), max(most, 1))
  }

  /// The interval to the next look: so long that at this pace a quarter of what one request shows comes meanwhile. Half of
  /// it is asked for again, to find what came late; the other quarter is for bursts.
  func interval(after interval: Duration, pace: Double?, capacity: Int) -> Duration {
    guard let pace, pace > 0, capacity > 0 else { return held(interval * Self.growth) }
    let hours = min(Double(capacity) / 4 / pace, 1e6)
    return held(min(.seconds(Int64(hours * 3600)), interval * Self.growth))
  }

  /// The time to the next look at a feed that would be left alone for so long: no longer than a day, nor than half of
  /// what it shows takes to come at this pace, for its publisher does not know what one request misses. Never less than
  /// its interval, and no more where a quarter of what it shows was new.
  func wait(_ interval: Duration, wish: Duration?, pace: Double?, after head: FeedHead) -> Duration {
    guard let wish, head.isFirst || head.arrived * 4 < max(1, head.capacity) else { return interval }
    // Of a document whose pace nobody knows nothing may pass by that one request shows.
    let unknown = isOfDocument ? 1.0 : 24
    let hours = pace.map { min(Double(head.capacity) / 2 / max($0, 1e-6), 24) } ?? unknown
    return max(interval, min(wish, Self.longestRespite, .seconds(Int64(hours * 3600))))
  }

  private func held(_ interval: Duration) -> Duration { min(max(interval, bounds.lowerBound), bounds.upperBound) }
}
