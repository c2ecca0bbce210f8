import Synchronization

/// The registration of a controller's delegate. Delegates have sessions, one after another.
final class Delegation: Sendable {
  /// The time for which one delegate is registered.
  final class Term: Sendable {
    private let ended = Atomic(false)

    var isOver: Bool { ended.load(ordering: .acquiring) }

    fileprivate func end() { ended.store(true, ordering: .releasing) }
  }

  private struct State: Sendable {
    var term = Term()
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// Ends the current session and begins the next. The new session waits for the earlier one's task, so that no two
  /// delegates are called at once.
  func begin() -> (term: Term, earlier: Task<Void, Never>?) {
    state.withLock { state in
      state.term.end()
      state.task?.cancel()
      state.term = Term()
      return (state.term, state.task)
    }
  }

  /// Stores the task that calls the delegate of a session.
  func keep(_ task: Task<Void, Never>, for term: Term) {
    state.withLock { state in
      if state.term === term { state.task = task } else { task.cancel() }
    }
  }

  /// Returns when no delegate is called any more. The `Board` must be closed.
  func ended() async { await state.withLock(\.task)?.value }
}
