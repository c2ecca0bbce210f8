import Synchronization

/// Limits how many tasks run at once. Tasks wait for a permit in the order of arrival.
final class AsyncSemaphore: Sendable {
  private struct State: Sendable {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Runs work with a permit. A cancelled task waits, too: the permits' holders are cancelled with it.
  func use<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    await acquire()
    defer { release() }
    return try await work()
  }

  private func acquire() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  private func release() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
