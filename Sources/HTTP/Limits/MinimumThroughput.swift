/// The minimum throughput of a download: a number of bytes within any span of a given length.
///
/// A server that sends a byte now and then is never silent. Without a minimum, its download could occupy a slot for
/// weeks.
public struct MinimumThroughput: Sendable {
  /// The number of bytes, at least 1.
  public var bytes: Int
  /// The time in which they must arrive.
  public var interval: Duration

  /// The default of every download: 30 KB in any minute.
  public static let slowest = MinimumThroughput(bytes: 30 << 10, interval: .seconds(60))

  /// Creates a minimum of `bytes` in each interval.
  public init(bytes: Int, interval: Duration) {
    self.bytes = bytes
    self.interval = interval
  }
}

/// Monitors the throughput of one download.
///
/// An interval ends as soon as enough bytes have arrived, and the next one begins. So a download that keeps the pace is
/// never ended, and one that stays below it is ended within two intervals.
struct ThroughputMonitor {
  private let pace: MinimumThroughput
  private var missing: Int
  /// When the interval ends, unless the missing bytes arrive before.
  private(set) var deadline: ContinuousClock.Instant

  init(_ pace: MinimumThroughput, from start: ContinuousClock.Instant) {
    self.pace = MinimumThroughput(bytes: max(1, pace.bytes), interval: pace.interval.asWait)
    missing = self.pace.bytes
    deadline = start + self.pace.interval
  }

  mutating func record(_ bytes: Int, at now: ContinuousClock.Instant) {
    missing -= bytes
    if missing <= 0 { self = ThroughputMonitor(pace, from: now) }
  }

  /// Extends the deadline by a pause that the server did not cause.
  mutating func excludePause(_ pause: Duration) { deadline += pause }
}

extension Duration {
  /// The duration clamped to between 1 ms and one day, so that adding it to an instant cannot overflow.
  var asWait: Duration { min(max(self, .milliseconds(1)), .seconds(86_400)) }
}
