/// The time limits of a transfer: no silence longer than its patience, a `send` within its time, a download at its
/// pace.
extension Transfer {
  /// When the first of these limits is exceeded; nil while libcurl still checks the time.
  var deadline: ContinuousClock.Instant? {
    [lastSign.map { $0 + request.patience.asWait }, pacing?.deadline, end].compactMap { $0 }.min()
  }

  /// Begins the next hop. libcurl limits the time to connect. The time limit covers all hops.
  func beginHop() {
    (lastSign, pacing) = (nil, nil)
    let longest = sink == nil ? request.time : request.downloadTime
    if let longest, end == nil { end = .now + longest.asWait }
  }

  /// The connection is established and the request is sent.
  func beginAnswer() {
    let now = ContinuousClock.now
    lastSign = now
    pacing = pace.map { PaceKeeper($0, from: now) }
  }

  /// Records bytes of a body.
  func note(_ bytes: Int) {
    let now = ContinuousClock.now
    lastSign = now
    pacing?.came(bytes, at: now)
  }

  /// Extends the limits by a pause in which this program did not read.
  func forgive(_ pause: Duration) {
    lastSign? += pause
    end? += pause
    pacing?.forgive(pause)
  }
}
