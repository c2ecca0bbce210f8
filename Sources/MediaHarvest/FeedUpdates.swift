/// The refreshes of a feed, as a sequence.
///
/// The sequence ends when the reading task is cancelled, and after the refresh in which the server says that the feed is
/// gone for good. It retains its updater.
public struct FeedUpdates: AsyncSequence, Sendable {
  /// Performs the refreshes for one reader. An actor can store it in a constant and call `next` on it.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    fileprivate let updater: FeedUpdater

    /// Waits until the feed is due, and refreshes it.
    ///
    /// - Returns: What the refresh brought; nil at the end.
    /// - Throws: `StorageError` if the library cannot be read.
    public func next() async throws -> FeedUpdate? {
      guard try await updater.waitUntilDue() else { return nil }
      let update = await updater.refresh()
      return Task.isCancelled ? nil : update
    }

    /// Waits until the feed is due, and refreshes it.
    ///
    /// - Parameter actor: The caller's actor. The iterator is safe on any.
    /// - Returns: What the refresh brought; nil at the end.
    /// - Throws: `StorageError` if the library cannot be read.
    public func next(isolation actor: isolated (any Actor)?) async throws -> FeedUpdate? { try await next() }
  }

  private let updater: FeedUpdater

  init(_ updater: FeedUpdater) { self.updater = updater }

  /// An iterator that refreshes the feed when it is due.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updater: updater) }
}
