import CCurl
import Foundation

/// The one thread that touches transfers. Everything here happens on it; `Inbox` is how others reach it, and hand it work.
final class Driver {
  private let curl: Curl
  private let multi: UnsafeMutableRawPointer
  private let surroundings: Surroundings
  private let sockets: Sockets
  private let watch = Watch()
  private let neighbourhood = Neighbourhood()
  private var requests: Lane
  private var downloads: Lane
  private var running: [UnsafeMutableRawPointer: Transfer] = [:]
  private var idle: [UnsafeMutableRawPointer] = []
  /// The local ports of the sockets that held the thread in its last call, and were shut.
  private var shut: Set<Int> = []

  init?(_ curl: Curl, limits: Session.Limits, surroundings: Surroundings) {
    let most = limits.downloads + limits.requests
    guard let multi = curl_door_multi(curl.door, most) else { return nil }
    self.curl = curl
    self.multi = multi
    sockets = Sockets(curl, multi, watch)
    self.surroundings = surroundings
    requests = Lane(most: limits.requests, mostPerHost: limits.requests)
    downloads = Lane(most: limits.downloads, mostPerHost: limits.downloadsPerHost)
  }

  var bell: Bell { Bell(curl: curl, multi: multi) }

  /// Runs transfers until the inbox closes, then ends those left as cancelled.
  func run(inbox: Inbox) {
    blockSignals()
    watch.watchThisThread()
    var ready: [Sockets.Ready] = []
    var turns = 0
    while true {
      let begin = ContinuousClock.now
      let mail = takeIn(inbox)
      if mail.closing { break }
      startWaiting()
      let ended = turn(ready)
      ready = []
      forgive(begin.duration(to: .now))
      turns += 1
      let mayRest = !ended && !endLate() && mail.jobs.isEmpty && inbox.mayWait()
      // Work that never ends must not keep the thread from its sockets.
      guard mayRest || turns >= Self.rounds else { continue }
      turns = 0
      let (rest, wait) = (ContinuousClock.now, mayRest ? untilNextDeadline() : 0)
      ready = sockets.wait(milliseconds: wait)
      forgive(rest.duration(to: .now) - .milliseconds(wait))
    }
    for easy in Array(running.keys) { stop(easy)?.finish(.failure(.cancelled)) }
    for transfer in requests.clear() + downloads.clear() { transfer.finish(.failure(.cancelled)) }
  }

  func dismantle() {
    idle.forEach { curl_door_free_easy(curl.door, $0) }
    watch.during { curl_door_free_multi(curl.door, multi) }
    watch.end()
  }

  /// Signals are for other threads, and a peer that hung up must not end the program by SIGPIPE: told to keep its hands
  /// off signals (CURLOPT_NOSIGNAL), libcurl leaves that one to us.
  private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// Takes what others left and does the work among it, and what comes of that, for a while. Returns what it took last;
  /// where there is work in it, there may be more.
  private func takeIn(_ inbox: Inbox) -> Inbox.Mail {
    var mail = Inbox.Mail()
    for _ in 0..<Self.rounds {
      mail = inbox.take()
      for job in mail.jobs { job.runSynchronously(on: inbox.asUnownedTaskExecutor()) }
      mail.fresh.forEach(accept)
      mail.cancelled.forEach(cancel)
      if mail.closing || mail.jobs.isEmpty { break }
    }
    return mail
  }

  private static let rounds = 16

  /// Lets libcurl work and ends what it has finished; true when there was any, since a place may be free now. Whoever
  /// waits takes a place before the next socket is served. Where one held the thread the others come after the inbox.
  private func turn(_ ready: [Sockets.Ready]) -> Bool {
    sockets.goOn()
    var any = endFinished()
    for socket in ready where shut.isEmpty {
      sockets.goOn(with: socket)
      guard endFinished() else { continue }
      any = true
      startWaiting()
      sockets.goOn()
    }
    return any
  }

  private func accept(_ transfer: Transfer) {
    if transfer.isCancelled.load(ordering: .acquiring) { return transfer.finish(.failure(.cancelled)) }
    guard transfer.locate(curl) else { return transfer.finish(.failure(.invalidURL)) }
    transfer.place = .waiting
    if transfer.sink == nil { requests.wait(transfer) } else { downloads.wait(transfer) }
  }

  private func startWaiting() {
    while let transfer = requests.next() ?? downloads.next() {
      guard transfer.request.isStillWanted() else {
        end(transfer, .failure(.cancelled))
        continue
      }
      guard let easy = idle.popLast() ?? curl_door_easy(curl.door) else {
        end(transfer, .failure(.unreachable(host: transfer.host, reason: "out of memory")))
        continue
      }
      start(transfer, on: easy)
    }
  }

  private func start(_ transfer: Transfer, on easy: UnsafeMutableRawPointer) {
    transfer.neighbourhood = neighbourhood
    transfer.prepare(easy, curl, surroundings)
    sockets.prepare(easy)
    transfer.place = .running(easy)
    running[easy] = transfer
    if running.count == 1 { watch.attend(true) }
    if curl_door_add(curl.door, multi, easy) { return }
    _ = stop(easy)
    end(transfer, .failure(.unreachable(host: transfer.host, reason: "out of memory")))
  }

  /// Ends what libcurl has finished; true when there was any.
  private func endFinished() -> Bool {
    var any = false
    var code = CURLE_OK
    shut = watch.takeShut()
    while let easy = curl_door_ended(curl.door, multi, &code) {
      any = true
      // Whoever sent and sent, so that nothing came of it, did not answer in time.
      let wasShut = !shut.isEmpty && shut.contains(curl_door_get_long(curl.door, easy, CURLINFO_LOCAL_PORT))
      guard let transfer = stop(easy) else { continue }
      if wasShut, transfer.failure == nil { transfer.failure = .timedOut(host: transfer.host) }
      switch transfer.outcome(code, easy, curl) {
      case .again: start(transfer, on: idle.popLast() ?? easy)
      case .ended(let result): end(transfer, result)
      }
    }
    return any
  }

  /// Ends those whose deadline has passed; true when there was any.
  private func endLate() -> Bool {
    let now = ContinuousClock.now
    let late = running.filter { $0.value.deadline.map { $0 <= now } ?? false }
    for (easy, transfer) in late {
      _ = stop(easy)
      end(transfer, .failure(.timedOut(host: transfer.host)))
    }
    return !late.isEmpty
  }

  /// A turn of more than a second, or a rest much longer than was meant, is no server's fault: a disk that blocked, a
  /// program that was stopped, a computer that slept.
  private func forgive(_ pause: Duration) {
    guard pause > .seconds(1) else { return }
    for transfer in running.values { transfer.forgive(pause) }
  }

  /// Milliseconds; a minute where there is no deadline before.
  private func untilNextDeadline() -> Int32 {
    let next = running.values.compactMap(\.deadline).min()
    let left = next.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) } ?? 60_000
    return Int32(min(max(left.rounded(.up), 1), 60_000))
  }

  private func cancel(_ transfer: Transfer) {
    switch transfer.place {
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
    watch.during { curl_door_remove(curl.door, multi, easy) }
    idle.append(easy)
    let transfer = running.removeValue(forKey: easy)
    if running.isEmpty { watch.attend(false) }
    transfer?.releaseFields(curl)
    return transfer
  }

  private func end(_ transfer: Transfer, _ result: Result<Response, TransportError>) {
    if transfer.sink == nil { requests.leave(transfer) } else { downloads.leave(transfer) }
    transfer.finish(result)
  }
}
