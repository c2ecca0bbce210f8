import Dispatch
import Glibc
import Synchronization

/// Limits how long a call into libcurl lasts. A thread beside the driver's shuts down the socket that keeps the call
/// busy.
///
/// libcurl keeps reading within a call while the input completes nothing, such as empty HTTP/2 frames. A server that
/// sends those without end would block the driver's thread: no deadlines, no other sockets, no cancellation. The socket
/// that such a call reads from is the one that blocks the thread. The measure is the thread's processor time, so a slow
/// disk, a busy machine or a stopped program never causes a shutdown.
final class CallWatchdog: Sendable {
  private struct State: Sendable {
    var isNeeded = false
    var isStarted = false
    /// Whether the thread sleeps until it is needed.
    var isIdle = false
    var isOver = false
    var shut: Set<Int> = []
  }

  private static let interval = DispatchTimeInterval.milliseconds(250)

  /// The maximum processor time of a call that reads one socket. If no socket is seen to be read, all sockets are shut
  /// down after ten times that: either the kernel does not report it, or something else holds the thread.
  private let longest: Duration
  let sockets: OpenSockets
  /// How often a call began or ended: odd during a call.
  private let callMarks = Atomic(0)
  private let clock = Atomic<clockid_t>(CLOCK_MONOTONIC)
  private let didShut = Atomic(false)
  private let state = Mutex(State())
  private let semaphore = DispatchSemaphore(value: 0)

  init(sockets: OpenSockets = OpenSockets(), longest: Duration = .milliseconds(500)) {
    (self.sockets, self.longest) = (sockets, longest)
  }

  /// Makes the current thread the one that is watched.
  func watchThisThread() {
    var own: clockid_t = 0
    if pthread_getcpuclockid(pthread_self(), &own) == 0 { clock.store(own, ordering: .releasing) }
  }

  /// Runs a call into libcurl.
  func during<Value>(_ call: () -> Value) -> Value {
    callMarks.add(1, ordering: .releasing)
    defer { callMarks.add(1, ordering: .releasing) }
    return call()
  }

  /// Starts checking, or stops after the next check. So fetching one page after another wakes no thread.
  func setNeeded(_ isNeeded: Bool) {
    let (isNew, isResting) = state.withLock { state in
      defer {
        state.isNeeded = isNeeded
        if isNeeded { (state.isStarted, state.isIdle) = (true, false) }
      }
      return (isNeeded && !state.isStarted, isNeeded && state.isIdle)
    }
    if isNew { start() }
    if isResting { semaphore.signal() }
  }

  func end() {
    state.withLock { $0.isOver = true }
    semaphore.signal()
  }

  /// Removes and returns the local ports of the sockets that were shut down since the last call.
  func drainShutPorts() -> Set<Int> {
    guard didShut.load(ordering: .acquiring) else { return [] }
    return state.withLock { state in
      didShut.store(false, ordering: .relaxed)
      defer { state.shut = [] }
      return state.shut
    }
  }

  private func start() {
    DetachedThread.start("media.watch") { [self] in
      var suspicion: SuspectedCall?
      while waitForNextCheck() { suspicion = check(suspicion) }
    }
  }

  /// Waits for the next check. Returns false if there is none.
  private func waitForNextCheck() -> Bool {
    let isIdle = state.withLock { state in
      state.isIdle = !state.isNeeded && !state.isOver
      return state.isIdle
    }
    if isIdle { semaphore.wait() }
    _ = semaphore.wait(timeout: .now() + Self.interval)
    return state.withLock { !$0.isOver }
  }

  /// A call that was seen, and its processor time and byte counts then.
  private struct SuspectedCall {
    var mark: Int
    var time: Duration
    var read: [Int32: UInt64]
  }

  private func check(_ earlier: SuspectedCall?) -> SuspectedCall? {
    let mark = callMarks.load(ordering: .acquiring)
    guard mark & 1 == 1 else { return nil }
    guard let earlier, earlier.mark == mark else {
      return SuspectedCall(mark: mark, time: processorTime, read: sockets.read())
    }
    let spent = processorTime - earlier.time
    guard spent >= longest else { return earlier }
    let read = sockets.read()
    let busiest = read.map { (socket: $0.key, bytes: $0.value - min($0.value, earlier.read[$0.key] ?? 0)) }
      .max { $0.bytes < $1.bytes }
    guard let busiest, busiest.bytes > 0 else {
      if spent < longest * 10 { return earlier }
      shut(sockets.all, mark)
      return nil
    }
    shut([busiest.socket], mark)
    return nil
  }

  /// Shuts down these sockets, unless the call has ended.
  private func shut(_ suspects: [Int32], _ mark: Int) {
    state.withLock { state in
      guard callMarks.load(ordering: .acquiring) == mark else { return }
      // Set the flag first: the driver may leave its call before the port is recorded, and then waits for the lock.
      didShut.store(true, ordering: .releasing)
      state.shut.formUnion(sockets.shut(suspects))
    }
  }

  /// The processor time of the driver's thread.
  private var processorTime: Duration {
    var time = timespec()
    guard clock_gettime(clock.load(ordering: .acquiring), &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
