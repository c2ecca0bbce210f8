import Browse
import Synchronization
import Terminal

/// What others have to tell the list's screen, kept until its thread reads it.
final class Mailbox: Sendable {
  let bell: Doorbell
  private let events = Mutex<[ScreenEvent]>([])

  init() throws { bell = try Doorbell() }

  /// Leaves an event and wakes the screen.
  func post(_ event: ScreenEvent) {
    events.withLock { $0.append(event) }
    bell.ring()
  }

  /// All events that were left, in their order.
  func take() -> [ScreenEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
