import Browse
import MediaLibrary
import Posts

/// Has feeds that come to the library take part in the list that is shown, whoever brought them.
struct FeedTeller: Sendable {
  private let library: Library
  private let state: BrowsingState
  private let mailbox: Mailbox
  private let work = BlockingWork("feeds")

  init(library: Library, state: BrowsingState, mailbox: Mailbox) {
    (self.library, self.state, self.mailbox) = (library, state, mailbox)
  }

  /// Tells the screen where other feeds than before feed its list. Where they cannot be read, whoever reads the list says
  /// so.
  func tell() async {
    guard let known = try? await work.run({ [library] in try library.store.feedsOfLists() }) else { return }
    if let place = state.join(known) { mailbox.post(.joined(place)) }
  }
}
