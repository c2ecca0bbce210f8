import CCurl
import Foundation
import Synchronization

/// How the rest of the program reaches the driver thread: it leaves transfers and tasks' jobs here and wakes the thread.
final class Inbox: TaskExecutor {
  /// What lies here for the thread.
  struct Mail: Sendable {
    var fresh: [Transfer] = []
    var cancelled: [Transfer] = []
    var jobs: [UnownedJob] = []
    var closing = false

    var isEmpty: Bool { fresh.isEmpty && cancelled.isEmpty && jobs.isEmpty && !closing }
  }

  private struct State: Sendable {
    var mail = Mail()
    var running = false
    /// Whether the thread waits: else it looks here before it does, and to ring would cost both sides a call for nothing.
    var isWaiting = false
    var bell: Bell?
    var joining: [CheckedContinuation<Void, Never>] = []

    /// Whether a thread is to be started, which counts as running from now on.
    mutating func begin() -> Bool {
      defer { running = true }
      return !running
    }

    /// Wakes the thread, once.
    mutating func ring() {
      if isWaiting { bell?.ring() }
      isWaiting = false
    }
  }

  private let state = Mutex(State())
  private let limits: Session.Limits
  private let surroundings: Surroundings

  init(limits: Session.Limits, surroundings: Surroundings) {
    self.limits = limits
    self.surroundings = surroundings
  }

  /// Hands a transfer to the thread, which resumes the continuation exactly once; the first one starts the thread.
  func submit(_ transfer: Transfer, _ continuation: Transfer.Continuation) {
    transfer.continuation = continuation
    let (closed, isNew) = state.withLock { state in
      if state.mail.closing { return (true, false) }
      state.mail.fresh.append(transfer)
      state.ring()
      return (false, state.begin())
    }
    if closed { transfer.finish(.failure(.cancelled)) }
    if isNew { startThread() }
  }

  /// Has the thread do a task's job. Where no thread can, as after the end, it is done where jobs usually are.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (closed, isNew) = state.withLock { state in
      if state.mail.closing { return (true, false) }
      state.mail.jobs.append(job)
      state.ring()
      return (false, state.begin())
    }
    if closed { Self.handOn(job) }
    if isNew { startThread() }
  }

  private static func handOn(_ job: UnownedJob) { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }

  /// Starts the thread, where none runs.
  func start() {
    if state.withLock({ !$0.mail.closing && $0.begin() }) { startThread() }
  }

  /// Asks the thread to end a transfer. One that is not handed over yet is ended when it comes.
  func cancel(_ transfer: Transfer) {
    transfer.isCancelled.store(true, ordering: .releasing)
    state.withLock { state in
      guard state.running else { return }
      state.mail.cancelled.append(transfer)
      state.ring()
    }
  }

  func close() {
    state.withLock { state in
      state.mail.closing = true
      state.ring()
    }
  }

  /// Returns when the thread has ended, at once where none runs.
  func ended() async {
    await withCheckedContinuation { continuation in
      let running = state.withLock { state in
        if state.running { state.joining.append(continuation) }
        return state.running
      }
      if !running { continuation.resume() }
    }
  }

  /// What came since the last look.
  func take() -> Mail {
    state.withLock { state in
      defer { state.mail = Mail(closing: state.mail.closing) }
      state.isWaiting = false
      return state.mail
    }
  }

  /// Whether the thread may wait: nothing came since the last look, and what comes until the next one rings.
  func mayWait() -> Bool {
    state.withLock { state in
      state.isWaiting = state.mail.isEmpty
      return state.isWaiting
    }
  }

  private func startThread() {
    let thread = Thread { [self] in
      guard let curl = Curl.library, let driver = Driver(curl, limits: limits, surroundings: surroundings) else {
        return end { $0.finish(.failure(.unreachable(host: "", reason: "libcurl (libcurl.so.4) is not installed"))) }
      }
      state.withLock { $0.bell = driver.bell }
      driver.run(inbox: self)
      state.withLock { $0.bell = nil }
      driver.dismantle()
      end { $0.finish(.failure(.cancelled)) }
    }
    thread.name = "media.http"
    thread.start()
  }

  /// The thread's last act: what still came is ended, whoever waits for the end goes on.
  private func end(_ leave: (Transfer) -> Void) {
    let (left, joining) = state.withLock { state in
      defer { state = State(mail: Mail(closing: state.mail.closing)) }
      return (state.mail, state.joining)
    }
    left.fresh.forEach(leave)
    left.jobs.forEach(Self.handOn)
    joining.forEach { $0.resume() }
  }
}

/// Wakes the driver thread from any other.
///
/// The handle may be used for this by any thread while it lives (curl_multi_wakeup(3)). It lives: the inbox drops its
/// bell under the lock it rings it under, and only then is the handle taken apart.
struct Bell: @unchecked Sendable {
  let curl: Curl
  let multi: UnsafeMutableRawPointer

  func ring() { curl_door_wake(curl.door, multi) }
}
