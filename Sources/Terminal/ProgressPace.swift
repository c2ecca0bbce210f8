/// The pace of an operation: computes bytes per second and the remaining time from samples of its progress.
public struct ProgressPace: Sendable {
  private struct Sample {
    let at: ContinuousClock.Instant
    let share: Double
    let bytes: Int
  }

  private var first: Sample?
  private var newest: Sample?
  /// Samples of the last few seconds, at most as many as fit into the span at their distance.
  private var recent: [Sample] = []

  /// Bytes per second are measured over this time.
  private static let span = Duration.seconds(5)
  private static let distance = Duration.milliseconds(250)
  /// Before this time there are no results, because the first samples mislead.
  private static let patience = Duration.seconds(2)

  /// A pace without samples.
  public init() {}

  /// Records a sample.
  ///
  /// - Parameters:
  ///   - share: The completed share, from 0 to 1; nil if unknown.
  ///   - bytes: The number of bytes received so far.
  ///   - now: The current time.
  public mutating func note(share: Double?, bytes: Int, at now: ContinuousClock.Instant) {
    let sample = Sample(at: now, share: share ?? 0, bytes: bytes)
    if first == nil { first = sample }
    newest = sample
    recent.removeAll { now - $0.at > Self.span }
    // Samples in quick succession are dropped, so that the oldest one kept is old enough to measure from.
    if let last = recent.last, now - last.at < Self.distance { return }
    recent.append(sample)
  }

  /// The recent number of bytes per second; nil if none arrived, or if the operation has just begun.
  public var bytesPerSecond: Int? {
    guard let oldest = recent.first, let last = newest, isSettled(at: last.at) else { return nil }
    let (bytes, time) = (last.bytes - oldest.bytes, (last.at - oldest.at) / .seconds(1))
    return bytes > 0 && time > 0 ? Int(Double(bytes) / time) : nil
  }

  /// The remaining time at the average pace so far; nil if it cannot be estimated.
  public var timeLeft: Duration? {
    guard let first, let last = newest, isSettled(at: last.at), last.share < 1 else { return nil }
    let done = last.share - first.share
    guard done > 0.01 else { return nil }
    return (last.at - first.at) * ((1 - last.share) / done)
  }

  private func isSettled(at now: ContinuousClock.Instant) -> Bool {
    first.map { now - $0.at >= Self.patience } ?? false
  }
}
