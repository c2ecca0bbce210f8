import Machine
import Storage

/// Adds what earlier versions did not store, in steps, beside whatever else the library does.
package struct LateSteps: Sendable {
  /// The posts of the first step: so few that a writer that waits for it hardly notices.
  package let size: Int
  /// The shortest time between two steps in the background, in which others write.
  let pause: Duration
  /// Does a step of at most a number of posts, and tells whether any may be left.
  package let step: @Sendable (Store, Int) throws(StorageError) -> Bool

  /// A kind of step from its parts.
  package init(size: Int, pause: Duration, step: @escaping @Sendable (Store, Int) throws(StorageError) -> Bool) {
    (self.size, self.pause, self.step) = (size, pause, step)
  }

  /// Add the author, tags and files of posts to the search index.
  package static let words = LateSteps(size: 10, pause: .milliseconds(20)) { store, limit throws(StorageError) in
    try store.readWords(atMost: limit)
  }

  /// How long a step should take. Others cannot write meanwhile.
  private static let moment = Duration.milliseconds(20)

  /// The posts of the step after one that took a time: as many as take a moment, and at most twice as many as before.
  static func size(after size: Int, taking time: Duration) -> Int {
    max(1, Int(min(Double(size) * (moment / max(time, .microseconds(1))), Double(2 * size), 1000)))
  }

  /// Does them until nothing is left or the task is cancelled. After each, others have as long as it took. A step that fails
  /// ends them: whoever opens the library next goes on.
  ///
  /// - Parameter wait: Waits, and throws if its task is cancelled.
  package func run(in store: Store, _ wait: (Duration) async throws -> Void) async {
    let queue = BlockingExecutor("late steps")
    var size = size
    while !Task.isCancelled {
      let start = ContinuousClock.now
      guard (try? await queue.run { [size] in try step(store, size) }) == true else { return }
      let time = ContinuousClock.now - start
      size = Self.size(after: size, taking: time)
      guard (try? await wait(max(pause, time))) != nil else { return }
    }
  }
}
