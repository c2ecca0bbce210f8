import FoundationEssentials
import HTTP
import LibraryMetrics
import Posts
import Synchronization

/// What the requests of this process came to since it began, for Prometheus. No label holds a path, a query, a token or the
/// name of a person, and there is a bounded number of lines.
final class RequestTally: Sendable {
  /// What a request is for.
  private enum Use: String, CaseIterable {
    /// A page of posts, or another answer of a server.
    case page
    /// A picture, a video or another file.
    case file
  }

  private struct Line: Hashable {
    let host: String
    let use: Use
    let status: String

    var order: String { "\(host) \(use.rawValue) \(status)" }
  }

  private struct Waits {
    var count = 0
    var seconds = 0.0
  }

  private struct State {
    /// The hosts that have lines of their own. They keep them, so that no count falls.
    var hosts: Set<String> = []
    var requests: [Line: Int] = [:]
    var durations = Dictionary(uniqueKeysWithValues: Use.allCases.map { ($0, Histogram()) })
    var waits: [String: Waits] = [:]
    var pulls = ["done": 0, "failed": 0]
  }

  /// How many hosts have lines of their own: the first that are asked for pages. Pictures may lie on any number of hosts.
  static let mostHosts = 20
  private static let others = "other"

  private let state = Mutex(State())

  /// A transport whose requests are counted.
  func counting(_ transport: Transport) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        try await self.timed(request, .page) { () async throws(TransportError) in try await transport.send(request) }
      },
      download: { request, sink throws(TransportError) in
        try await self.timed(request, .file) { () async throws(TransportError) in
          try await transport.download(request, sink)
        }
      })
  }

  private func timed(
    _ request: Request, _ use: Use, _ work: () async throws(TransportError) -> Response
  ) async throws(TransportError) -> Response {
    let start = ContinuousClock.now
    do {
      let response = try await work()
      add(request, use, "\(response.status / 100)xx", start)
      return response
    } catch {
      // What a signal ended says nothing of a server.
      if error != .cancelled { add(request, use, "none", start) }
      throw error
    }
  }

  private func add(_ request: Request, _ use: Use, _ status: String, _ start: ContinuousClock.Instant) {
    let seconds = start.duration(to: .now) / .seconds(1)
    state.withLock { state in
      let host = Self.label(WebAddress.host(of: request.url), isNew: use == .page, in: &state)
      state.requests[Line(host: host, use: use, status: status), default: 0] += 1
      state.durations[use]?.add(seconds)
    }
  }

  /// Counts a wait for a host, of which only the beginning is known.
  func waits(_ notice: WaitNotice, from now: Date) {
    let seconds = max(0, notice.until.timeIntervalSince(now))
    state.withLock { state in
      let host = Self.label(notice.host, isNew: false, in: &state)
      state.waits[host, default: Waits()].count += 1
      state.waits[host, default: Waits()].seconds += seconds
    }
  }

  /// Counts the pull of a feed that has ended.
  func pulled(isDone: Bool) { state.withLock { $0.pulls[isDone ? "done" : "failed", default: 0] += 1 } }

  private static func label(_ host: String?, isNew: Bool, in state: inout State) -> String {
    guard let host else { return others }
    if isNew, state.hosts.count < mostHosts { state.hosts.insert(host) }
    return state.hosts.contains(host) ? host : others
  }

  /// What was counted.
  ///
  /// - Parameter version: The version of the program.
  func metrics(version: String) -> [Metric] {
    let state = state.withLock { $0 }
    let waits = state.waits.sorted { $0.key < $1.key }
    return [
      Metric("media_build_info", "The version of the program that tells this", [.init(1, [("version", version)])]),
      Metric(
        "media_worker_pulls_total", "Pulls of feeds that have ended, by result", kind: .counter,
        state.pulls.sorted { $0.key < $1.key }.map { .init(Double($1), [("result", $0)]) }),
      Metric(
        "media_worker_requests_total", "Requests by host, use and class of the answer's status", kind: .counter,
        state.requests.sorted { $0.key.order < $1.key.order }.map { line, count in
          .init(Double(count), [("host", line.host), ("use", line.use.rawValue), ("status", line.status)])
        }),
      Metric(
        "media_worker_request_duration_seconds", "How long requests took, to the end of the answer, by use",
        kind: .histogram, Use.allCases.flatMap { state.durations[$0]?.samples([("use", $0.rawValue)]) ?? [] }),
      Metric(
        "media_worker_waits_total", "Waits before a host was asked, by host", kind: .counter,
        waits.map { .init(Double($1.count), [("host", $0)]) }),
      Metric(
        "media_worker_waited_seconds_total", "How long these waits were, overlapping ones each for itself",
        kind: .counter, waits.map { .init($1.seconds, [("host", $0)]) }),
    ]
  }
}
