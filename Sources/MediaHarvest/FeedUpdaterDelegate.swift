/// Receives the refreshes of a feed.
///
/// All calls come one after another, on the actor that was chosen for them.
public protocol FeedUpdaterDelegate: AnyObject {
  /// A refresh is due, and begins.
  func willRefresh(_ feed: Feed)
  /// A refresh has ended.
  func didRefresh(_ update: FeedUpdate)
}

extension FeedUpdaterDelegate {
  /// Does nothing.
  public func willRefresh(_ feed: Feed) {}
}

extension FeedUpdater {
  /// Refreshes the feed whenever it is due, and notifies a delegate. Returns when the task is cancelled, or when the server
  /// removed the feed for good.
  ///
  /// - Parameters:
  ///   - delegate: The delegate.
  ///   - isolation: The actor on which the delegate is called; by default the caller's.
  /// - Throws: `StorageError` if the library cannot be read.
  public func run(
    for delegate: some FeedUpdaterDelegate, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    while try await waitUntilDue() {
      delegate.willRefresh(feed)
      let update = await refresh()
      if Task.isCancelled { return }
      delegate.didRefresh(update)
    }
  }
}
