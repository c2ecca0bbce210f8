import Harvest
import Machine
import MediaLibrary
import Posts
import Synchronization

/// Remembers which list the user chose, once it has posts: a mistyped one has none.
final class ListMemory: Sendable {
  private let library: Library
  private let locks: FeedLocks
  private let note: @Sendable (String) async -> Void
  private let work = BlockingExecutor("memory")
  private let chosen = Mutex<(text: String, feeds: [Feed])?>(nil)

  /// Creates a memory.
  ///
  /// - Parameter note: Receives what to remember.
  init(library: Library, locks: FeedLocks, note: @escaping @Sendable (String) async -> Void) {
    (self.library, self.locks, self.note) = (library, locks, note)
  }

  /// Handles a choice.
  func choose(_ text: String, _ feeds: [Feed]) async {
    chosen.withLock { $0 = (text, feeds) }
    await settle()
  }

  /// Checks whether the chosen list has posts. Call it after each pull.
  func settle() async {
    guard let (text, feeds) = chosen.withLock({ $0 }),
      let hasCome = try? await work.run({ [library] in try feeds.contains { try library.store.hasPosts(of: $0) } }),
      hasCome
    else { return }
    chosen.withLock { if $0?.text == text { $0 = nil } }
    await note(text)
  }

  /// Removes a feed that never returned a post, unless it is followed, or another process is pulling it.
  func forget(_ feed: Feed) async {
    _ = try? await work.run { [library, locks] in locks.isHeld(feed) ? false : try library.store.forgetEmpty(feed) }
  }
}
