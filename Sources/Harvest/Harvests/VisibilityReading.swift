import Blocking
import HTTP
import Posts
import Services
import Storage

/// Looks in the answers that earlier versions stored for who may see their posts.
public struct VisibilityReading: Sendable {
  private let store: any StoreCare
  private let queue = BlockingExecutor("visibilities")

  /// The posts of a step: so few that a writer that waits for it hardly notices.
  private static let batch = 200
  /// The time between two steps in the background, in which others write.
  private static let pause = Duration.milliseconds(10)

  /// A reading in a library.
  public init(of store: any StoreCare) { self.store = store }

  /// One step.
  ///
  /// - Returns: How far the steps came; nil if nothing is left.
  /// - Throws: `StorageError` if the library cannot be written.
  public func step() throws(StorageError) -> VisibilityProgress? {
    try store.readVisibilities(atMost: Self.batch) {
      Catalogue.visibility(of: $0.source, answer: $0.body, addresses: $0.addresses)
    }
  }

  /// All steps, beside whatever else the library does, until the task is cancelled. A step that fails ends them: whoever
  /// opens the library next goes on.
  ///
  /// - Parameter time: The time between them.
  public func run(_ time: TimeSource) async {
    while !Task.isCancelled, (try? await queue.run { try step() }) != nil {
      guard (try? await time.sleep(Self.pause)) != nil else { return }
    }
  }
}
