/// The time limits of a transfer: no silence longer than its patience, a `send` within its time, a download at its
/// pace.
extension Transfer {
  /// When the first of these limits is exceeded; nil while libcurl still checks the time.
  var deadline: ContinuousClock.Instant? {
    [lastActivity.map { $0 + request.patience.asWait }, pacing?.deadline, end].compactMap { $0 }.min()
  }

  /// Begins the next hop. libcurl limits the time to connect. The time limit covers all hops.
  func beginHop() {
    (lastActivity, pacing) = (nil, nil)
    let longest = sink == nil ? request.time : request.downloadTime
    if let longest, end == nil { end = .now + longest.asWait }
  }

  /// The connection is established and the request is sent.
  func beginAnswer() {
    let now = ContinuousClock.now
    lastActivity = now
    pacing = pace.map { ThroughputMonitor($0, from: now) }
  }

  /// Records bytes of a body.
  func note(_ bytes: Int) {
    let now = ContinuousClock.now
    lastActivity = now
    pacing?.record(bytes, at: now)
  }

  /// Extends the limits by a pause in which this program did not read.
  func excludePause(_ pause: Duration) {
    lastActivity? += pause
    end? += pause
    pacing?.excludePause(pause)
  }
}
