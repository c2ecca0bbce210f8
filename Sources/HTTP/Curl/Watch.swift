import Dispatch
import Foundation
import Synchronization

/// Sees to it that no call into libcurl lasts: a thread beside the driver's, which shuts the socket that holds it.
///
/// libcurl reads on within a call while what comes ends nothing, such as the empty frames of HTTP/2, and a server that
/// sends those without end would have the driver's thread for itself: no deadline is looked at, nobody else's socket,
/// no cancellation. The socket that bytes are read from in such a call is the one that holds the thread. The measure is
/// the thread's processor time, so that a slow disk, a full machine or a stopped program is no reason to shut anything.
final class Watch: Sendable {
  private struct State: Sendable {
    var isNeeded = false
    var isStarted = false
    /// Whether the thread waits until it is needed.
    var rests = false
    var isOver = false
    var shut: Set<Int> = []
  }

  private static let interval = DispatchTimeInterval.milliseconds(250)

  /// The most processor time of a call in which one socket is read. If none is seen to be read, because the kernel does
  /// not tell it or because another thing holds the thread, all are shut after ten times that.
  private let longest: Duration
  let sockets: OpenSockets
  /// How often a call began or ended: it is odd during one.
  private let marks = Atomic(0)
  private let clock = Atomic<clockid_t>(CLOCK_MONOTONIC)
  private let didShut = Atomic(false)
  private let state = Mutex(State())
  private let bell = DispatchSemaphore(value: 0)

  init(sockets: OpenSockets = OpenSockets(), longest: Duration = .milliseconds(500)) {
    (self.sockets, self.longest) = (sockets, longest)
  }

  /// Says which thread it is that calls: this one.
  func watchThisThread() {
    var own: clockid_t = 0
    if pthread_getcpuclockid(pthread_self(), &own) == 0 { clock.store(own, ordering: .releasing) }
  }

  /// Runs a call into libcurl.
  func during<Value>(_ call: () -> Value) -> Value {
    marks.add(1, ordering: .releasing)
    defer { marks.add(1, ordering: .releasing) }
    return call()
  }

  /// Looks from now on, or rests from the next look on: who asks for one page after the other wakes nobody.
  func attend(_ isNeeded: Bool) {
    let (isNew, isResting) = state.withLock { state in
      defer {
        state.isNeeded = isNeeded
        if isNeeded { (state.isStarted, state.rests) = (true, false) }
      }
      return (isNeeded && !state.isStarted, isNeeded && state.rests)
    }
    if isNew { start() }
    if isResting { bell.signal() }
  }

  func end() {
    state.withLock { $0.isOver = true }
    bell.signal()
  }

  /// The local ports of the sockets that were shut since the last time.
  func takeShut() -> Set<Int> {
    guard didShut.load(ordering: .acquiring) else { return [] }
    return state.withLock { state in
      didShut.store(false, ordering: .relaxed)
      defer { state.shut = [] }
      return state.shut
    }
  }

  private func start() {
    let thread = Thread { [self] in
      var suspicion: Suspicion?
      while goesOn() { suspicion = look(suspicion) }
    }
    thread.name = "media.watch"
    thread.start()
  }

  /// Waits for the next look; false when there is none.
  private func goesOn() -> Bool {
    let rests = state.withLock { state in
      state.rests = !state.isNeeded && !state.isOver
      return state.rests
    }
    if rests { bell.wait() }
    _ = bell.wait(timeout: .now() + Self.interval)
    return state.withLock { !$0.isOver }
  }

  /// A call that was seen, and how things stood then.
  private struct Suspicion {
    var mark: Int
    var time: Duration
    var read: [Int32: UInt64]
  }

  private func look(_ earlier: Suspicion?) -> Suspicion? {
    let mark = marks.load(ordering: .acquiring)
    guard mark & 1 == 1 else { return nil }
    guard let earlier, earlier.mark == mark else {
      return Suspicion(mark: mark, time: processorTime, read: sockets.read())
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

  /// Shuts these, unless the call ended meanwhile.
  private func shut(_ those: [Int32], _ mark: Int) {
    state.withLock { state in
      guard marks.load(ordering: .acquiring) == mark else { return }
      // First: the driver may be out of its call before the socket is noted, and waits for that then.
      didShut.store(true, ordering: .releasing)
      state.shut.formUnion(sockets.shut(those))
    }
  }

  /// What the driver's thread has used.
  private var processorTime: Duration {
    var time = timespec()
    guard clock_gettime(clock.load(ordering: .acquiring), &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
