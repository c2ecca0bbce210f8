import CCurl
import Glibc

/// The only thread that uses transfers. Everything here runs on it; other threads reach it and pass it work through
/// `DriverQueue`.
final class Driver {
  private let curl: Curl
  private let multi: UnsafeMutableRawPointer
  private let sessionEnvironment: SessionEnvironment
  private let sockets: Sockets
  private let watch = CallWatchdog()
  private let neighbourhood = PrivateNetworkGuard()
  private var requests: TransferQueue
  private var downloads: TransferQueue
  private var pacing: HostPacing
  private var running: [UnsafeMutableRawPointer: Transfer] = [:]
  private var idle: [UnsafeMutableRawPointer] = []
  /// The local ports of the sockets that blocked the thread and were shut down, and since when. libcurl may end their
  /// transfers one after another.
  private var shut: [Int: ContinuousClock.Instant] = [:]
  /// Whether the last call blocked the thread.
  private var wasBlocked = false

  init?(_ curl: Curl, limits: Session.Limits, sessionEnvironment: SessionEnvironment) {
    let most = limits.downloads + limits.requests
    guard let multi = curl_shim_multi(curl.shim, most) else { return nil }
    self.curl = curl
    self.multi = multi
    sockets = Sockets(curl, multi, watch)
    self.sessionEnvironment = sessionEnvironment
    pacing = HostPacing(sessionEnvironment.hosts)
    requests = TransferQueue(most: limits.requests, mostPerHost: limits.requests)
    downloads = TransferQueue(most: limits.downloads, mostPerHost: limits.downloadsPerHost)
  }

  var wakeup: Wakeup { Wakeup(curl: curl, multi: multi) }

  /// Runs transfers until the inbox closes, then ends the remaining ones as cancelled.
  func run(inbox: DriverQueue) {
    blockSignals()
    watch.watchThisThread()
    var ready: [Sockets.Ready] = []
    var rounds = 0
    while true {
      let begin = ContinuousClock.now
      if receiveWork(inbox) { break }
      startQueued()
      let ended = serve(ready)
      ready = []
      excludePause(begin.duration(to: .now))
      rounds += 1
      let mayRest = !ended && !endOverdue() && inbox.mayWait()
      // Endless work must not keep the thread from its sockets.
      guard mayRest || rounds >= Self.maximumRounds else { continue }
      rounds = 0
      let (waitStart, wait) = (ContinuousClock.now, mayRest ? untilNextDeadline() : 0)
      ready = sockets.wait(milliseconds: wait)
      excludePause(waitStart.duration(to: .now) - .milliseconds(wait))
    }
    for easy in Array(running.keys) { stop(easy)?.finish(.failure(.cancelled)) }
    for transfer in requests.clear() + downloads.clear() { transfer.finish(.failure(.cancelled)) }
  }

  func dismantle() {
    idle.forEach { curl_shim_free_easy(curl.shim, $0) }
    watch.during { curl_shim_free_multi(curl.shim, multi) }
    watch.end()
  }

  /// Other threads handle signals. A closed connection must not end the program by SIGPIPE: with CURLOPT_NOSIGNAL,
  /// libcurl leaves that signal to the program.
  private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// Receives work from the inbox. Returns whether the inbox is closed.
  private func receiveWork(_ inbox: DriverQueue) -> Bool {
    let work = inbox.drain()
    work.submitted.forEach(accept)
    work.cancelled.forEach(cancel)
    return work.closing
  }

  private static let maximumRounds = 16

  /// Lets libcurl work, then ends the transfers that it has finished. Returns true if there were any, since that may
  /// free a slot. A queued transfer gets a free slot before the next socket is served. If a socket blocked the thread,
  /// the remaining ones wait until the inbox has been read.
  private func serve(_ ready: [Sockets.Ready]) -> Bool {
    sockets.continueTransfers()
    var any = endFinished()
    for socket in ready where !wasBlocked {
      sockets.continueTransfers(on: socket)
      guard endFinished() else { continue }
      any = true
      startQueued()
      sockets.continueTransfers()
    }
    return any
  }

  private func accept(_ transfer: Transfer) {
    if transfer.isCancelled.load(ordering: .acquiring) { return transfer.finish(.failure(.cancelled)) }
    guard transfer.locate(curl) else { return transfer.finish(.failure(.invalidURL)) }
    transfer.state = .waiting
    if transfer.sink == nil { requests.enqueue(transfer) } else { downloads.enqueue(transfer) }
  }

  private func startQueued() {
    while let transfer = nextQueued() {
      guard transfer.request.isStillWanted() else {
        end(transfer, .failure(.cancelled))
        continue
      }
      guard let easy = idle.popLast() ?? curl_shim_easy(curl.shim) else {
        end(transfer, .failure(.unreachable(host: transfer.host, reason: "out of memory")))
        continue
      }
      start(transfer, on: easy)
    }
  }

  private func nextQueued() -> Transfer? {
    let now = ContinuousClock.now
    let mayStart = { [pacing] (transfer: Transfer) in pacing.mayStart(transfer.address, at: now) }
    guard let transfer = requests.next(where: mayStart) ?? downloads.next(where: mayStart) else { return nil }
    pacing.note(transfer.address, at: now)
    return transfer
  }

  private func start(_ transfer: Transfer, on easy: UnsafeMutableRawPointer) {
    transfer.neighbourhood = neighbourhood
    transfer.prepare(easy, curl, sessionEnvironment)
    sockets.prepare(easy)
    transfer.state = .running(easy)
    running[easy] = transfer
    if running.count == 1 { watch.setNeeded(true) }
    if curl_shim_add(curl.shim, multi, easy) { return }
    _ = stop(easy)
    end(transfer, .failure(.unreachable(host: transfer.host, reason: "out of memory")))
  }

  /// Ends the transfers that libcurl has finished. Returns true if there were any.
  private func endFinished() -> Bool {
    var any = false
    var code = CURLE_OK
    noteShut(watch.drainShutPorts())
    while let easy = curl_shim_next_finished(curl.shim, multi, &code) {
      any = true
      let wasShut = !shut.isEmpty && shut[curl_shim_get_long(curl.shim, easy, CURLINFO_LOCAL_PORT)] != nil
      guard let transfer = stop(easy) else { continue }
      if wasShut, transfer.failure == nil { transfer.failure = .endless(host: transfer.host) }
      switch transfer.outcome(code, easy, curl) {
      case .again: start(transfer, on: idle.popLast() ?? easy)
      case .ended(let result): end(transfer, result)
      }
    }
    return any
  }

  /// Remembers shut sockets for a short time: another connection may get the same port.
  private func noteShut(_ ports: Set<Int>) {
    wasBlocked = !ports.isEmpty
    guard wasBlocked || !shut.isEmpty else { return }
    let now = ContinuousClock.now
    shut = shut.filter { $0.value.duration(to: now) < .seconds(1) }
    for port in ports { shut[port] = now }
  }

  /// Ends the transfers whose deadline has passed. Returns true if there were any.
  private func endOverdue() -> Bool {
    let now = ContinuousClock.now
    let overdue = running.filter { $0.value.deadline.map { $0 <= now } ?? false }
    for (easy, transfer) in overdue {
      _ = stop(easy)
      end(transfer, .failure(.timedOut(host: transfer.host)))
    }
    return !overdue.isEmpty
  }

  /// No server causes a round of more than a second, or a wait much longer than intended. The cause is a disk that
  /// blocked, a program that was stopped, or a computer that slept.
  private func excludePause(_ pause: Duration) {
    guard pause > .seconds(1) else { return }
    for transfer in running.values { transfer.excludePause(pause) }
  }

  /// The milliseconds until the next deadline or the next request that waits for its host, a minute at most.
  private func untilNextDeadline() -> Int32 {
    let now = ContinuousClock.now
    let next = (running.values.compactMap(\.deadline) + [pacing.next(after: now)].compactMap(\.self)).min()
    let left = next.map { now.duration(to: $0) / .milliseconds(1) } ?? 60_000
    return Int32(min(max(left.rounded(.up), 1), 60_000))
  }

  private func cancel(_ transfer: Transfer) {
    switch transfer.state {
    case .waiting:
      if transfer.sink == nil { requests.remove(transfer) } else { downloads.remove(transfer) }
      transfer.finish(.failure(.cancelled))
    case .running(let easy):
      _ = stop(easy)
      end(transfer, .failure(.cancelled))
    case .outside: break
    }
  }

  private func stop(_ easy: UnsafeMutableRawPointer) -> Transfer? {
    watch.during { curl_shim_remove(curl.shim, multi, easy) }
    idle.append(easy)
    let transfer = running.removeValue(forKey: easy)
    if running.isEmpty { watch.setNeeded(false) }
    transfer?.releaseFields(curl)
    return transfer
  }

  private func end(_ transfer: Transfer, _ result: Result<Response, TransportError>) {
    if transfer.sink == nil { requests.release(transfer) } else { downloads.release(transfer) }
    transfer.finish(result)
  }
}
