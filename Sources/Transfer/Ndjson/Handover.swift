import Dispatch
import Synchronization

/// Hands elements from one thread to another, which works on one while the first prepares the next.
final class Handover<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    /// Set by the giver: what it ended with.
    var end: Result<Void, any Error>?
    /// Set by the taker: nothing is taken any more.
    var isRefused = false
  }

  private let state = Mutex(State())
  /// Signalled for each place, and for each element. A semaphore must not have fewer than at first when it goes.
  private let room = DispatchSemaphore(value: 0)
  private let elements = DispatchSemaphore(value: 0)

  /// - Parameter most: How many elements may wait.
  init(most: Int) { for _ in 0..<most { room.signal() } }

  /// Gives an element. Waits while too many are waiting.
  ///
  /// - Returns: False if nothing is taken any more.
  func give(_ element: Element) -> Bool {
    room.wait()
    let isTaken = state.withLock { state in
      if !state.isRefused { state.elements.append(element) }
      return !state.isRefused
    }
    if isTaken { elements.signal() } else { room.signal() }
    return isTaken
  }

  /// Says that nothing more comes, or why not. Only the first time counts.
  func end(_ result: Result<Void, any Error> = .success(())) {
    state.withLock { if $0.end == nil { $0.end = result } }
    elements.signal()
  }

  /// The next element; nil at the end. Waits for it.
  ///
  /// - Throws: What the giver ended with.
  func take() throws -> Element? {
    elements.wait()
    let (element, end) = state.withLock { ($0.elements.isEmpty ? nil : $0.elements.removeFirst(), $0.end) }
    if let element {
      room.signal()
      return element
    }
    // The next call finds the end again.
    elements.signal()
    try end?.get()
    return nil
  }

  /// Says that nothing is taken any more.
  func refuse() {
    state.withLock { ($0.isRefused, $0.elements) = (true, []) }
    room.signal()
  }

  /// Runs two parts at once, each on a thread: one gives, one takes. Returns when both have ended.
  ///
  /// - Parameters:
  ///   - give: Gives all elements, on another thread.
  ///   - take: Takes them, on the caller's thread.
  /// - Throws: What `take` throws, else what `give` throws.
  static func run<Value>(
    most: Int, giving give: @escaping (Handover) throws -> Void, taking take: (Handover) throws -> Value
  ) throws -> Value {
    let handover = Handover(most: most)
    let ended = DispatchSemaphore(value: 0)
    // Nothing else uses it until it has ended.
    nonisolated(unsafe) let give = give
    DispatchQueue(label: "transfer.handover").async {
      handover.end(Result { try give(handover) })
      ended.signal()
    }
    defer {
      handover.refuse()
      ended.wait()
    }
    return try take(handover)
  }
}
