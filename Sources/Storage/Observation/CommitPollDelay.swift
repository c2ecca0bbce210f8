/// The delays between reads of the library after a sign that a commit is under way.
///
/// Each delay is an eighth of the time since the sign, so a commit is seen late by an eighth of its duration. The delays
/// grow to the interval at which the library is read without any sign: some seventy reads in all.
struct CommitPollDelay {
  /// The longest delay, in milliseconds.
  let interval: Int32
  private var waited: Int32 = 0

  init(interval: Int32) { self.interval = interval }

  /// Always the interval: a sign comes when the commit can be read.
  init(steady interval: Int32) { (self.interval, waited) = (interval, 8 * interval) }

  /// The next delay, in milliseconds.
  mutating func next() -> Int32 {
    let wait = min(max(waited / 8, 1), interval)
    waited = min(waited + wait, 8 * interval)
    return wait
  }
}
