import Synchronization

/// The newest reading of an observation. Readers wait here for the next one.
///
/// It holds only the newest reading. Each reader keeps the reading that it saw last.
final class LatestValue<Row: Identifiable & Equatable & Sendable>: Sendable {
  /// What readers see.
  struct State: Sendable {
    var snapshot = Snapshot<Row>.empty
    /// The number of different readings so far.
    var generation = 0
    /// The current observation. Readings of earlier ones belong to previous windows and are ignored.
    var observation = 0
    /// The newest observation that delivered a reading.
    var answered = 0
    /// Why the observation ended; nil while it runs.
    var halt: Halt?
    var halts = 0
    var isOver = false

    var isObserved: Bool { observation > 0 && halt == nil && !isOver }

    fileprivate var version = 0
    fileprivate var tickets = 0
    fileprivate var waiting: [Int: CheckedContinuation<Halt?, Never>] = [:]
  }

  /// The end of an observation that nobody cancelled.
  struct Halt: Sendable {
    let number: Int
    /// nil if it ended without an error: the list will not change any more.
    let error: (any Error)?
  }

  private let state = Mutex(State())

  func read<Value: Sendable>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

  /// Begins a new observation and returns its number. Readings of earlier observations are ignored from now on.
  func open() -> Int {
    change { state in
      state.observation += 1
      state.halt = nil
      return true
    }
    return read(\.observation)
  }

  /// Records a reading of an observation. Returns false if no more readings of it are wanted.
  func record(_ snapshot: Snapshot<Row>, of observation: Int) -> Bool {
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
    return read { $0.observation == observation && !$0.isOver }
  }

  /// Records the end of an observation.
  func halt(_ error: (any Error)?, of observation: Int) {
    change { state in
      guard observation == state.observation, !state.isOver else { return false }
      state.halts += 1
      state.halt = Halt(number: state.halts, error: error)
      return true
    }
  }

  /// Ends all readers for good.
  func close() {
    change { state in
      state.isOver = true
      return true
    }
  }

  /// Waits until `body` returns a value. A reader that waits when the observation halts gets the halt, even if another
  /// observation begins at once.
  ///
  /// - Returns: The value; nil if the waiting task is cancelled.
  func first<Value: Sendable>(_ body: (State) -> Value?, orHalt halted: (Halt) -> Value) async -> Value? {
    while !Task.isCancelled {
      let (value, version) = state.withLock { (body($0), $0.version) }
      if let value { return value }
      if let halt = await change(since: version) { return halted(halt) }
    }
    return nil
  }

  /// Waits for a change. Returns the halt if the change is one; nil if it is not, or if the task is cancelled.
  private func change(since version: Int) async -> Halt? {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          // If the task was cancelled earlier, its handler found no continuation to resume.
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

  /// Changes the state, and wakes the readers if the body returns true.
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
