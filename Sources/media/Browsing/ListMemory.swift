import Harvest
import MediaLibrary
import Posts
import Synchronization

/// Remembers what a person chose to see, once something of it has come: what is misspelt brings nothing.
final class ListMemory: Sendable {
  private let library: Library
  private let locks: FeedLocks
  private let note: @Sendable (String) async -> Void
  private let work = BlockingWork("memory")
  private let chosen = Mutex<(text: String, feeds: [Feed])?>(nil)

  /// `note` is told what to remember.
  init(library: Library, locks: FeedLocks, note: @escaping @Sendable (String) async -> Void) {
    (self.library, self.locks, self.note) = (library, locks, note)
  }

  /// Takes what was chosen.
  func choose(_ text: String, _ feeds: [Feed]) async {
    chosen.withLock { $0 = (text, feeds) }
    await settle()
  }

  /// Looks whether something of what was chosen has come. To be asked after each pull.
  func settle() async {
    guard let (text, feeds) = chosen.withLock({ $0 }),
      let hasCome = try? await work.run({ [library] in try feeds.contains { try library.store.hasPosts(of: $0) } }),
      hasCome
    else { return }
    chosen.withLock { if $0?.text == text { $0 = nil } }
    await note(text)
  }

  /// Forgets a feed of which nothing came, unless it is followed, or is being pulled by somebody else.
  func forget(_ feed: Feed) async {
    _ = try? await work.run { [library, locks] in locks.isHeld(feed) ? false : try library.store.forgetEmpty(feed) }
  }
}
