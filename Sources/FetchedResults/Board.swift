import Synchronization

/// Where the observation leaves its readings, and where readers wait for the next one.
///
/// It holds the newest reading alone: what a reader saw before, the reader holds itself.
final class Board<Row: Identifiable & Equatable & Sendable>: Sendable {
  /// All that readers look at.
  struct State: Sendable {
    var snapshot = Snapshot<Row>.empty
    /// How many different readings there were.
    var generation = 0
    /// Which observation's readings count: those of earlier ones are of windows that were left.
    var observation = 0
    /// The newest observation that gave a reading.
    var answered = 0
    /// Why the observation does not go on, while it does not.
    var halt: Halt?
    var halts = 0
    var isOver = false

    var isObserved: Bool { observation > 0 && halt == nil && !isOver }

    fileprivate var version = 0
    fileprivate var tickets = 0
    fileprivate var waiting: [Int: CheckedContinuation<Halt?, Never>] = [:]
  }

  /// The end of an observation that was not asked for.
  struct Halt: Sendable {
    let number: Int
    /// nil where it ended without an error: the list will not change any more.
    let error: (any Error)?
  }

  private let state = Mutex(State())

  func look<Value: Sendable>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

  /// A new observation's number: from now on, its readings alone count.
  func open() -> Int {
    change { state in
      state.observation += 1
      state.halt = nil
      return true
    }
    return look(\.observation)
  }

  /// Takes an observation's reading; false where nobody waits for any more of them.
  func take(_ snapshot: Snapshot<Row>, of observation: Int) -> Bool {
    change { state in
      guard observation == state.observation, !state.isOver else { return false }
      let isFirst = state.answered < observation
      state.answered = observation
      if state.generation == 0 || state.snapshot != snapshot {
        state.snapshot = snapshot
        state.generation += 1
        return true
      }
      return isFirst
    }
    return look { $0.observation == observation && !$0.isOver }
  }

  /// Takes the end of an observation.
  func halt(_ error: (any Error)?, of observation: Int) {
    change { state in
      guard observation == state.observation, !state.isOver else { return false }
      state.halts += 1
      state.halt = Halt(number: state.halts, error: error)
      return true
    }
  }

  /// Ends all reading, for good.
  func close() {
    change { state in
      state.isOver = true
      return true
    }
  }

  /// Waits until there is something to see. Whoever waits when the observation halts is told so, even if another one
  /// begins at once. nil where the waiting task is cancelled.
  func first<Value: Sendable>(_ look: (State) -> Value?, orHalt halted: (Halt) -> Value) async -> Value? {
    while !Task.isCancelled {
      let (value, version) = state.withLock { (look($0), $0.version) }
      if let value { return value }
      if let halt = await change(since: version) { return halted(halt) }
    }
    return nil
  }

  /// Waits for a change. The halt, where the change is one; nil where it is another, or the task is cancelled.
  private func change(since version: Int) async -> Halt? {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          // A task that is cancelled before this has no continuation yet that its handler could resume.
          guard state.version == version, !Task.isCancelled else { return false }
          state.waiting[ticket] = continuation
          return true
        }
        if !mustWait { continuation.resume(returning: nil) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: nil)
    }
  }

  /// Changes the state and, where the body says that readers should look, wakes them.
  private func change(_ body: (inout State) -> Bool) {
    let (woken, halt) = state.withLock { state in
      guard body(&state) else { return ([CheckedContinuation<Halt?, Never>](), Halt?.none) }
      state.version += 1
      defer { state.waiting = [:] }
      return (Array(state.waiting.values), state.halt)
    }
    woken.forEach { $0.resume(returning: halt) }
  }
}
