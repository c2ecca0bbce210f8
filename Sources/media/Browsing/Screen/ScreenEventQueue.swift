import Browse
import Pictures
import Synchronization
import Terminal

/// Events for the list's screen, kept until its thread reads them.
final class ScreenEventQueue: Sendable {
  let bell: WakeupPipe
  private let closed = Atomic(false)
  private let events = Mutex<[ScreenEvent]>([])
  private let pictures = Mutex<[(PictureRequest, Result<DrawnPicture, DrawingFailure>)]>([])

  init() throws { bell = try WakeupPipe() }

  /// Appends an event and wakes the screen.
  func post(_ event: ScreenEvent) {
    events.withLock { $0.append(event) }
    bell.signal()
  }

  /// Whether the queue is closed because the screen is gone.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Closes the queue.
  func close() { closed.store(true, ordering: .releasing) }

  /// Removes and returns all events, in order.
  func drain() -> [ScreenEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }

  /// Appends the result of a picture and wakes the screen.
  func append(_ request: PictureRequest, _ result: Result<DrawnPicture, DrawingFailure>) {
    pictures.withLock { $0.append((request, result)) }
    bell.signal()
  }

  /// Removes and returns all picture results, in order.
  func drainPictures() -> [(PictureRequest, Result<DrawnPicture, DrawingFailure>)] {
    pictures.withLock { pictures in
      defer { pictures = [] }
      return pictures
    }
  }
}
