import Blocking
import Browse
import MediaLibrary

/// Opens pages and pictures for the list in other programs.
struct ListOpener: Sendable {
  let library: Library
  let app: App
  let mailbox: ScreenEventQueue
  let viewer: Viewer
  private let work = BlockingExecutor("openings")

  init(library: Library, app: App, mailbox: ScreenEventQueue) {
    (self.library, self.app, self.mailbox) = (library, app, mailbox)
    viewer = Viewer(blobs: app.blobs, environment: app.environment)
  }

  func perform(_ effect: Effect) async {
    switch effect {
    case .open(let url): Browser.open(url, app.environment)
    case .openFile(let blob):
      do {
        try await work.run { [app, library, viewer] in
          try viewer.open(blob, with: try app.settings(in: library.store).opener, onFailure: tell)
        }
      } catch { tell(error) }
    default: break
    }
  }

  /// There is only one line: the failure, then what helps.
  private func tell(_ error: any Error) {
    guard let error = error as? ViewerError else { return mailbox.post(.problem(ListWords.of(error))) }
    mailbox.post(.problem([error.summary, error.cure].compactMap(\.self).joined(separator: " · ")))
  }
}
