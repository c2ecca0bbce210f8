import FoundationEssentials
import Glibc
import Posts
import Services

/// How often a feed is pulled: within bounds, and so often that new posts fit into one request if they keep coming at the
/// measured pace. Bursts, and feeds faster than the shortest interval allows, may need more requests.
public struct PollingSchedule: Sendable, Hashable {
  /// The shortest and the longest interval.
  public let bounds: ClosedRange<Duration>

  /// Half-life of the pace, in hours; items of less than `least` hours count as those of `least` hours.
  private let memory: Double
  private let least: Double
  private let isOfDocument: Bool

  /// The longest interval of a quiet or failing feed, unless a person fixed one.
  static func longest(of source: SourceName) -> Duration { rule(of: source).longest }

  private static func rule(of source: SourceName) -> SourceDescriptor.PollingRule {
    Catalogue.entry(source)?.polling ?? SourceDescriptor.PollingRule()
  }

  /// The initial adaptive interval.
  static let beginning = Duration.seconds(3600)
  /// The longest requested delay that is honored.
  private static let longestRequestedDelay = Duration.seconds(86_400)
  /// An interval at most doubles from one pull to the next.
  private static let growth = 2

  /// Creates a schedule; `every` is the interval that a person fixed, if any.
  public init(every: Duration?, of source: SourceName) {
    let rule = Self.rule(of: source)
    let fixed = every.map { max($0, .seconds(60)) }.map { rule.isStrict ? min($0, rule.longest) : $0 }
    isOfDocument = rule.isOfDocument
    // A document shows only its newest items: after a quiet night or weekend the next morning must not overflow it.
    (memory, least) = isOfDocument ? (48, 0.5) : (12, 1)
    bounds = fixed.map { $0...$0 } ?? .seconds(900)...rule.longest
  }

  /// The first interval.
  public var first: Duration { held(Self.beginning) }

  /// Posts per hour, from a pull's head and the earlier pace; nil if unknown.
  ///
  /// A feed's first pull measures by the dates of its items, later ones by the time since the last pull.
  func pace(after head: FeedHead, pulledAt: Date?, before pace: Double?, now: Date) -> Double? {
    let isMeasured = !head.isFirst && pulledAt != nil
    guard let since = isMeasured ? pulledAt : head.oldest else { return pace }
    // Items without a date get the time of the pull, which gives no pace.
    if !isMeasured, isOfDocument, now.timeIntervalSince(since) < 60 { return pace }
    let hours = max(now.timeIntervalSince(since) / 3600, 0)
    let count = Double(isMeasured ? head.arrived : head.items) * (head.isOverflown ? 2 : 1)
    // A pace that no interval can follow would only take longer to decay.
    let most = Double(head.capacity) / 4 * 3600 / (bounds.lowerBound / .seconds(1))
    return min(max(count / max(hours, least), (pace ?? 0) * pow(0.5, hours / memory)), max(most, 1))
  }

  /// The interval to the next pull, in which this pace fills a quarter of one request. Half of the request is read again to
  /// find late posts; the other quarter is for bursts.
  func interval(after interval: Duration, pace: Double?, capacity: Int) -> Duration {
    guard let pace, pace > 0, capacity > 0 else { return held(interval * Self.growth) }
    let hours = min(Double(capacity) / 4 / pace, 1e6)
    return held(min(.seconds(Int64(hours * 3600)), interval * Self.growth))
  }

  /// The time to the next pull of a feed that requests the delay `requested`. Of the delay, at most a day counts, and at
  /// most the time in which this pace fills half of a request, because its publisher does not know what one request
  /// misses. Never less than the interval, and equal to it if a quarter of what one request returns was new.
  func wait(_ interval: Duration, requested: Duration?, pace: Double?, after head: FeedHead) -> Duration {
    guard let requested, head.isFirst || head.arrived * 4 < max(1, head.capacity) else { return interval }
    // A document of unknown pace must not lose an item between two requests.
    let unknown = isOfDocument ? 1.0 : 24
    let hours = pace.map { min(Double(head.capacity) / 2 / max($0, 1e-6), 24) } ?? unknown
    return max(interval, min(requested, Self.longestRequestedDelay, .seconds(Int64(hours * 3600))))
  }

  private func held(_ interval: Duration) -> Duration { min(max(interval, bounds.lowerBound), bounds.upperBound) }
}
