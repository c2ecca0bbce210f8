import FoundationEssentials
import Glibc
import HTTP
import Harvest
import Login
import Posts
import Services
import Terminal
import Transfer

/// Builds transports over the process's only session, so that all requests share connections and limits.
struct TransportFactory: Sendable {
  private let session: Session
  private let console: Console
  private let time: TimeSource
  private let machineTime: TimeSource
  /// Whether a wrong clock was reported.
  private let clockNotice = Once()
  /// The answers by which this process found feeds.
  private let found: FoundAnswers
  /// What servers gave for the proofs of logins.
  private let nonces = ProofNonces()
  /// Keeps what pulls ask and what comes; nil if nobody wants it. Logins are never kept: they use `transport`.
  var capture: WARCCapture?
  /// Counts all requests; nil if nobody collects what they come to.
  var tally: RequestTally?

  /// - Parameters:
  ///   - session: The process's session.
  ///   - console: Where messages go.
  ///   - time: The time by which the library goes.
  ///   - machineTime: This machine's, of which is said if it is wrong.
  ///   - cache: A folder for answers that a later process needs.
  init(session: Session, console: Console, time: TimeSource, machineTime: TimeSource, cache: String) {
    (self.session, self.console, self.time, self.machineTime) = (session, console, time, machineTime)
    found = FoundAnswers(KeptAnswers(in: "\(cache)/answers", now: time.now))
  }

  /// Keeps the answers by which feeds were found for the first pull of them.
  func keepFound() { found.keep() }

  /// Prepares the network, concurrently with what precedes the first request.
  func prepare() {
    // A thread's heap grows page by page, with a system call each, which wait for the threads that load libcurl.
    let pieces = (0..<8).map { _ in malloc(240 << 10) }
    pieces.forEach { free($0) }
    session.prepare()
  }

  /// The network with the default timeouts and retries.
  func transport(onWait: @escaping @Sendable (SafeText) -> Void) -> Transport {
    logged(web).patient(time: time) { onWait(Waiting.message(for: $0)) }
  }

  /// The network for a question that is answered soon or not at all: one try, for a limited time.
  func hasty(_ limit: Duration) -> Transport {
    let wire = logged(web)
    return Transport(
      send: { request throws(TransportError) in
        var request = request
        (request.patience, request.time) = (min(request.patience, limit), min(request.time, limit))
        return try await wire.send(request)
      }, download: wire.download)
  }

  /// The network for finding a feed, within its server's limits. Its pull begins with the answer that is found.
  func findingTransport(rates: RateGate, onWait: @escaping @Sendable (SafeText) -> Void) -> Transport {
    return found.keeping(rates.guarding(logged(capture?.capturing(web) ?? web))).patient(time: time) {
      onWait(Waiting.message(for: $0))
    }
  }

  /// The network for a pull that keeps to the servers' limits, and a counter of page requests, including retries.
  ///
  /// Failures of a picture host are not reported for each picture but at the end, and a requested delay once. `meter`
  /// measures the traffic, and `dialect` reads the limits of the pages' server. With `isFinding`, a later pull begins with the
  /// answers.
  func pullTransport(
    as account: Account? = nil, rates: RateGate, dialect: RateDialect = .common, metered meter: TrafficMeter? = nil,
    isFinding: Bool = false, onWait: @escaping @Sendable (SafeText) -> Void
  ) -> (transport: Transport, requests: @Sendable () -> Int) {
    let counter = RequestCounter()
    let once = Once()
    let clocks = ClockWatch(time: machineTime, once: clockNotice) { onWait($0) }
    let wire = clocks.watching((capture?.capturing(web) ?? web).authorized(as: account, nonces, time: time))
    let live = rates.guarding(logged(counter.counting(meter?.measuring(wire) ?? wire)))
    let asked = isFinding ? found.keeping(live) : found.answering(live, counter: counter)
    let pages = asked.patient(RetryPolicy(rates: dialect), time: time) { notice in
      report(notice, meter, onWait)
    }
    let pictures = live.patient(PictureFetcher.patience, time: time) { notice in
      if notice.asked, once.isFirst(notice.host) {
        report(notice, meter, onWait)
      } else {
        meter?.waits(notice, from: time.now())
        tally?.waits(notice, from: time.now())
      }
    }
    return (Transport(send: pages.send, download: pictures.download), { counter.count })
  }

  /// Counts a wait and reports it, to the person and to a log.
  private func report(_ notice: WaitNotice, _ meter: TrafficMeter?, _ onWait: (SafeText) -> Void) {
    let (now, message) = (time.now(), Waiting.message(for: notice))
    meter?.waits(notice, from: now)
    tally?.waits(notice, from: now)
    onWait(message)
    let event = LogLine(
      .hostWaits, .notice, at: now, host: notice.host, seconds: notice.until.timeIntervalSince(now), message.text)
    if let events = meter?.events { events.add(event) } else { console.event(event) }
  }

  /// Opens a WebSocket at the address of a server that the person chose.
  func webSocket(to address: String) throws(WebSocketError) -> WebSocket {
    try session.webSocket(Request(.get, address, redirects: .nowhere(isUserChosen: false)))
  }

  /// The network itself.
  private var web: Transport {
    let transport = session.webTransport
    return tally?.counting(transport) ?? transport
  }

  /// With `--verbose`, reports each finished request.
  private func logged(_ transport: Transport) -> Transport {
    console.isVerbose ? RequestLog(console: console, time: time).logging(transport) : transport
  }
}
