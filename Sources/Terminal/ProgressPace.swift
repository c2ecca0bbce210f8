/// How fast a work goes: what it says of itself at moments, turned into bytes a second and the time that is left.
public struct ProgressPace: Sendable {
  private struct Sample {
    let at: ContinuousClock.Instant
    let share: Double
    let bytes: Int
  }

  private var first: Sample?
  /// The newest samples, at most as many as fit into the span at their distance.
  private var recent: [Sample] = []

  /// Bytes a second are those of the last few seconds.
  private static let span = Duration.seconds(5)
  private static let distance = Duration.milliseconds(250)
  /// Nothing is told before this: the first moments mislead.
  private static let patience = Duration.seconds(2)

  /// A pace of which nothing is known yet.
  public init() {}

  /// Notes how far the work is.
  ///
  /// - Parameters:
  ///   - share: How much of it is done, from 0 to 1; nil where that is not known.
  ///   - bytes: How many bytes have come so far.
  ///   - now: The time.
  public mutating func note(share: Double?, bytes: Int, at now: ContinuousClock.Instant) {
    let sample = Sample(at: now, share: share ?? 0, bytes: bytes)
    if first == nil { first = sample }
    if let last = recent.last, now - last.at < Self.distance, recent.count > 1 { recent.removeLast() }
    recent.append(sample)
    recent.removeAll { now - $0.at > Self.span }
  }

  /// How many bytes came in a second lately; nil where none came, or the work has just begun.
  public var bytesPerSecond: Int? {
    guard let oldest = recent.first, let last = recent.last, isSettled(at: last.at) else { return nil }
    let (bytes, time) = (last.bytes - oldest.bytes, (last.at - oldest.at) / .seconds(1))
    return bytes > 0 && time > 0 ? Int(Double(bytes) / time) : nil
  }

  /// How long the rest takes at the pace so far; nil where that cannot be told.
  public var timeLeft: Duration? {
    guard let first, let last = recent.last, isSettled(at: last.at), last.share < 1 else { return nil }
    let done = last.share - first.share
    guard done > 0.01 else { return nil }
    return (last.at - first.at) * ((1 - last.share) / done)
  }

  private func isSettled(at now: ContinuousClock.Instant) -> Bool {
    first.map { now - $0.at >= Self.patience } ?? false
  }
}
