import Posts
import Synchronization

/// What this session's pulls of each feed have come to.
final class PullHabits: Sendable {
  private struct Known {
    var begun: Set<Feed> = []
    var failing: Set<Feed> = []
  }

  private let known = Mutex(Known())

  /// Notes that a feed is pulled; whether that is the first time.
  func begin(_ feed: Feed) -> Bool { known.withLock { $0.begun.insert(feed).inserted } }

  /// Notes that a pull failed.
  func failed(_ feed: Feed) { known.withLock { _ = $0.failing.insert(feed) } }

  /// Notes that a pull succeeded; whether the one before had failed.
  func succeeded(_ feed: Feed) -> Bool { known.withLock { $0.failing.remove(feed) != nil } }
}
