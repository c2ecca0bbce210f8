import Browse
import Machine
import MediaLibrary

/// Opens pages and pictures for the list in other programs.
struct ListOpener: Sendable {
  let library: Library
  let settings: LibrarySettings
  let environment: [String: String]
  let eventQueue: ScreenEventQueue
  let viewer: Viewer
  private let work = BlockingExecutor("openings")

  init(
    library: Library, settings: LibrarySettings, viewer: Viewer, environment: [String: String],
    eventQueue: ScreenEventQueue
  ) {
    (self.library, self.settings, self.viewer) = (library, settings, viewer)
    (self.environment, self.eventQueue) = (environment, eventQueue)
  }

  func perform(_ effect: OpenEffect) async {
    switch effect {
    case .page(let url): Browser.open(url, environment)
    case .file(let blob, let name):
      do {
        try await work.run { [settings, library, viewer] in
          let line = try settings.read(in: library.store).opener
          try viewer.open(Viewer.File(blob: blob, name: name), with: line, onFailure: report)
        }
      } catch { report(error) }
    }
  }

  /// There is only one line: the failure, then what helps.
  private func report(_ error: any Error) {
    guard let error = error as? ViewerError else { return eventQueue.post(.problem(ListMessage.of(error))) }
    eventQueue.post(.problem([error.summary, error.cure].compactMap(\.self).joined(separator: " · ")))
  }
}
