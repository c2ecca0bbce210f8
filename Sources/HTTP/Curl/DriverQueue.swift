import CCurl
import Machine
import Synchronization

/// How other threads reach the driver thread: they leave transfers here and wake it.
final class DriverQueue: Sendable {
  /// The work that waits for the thread.
  struct PendingWork: Sendable {
    var submitted: [Transfer] = []
    var cancelled: [Transfer] = []
    var closing = false

    var isEmpty: Bool { submitted.isEmpty && cancelled.isEmpty && !closing }
  }

  private struct State: Sendable {
    var mail = PendingWork()
    var running = false
    /// Whether the thread waits. If it does not, it reads the inbox before it waits, and a wake-up would cost both
    /// sides a needless system call.
    var isWaiting = false
    var wakeup: Wakeup?
    var joining: [CheckedContinuation<Void, Never>] = []

    /// Returns true if the caller must start the thread, which counts as running from then on.
    mutating func begin() -> Bool {
      defer { running = true }
      return !running
    }

    /// Wakes the thread, once.
    mutating func wake() {
      if isWaiting { wakeup?.wake() }
      isWaiting = false
    }
  }

  private let state = Mutex(State())
  private let limits: Session.Limits
  private let sessionEnvironment: SessionEnvironment

  init(limits: Session.Limits, sessionEnvironment: SessionEnvironment) {
    self.limits = limits
    self.sessionEnvironment = sessionEnvironment
  }

  /// Passes a transfer to the thread, which calls the completion exactly once. The first transfer starts the thread.
  func submit(_ transfer: Transfer, _ completion: @escaping Transfer.Completion) {
    transfer.completion = completion
    let (closed, isNew) = state.withLock { state in
      if state.mail.closing { return (true, false) }
      state.mail.submitted.append(transfer)
      state.wake()
      return (false, state.begin())
    }
    if closed { transfer.finish(.failure(.cancelled)) }
    if isNew { startThread() }
  }

  /// Starts the thread if none runs.
  func start() {
    if state.withLock({ !$0.mail.closing && $0.begin() }) { startThread() }
  }

  /// Asks the thread to end a transfer. A transfer that has not been passed to it yet ends on arrival.
  func cancel(_ transfer: Transfer) {
    transfer.isCancelled.store(true, ordering: .releasing)
    state.withLock { state in
      guard state.running else { return }
      state.mail.cancelled.append(transfer)
      state.wake()
    }
  }

  func close() {
    state.withLock { state in
      state.mail.closing = true
      state.wake()
    }
  }

  /// Returns when the thread has ended, or at once if none runs.
  func ended() async {
    await withCheckedContinuation { continuation in
      let running = state.withLock { state in
        if state.running { state.joining.append(continuation) }
        return state.running
      }
      if !running { continuation.resume() }
    }
  }

  /// Removes and returns the work that arrived since the last call.
  func drain() -> PendingWork {
    state.withLock { state in
      defer { state.mail = PendingWork(closing: state.mail.closing) }
      state.isWaiting = false
      return state.mail
    }
  }

  /// Returns true if the thread may wait: no work has arrived since the last call, and new work will wake it.
  func mayWait() -> Bool {
    state.withLock { state in
      state.isWaiting = state.mail.isEmpty
      return state.isWaiting
    }
  }

  private func startThread() {
    let isStarted = DetachedThread.start("media.http") { [self] in
      guard let curl = Curl.library, let driver = Driver(curl, limits: limits, sessionEnvironment: sessionEnvironment)
      else {
        let reason = SystemLibrary.missing("libcurl.so.4")
        return end { $0.finish(.failure(.noHTTP(host: "", reason: reason))) }
      }
      state.withLock { $0.wakeup = driver.wakeup }
      driver.run(inbox: self)
      state.withLock { $0.wakeup = nil }
      driver.dismantle()
      end { $0.finish(.failure(.cancelled)) }
    }
    if !isStarted { end { $0.finish(.failure(.unreachable(host: "", reason: "the system creates no thread"))) } }
  }

  /// Ends late work and resumes the tasks that wait for the thread's end. The thread does this last.
  private func end(_ finish: (Transfer) -> Void) {
    let (left, joining) = state.withLock { state in
      defer { state = State(mail: PendingWork(closing: state.mail.closing)) }
      return (state.mail, state.joining)
    }
    left.submitted.forEach(finish)
    joining.forEach { $0.resume() }
  }
}

/// Wakes the driver thread from any other thread.
///
/// Any thread may use the handle for this while it exists (curl_multi_wakeup(3)). The inbox clears its reference under
/// the lock that guards the wake-up, and the handle is freed only after that.
struct Wakeup: @unchecked Sendable {
  let curl: Curl
  let multi: UnsafeMutableRawPointer

  func wake() { curl_shim_wake(curl.shim, multi) }
}
