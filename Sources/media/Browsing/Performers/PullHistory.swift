import Posts
import Synchronization

/// The results of this session's pulls of each feed.
final class PullHistory: Sendable {
  private struct Known {
    var begun: Set<Feed> = []
    var failing: Set<Feed> = []
  }

  private let known = Mutex(Known())

  /// Records a pull of a feed. Returns whether it is the first.
  func begin(_ feed: Feed) -> Bool { known.withLock { $0.begun.insert(feed).inserted } }

  /// Records a failed pull.
  func failed(_ feed: Feed) { known.withLock { _ = $0.failing.insert(feed) } }

  /// Records a successful pull. Returns whether the previous one failed.
  func succeeded(_ feed: Feed) -> Bool { known.withLock { $0.failing.remove(feed) != nil } }
}
