/// The least a download must bring: so many bytes in any stretch of time so long.
///
/// A server that drips is never silent: but for this it could hold a place for weeks.
public struct Pace: Sendable {
  /// At least one byte.
  public var bytes: Int
  /// Time in which they must come.
  public var stretch: Duration

  /// What every download is held to unless said otherwise: 30 KB in any minute.
  public static let slowest = Pace(bytes: 30 << 10, stretch: .seconds(60))

  /// A pace from its parts.
  public init(bytes: Int, stretch: Duration) {
    self.bytes = bytes
    self.stretch = stretch
  }
}

/// Watches one download's pace.
///
/// A stretch ends as soon as it has brought enough, and the next one begins. So whoever keeps the pace is never ended,
/// and whoever falls below it and stays there is ended within two stretches.
struct PaceKeeper {
  private let pace: Pace
  private var missing: Int
  /// When the stretch is over, unless what is missing comes before.
  private(set) var deadline: ContinuousClock.Instant

  init(_ pace: Pace, from start: ContinuousClock.Instant) {
    self.pace = Pace(bytes: max(1, pace.bytes), stretch: pace.stretch.asWait)
    missing = self.pace.bytes
    deadline = start + self.pace.stretch
  }

  mutating func came(_ bytes: Int, at now: ContinuousClock.Instant) {
    missing -= bytes
    if missing <= 0 { self = PaceKeeper(pace, from: now) }
  }

  /// Adds time in which it was not the server that was slow.
  mutating func forgive(_ pause: Duration) { deadline += pause }
}

extension Duration {
  /// This within a day, and not nothing: what is added to a time must not leave its range.
  var asWait: Duration { min(max(self, .milliseconds(1)), .seconds(86_400)) }
}
