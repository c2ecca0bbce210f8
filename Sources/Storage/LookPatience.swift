/// How long to wait before the library is looked at again, after a sign that a commit is under way.
///
/// A wait is an eighth of the time since the sign, so a commit is seen late by an eighth of the time that it took. The
/// waits grow to the interval at which the library is looked at without any sign: some seventy looks in all.
struct LookPatience {
  /// The longest wait, in milliseconds.
  let interval: Int32
  private var waited: Int32 = 0

  init(interval: Int32) { self.interval = interval }

  /// The next wait, in milliseconds.
  mutating func next() -> Int32 {
    let wait = min(max(waited / 8, 1), interval)
    waited = min(waited + wait, 8 * interval)
    return wait
  }
}
