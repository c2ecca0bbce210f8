import Foundation

/// That a request waits before its next try.
public struct WaitNotice: Sendable, Equatable {
  /// Whom it waits for, as in the request's URL.
  public var host: String
  /// When it goes on.
  public var until: Date
  /// Whether the server asked for the wait; if not, the last try failed and the wait is ours.
  public var asked: Bool
  /// The status that was answered, nil where none was; where the server asked for the wait, it did so earlier.
  public var status: Int?
  /// The number of the try that comes, from 2; 1 where the first was held back.
  public var nextTry: Int

  /// A notice from its parts.
  public init(host: String, until: Date, asked: Bool, status: Int?, nextTry: Int) {
    self.host = host
    self.until = until
    self.asked = asked
    self.status = status
    self.nextTry = nextTry
  }
}

extension Transport {
  /// This transport with patience: what may pass is tried again as the policy says.
  ///
  /// `onWait` is told before each wait. When patience is used up the last answer or error is handed back as it is; a
  /// wait that is cancelled is `TransportError.cancelled`. A download that is tried again begins its sink again.
  public func patient(
    _ policy: RetryPolicy = RetryPolicy(), time: Timekeeper, onWait: @escaping @Sendable (WaitNotice) -> Void = { _ in }
  ) -> Transport {
    let patience = Patience(policy: policy, time: time, onWait: onWait)
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

/// Acts on the policy's verdicts.
private struct Patience: Sendable {
  let policy: RetryPolicy
  let time: Timekeeper
  let onWait: @Sendable (WaitNotice) -> Void

  /// A request that is held back for no longer than this needs no words.
  private static let untold = Duration.seconds(6)

  func run(
    _ request: Request, _ attempt: () async throws(TransportError) -> Response
  ) async throws(TransportError) -> Response {
    let start = time.now()
    var effort = RetryPolicy.Effort(tries: 0)
    while true {
      let outcome = await result(of: attempt)
      let now = time.now()
      if !outcome.wasHeldBack { effort.tries += 1 }
      effort.elapsed = .milliseconds(Int(max(0, now.timeIntervalSince(start)) * 1000)) - effort.waited
      let verdict = policy.verdict(on: outcome, of: request.method, after: effort, now: now, chance: time.chance())
      guard case .retry(let wait, let asked) = verdict else { return try outcome.get() }
      if asked { effort.waited += wait }
      if !outcome.wasHeldBack || wait > Self.untold {
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
  /// Whether nothing was sent, so that it was no try.
  fileprivate var wasHeldBack: Bool {
    if case .failure(.rateLimited) = self { true } else { false }
  }
}
