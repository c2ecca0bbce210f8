/// How long a transfer may take: no silence longer than its patience, a `send` within its time, a download at its pace.
extension Transfer {
  /// When one of these will have been broken; nil where libcurl still watches the clock.
  var deadline: ContinuousClock.Instant? {
    [lastSign.map { $0 + request.patience.asWait }, pacing?.deadline, end].compactMap { $0 }.min()
  }

  /// The next hop's turn: its connection is libcurl's to watch, the time of all hops is one.
  func beginHop() {
    (lastSign, pacing) = (nil, nil)
    let longest = sink == nil ? request.time : request.downloadTime
    if let longest, end == nil { end = .now + longest.asWait }
  }

  /// The connection stands and the request goes out.
  func beginAnswer() {
    let now = ContinuousClock.now
    lastSign = now
    pacing = pace.map { PaceKeeper($0, from: now) }
  }

  /// Bytes of a body came.
  func note(_ bytes: Int) {
    let now = ContinuousClock.now
    lastSign = now
    pacing?.came(bytes, at: now)
  }

  /// Takes no account of a pause in which it was us who did not listen.
  func forgive(_ pause: Duration) {
    lastSign? += pause
    end? += pause
    pacing?.forgive(pause)
  }
}
