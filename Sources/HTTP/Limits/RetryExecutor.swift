import FoundationEssentials

/// Reports that a request waits before its next try.
public struct WaitNotice: Sendable, Equatable {
  /// The host it waits for, as in the request's URL.
  public var host: String
  /// When the request continues.
  public var until: Date
  /// Whether the server asked for the wait. If not, the last try failed and the policy chose the wait.
  public var asked: Bool
  /// The status of the last answer; nil if there was none. If the server asked for the wait, it may have done so in an
  /// earlier answer.
  public var status: Int?
  /// The number of the next try, from 2; 1 if the first try was held back.
  public var nextTry: Int

  /// Creates the notice of a wait for a host until a moment.
  public init(host: String, until: Date, asked: Bool, status: Int?, nextTry: Int) {
    self.host = host
    self.until = until
    self.asked = asked
    self.status = status
    self.nextTry = nextTry
  }
}

extension Transport {
  /// A transport that retries transient failures as the policy says.
  ///
  /// When the policy gives up, the last answer or error is returned unchanged. A cancelled wait throws
  /// `TransportError.cancelled`. A download that is retried calls `begin` on its sink again.
  ///
  /// - Parameter onWait: called before each wait.
  public func patient(
    _ policy: RetryPolicy = RetryPolicy(), time: TimeSource, onWait: @escaping @Sendable (WaitNotice) -> Void = { _ in }
  ) -> Transport {
    let patience = RetryExecutor(policy: policy, time: time, onWait: onWait)
    let (send, download) = (send, download)
    return Transport(
      send: { (request: Request) async throws(TransportError) -> Response in
        try await patience.run(request) { () async throws(TransportError) -> Response in try await send(request) }
      },
      download: { (request: Request, sink: any ByteSink) async throws(TransportError) -> Response in
        try await patience.run(request) { () async throws(TransportError) -> Response in
          try await download(request, sink)
        }
      })
  }
}

/// Carries out the policy's verdicts.
private struct RetryExecutor: Sendable {
  let policy: RetryPolicy
  let time: TimeSource
  let onWait: @Sendable (WaitNotice) -> Void

  /// A hold-back that is not longer than this is not reported.
  private static let longestUnreportedHold = Duration.seconds(6)

  func run(
    _ request: Request, _ attempt: () async throws(TransportError) -> Response
  ) async throws(TransportError) -> Response {
    let start = time.now()
    var effort = RetryPolicy.Effort(tries: 0)
    while true {
      let outcome = await result(of: attempt)
      let now = time.now()
      if request.isTriedOnce { return try outcome.get() }
      if !outcome.wasHeldBack { effort.tries += 1 }
      effort.elapsed = .milliseconds(Int(max(0, now.timeIntervalSince(start)) * 1000)) - effort.waited
      let method = request.isSafePost ? .get : request.method
      let verdict = policy.verdict(on: outcome, of: method, after: effort, now: now, chance: time.chance())
      guard case .retry(let wait, let asked) = verdict else { return try outcome.get() }
      if asked { effort.waited += wait }
      if !outcome.wasHeldBack || wait > Self.longestUnreportedHold {
        onWait(notice(request, outcome, effort, wait, asked: asked, now: now))
      }
      do { try await time.sleep(wait) } catch { throw .cancelled }
    }
  }

  private func result(
    of attempt: () async throws(TransportError) -> Response
  ) async -> Result<Response, TransportError> {
    do { return .success(try await attempt()) } catch { return .failure(error) }
  }

  private func notice(
    _ request: Request, _ outcome: Result<Response, TransportError>, _ effort: RetryPolicy.Effort, _ wait: Duration,
    asked: Bool, now: Date
  ) -> WaitNotice {
    let (seconds, attoseconds) = wait.components
    return WaitNotice(
      host: URLComponents(string: request.url)?.host ?? "",
      until: now.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18), asked: asked,
      status: (try? outcome.get())?.status, nextTry: effort.tries + 1)
  }
}

extension Result<Response, TransportError> {
  /// Whether nothing was sent, so the attempt does not count as a try.
  fileprivate var wasHeldBack: Bool {
    if case .failure(.rateLimited) = self { true } else { false }
  }
}
