import Blocking
import Storage

/// Adds the author, tags and files of posts to the search index that an earlier version stored.
package struct WordReading: Sendable {
  private let store: any StoreCare
  private let queue = BlockingExecutor("words")

  /// The posts of a step: so few that a writer that waits for it hardly notices.
  private static let batch = 50
  /// The time between two steps, in which others write.
  private static let pause = Duration.milliseconds(20)

  /// A reading in a library.
  package init(of store: any StoreCare) { self.store = store }

  /// Reads beside whatever else the library does, until nothing is left or the task is cancelled. A step that fails ends it:
  /// whoever opens the library next goes on.
  ///
  /// - Parameter pause: Waits, and throws if its task is cancelled.
  package func run(_ pause: (Duration) async throws -> Void) async {
    while !Task.isCancelled {
      let more = try? await queue.run { [store] in try store.readWords(atMost: Self.batch) }
      guard more == true, (try? await pause(Self.pause)) != nil else { return }
    }
  }
}
