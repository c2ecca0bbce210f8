import Browse
import Machine
import MediaLibrary

/// Adds feeds that come to the library to the shown list, whichever process adds them.
struct FeedAnnouncer: Sendable {
  private let library: Library
  private let state: BrowsingState
  private let eventQueue: ScreenEventQueue
  private let work = BlockingExecutor("feeds")

  init(library: Library, state: BrowsingState, eventQueue: ScreenEventQueue) {
    (self.library, self.state, self.eventQueue) = (library, state, eventQueue)
  }

  /// Reports a change of the list's feeds to the screen. If reading fails, the list's reader reports it.
  func announce() async {
    guard let known = try? await work.run({ [library] in try library.store.feedsOfLists() }) else { return }
    if let scope = state.join(known) { eventQueue.post(.joined(scope)) }
  }
}
