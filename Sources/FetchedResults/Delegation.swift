import Synchronization

/// Who is told of a controller's changes now: one delegate's term after another.
final class Delegation: Sendable {
  /// The time in which one delegate is told.
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

  /// Ends the present term and begins the next. The task of the one before is handed back: no two delegates are told
  /// at once.
  func begin() -> (term: Term, earlier: Task<Void, Never>?) {
    state.withLock { state in
      state.term.end()
      state.task?.cancel()
      state.term = Term()
      return (state.term, state.task)
    }
  }

  /// Takes the task that tells the delegate of a term.
  func keep(_ task: Task<Void, Never>, for term: Term) {
    state.withLock { state in
      if state.term === term { state.task = task } else { task.cancel() }
    }
  }

  /// Returns when nobody is told any more: the board must be closed.
  func ended() async { await state.withLock(\.task)?.value }
}
