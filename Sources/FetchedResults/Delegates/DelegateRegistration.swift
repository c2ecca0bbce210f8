import Synchronization

/// The registration of a controller's delegate. Delegates have sessions, one after another.
final class DelegateRegistration: Sendable {
  /// The time for which one delegate is registered.
  final class Session: Sendable {
    private let ended = Atomic(false)

    var isOver: Bool { ended.load(ordering: .acquiring) }

    fileprivate func end() { ended.store(true, ordering: .releasing) }
  }

  private struct State: Sendable {
    var session = Session()
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// Ends the current session and begins the next. The new session waits for the earlier one's task, so that no two
  /// delegates are called at once.
  func begin() -> (session: Session, earlier: Task<Void, Never>?) {
    state.withLock { state in
      state.session.end()
      state.task?.cancel()
      state.session = Session()
      return (state.session, state.task)
    }
  }

  /// Stores the task that calls the delegate of a session.
  func keep(_ task: Task<Void, Never>, for session: Session) {
    state.withLock { state in
      if state.session === session { state.task = task } else { task.cancel() }
    }
  }

  /// Returns when no delegate is called any more. The `LatestValue` must be closed.
  func ended() async { await state.withLock(\.task)?.value }
}
