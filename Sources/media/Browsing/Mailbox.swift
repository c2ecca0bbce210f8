import Browse
import Pictures
import Synchronization
import Terminal

/// What others have to tell the list's screen, kept until its thread reads it.
final class Mailbox: Sendable {
  let bell: Doorbell
  private let closed = Atomic(false)
  private let events = Mutex<[ScreenEvent]>([])
  private let pictures = Mutex<[(PictureRequest, Result<DrawnPicture, DrawingFailure>)]>([])

  init() throws { bell = try Doorbell() }

  /// Leaves an event and wakes the screen.
  func post(_ event: ScreenEvent) {
    events.withLock { $0.append(event) }
    bell.ring()
  }

  /// Whether nobody reads it any more: the screen is gone.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Says that nobody reads it any more.
  func close() { closed.store(true, ordering: .releasing) }

  /// All events that were left, in their order.
  func take() -> [ScreenEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }

  /// Leaves what became of a picture and wakes the screen.
  func hand(_ request: PictureRequest, _ result: Result<DrawnPicture, DrawingFailure>) {
    pictures.withLock { $0.append((request, result)) }
    bell.ring()
  }

  /// All pictures that were left, in their order.
  func takePictures() -> [(PictureRequest, Result<DrawnPicture, DrawingFailure>)] {
    pictures.withLock { pictures in
      defer { pictures = [] }
      return pictures
    }
  }
}
