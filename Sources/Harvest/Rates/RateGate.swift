import FoundationEssentials
import HTTP
import Storage

/// Sends requests within their servers' limits, counted over all processes that use a library.
///
/// Every answer is checked for a limit. Requests to a host without one pass at once, and nothing is written. For a host
/// with a limit, a process leases a few requests at a time from the library's budget, and returns the unused ones. The
/// lease of a killed process is lost until the window ends. Background work leaves a reserve for interactive requests. If
/// the budget is spent, the request fails with `TransportError.rateLimited`. The retries around the gate wait if the window
/// ends soon.
///
/// A host's limit is unknown until its first answer. Until then each process may have one request in flight there.
public final class RateGate: Sendable {
  private let rank: RateRank
  private let time: TimeSource
  /// Pages and pictures have leases of their own. A page's request may wait until another process has written to the
  /// library, and pictures must not wait for that.
  private let pages: HeldRateLeases
  private let pictures: HeldRateLeases

  /// Creates a gate.
  ///
  /// - Parameters:
  ///   - store: The library whose budgets all processes share. If nil, the gate counts this process's requests only.
  ///   - rank: Whether the requests are background work.
  ///   - dialect: How the source's servers state their limits.
  public init(store: Store?, rank: RateRank, time: TimeSource, dialect: RateDialect = .common) {
    self.rank = rank
    self.time = time
    pages = HeldRateLeases(store, dialect, named: "rates of pages", time)
    pictures = HeldRateLeases(store, dialect.stated, named: "rates of pictures", time)
  }

  /// A transport that keeps to the limits. Wrap retries around it, so that a retried request is counted again.
  public func guarding(_ transport: Transport) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        try await self.run(request, .page) { () async throws(TransportError) in try await transport.send(request) }
      },
      download: { request, sink throws(TransportError) in
        try await self.run(request, .media) { () async throws(TransportError) in
          try await transport.download(request, sink)
        }
      })
  }

  /// Returns unused requests at the end of a pull. More requests may follow.
  public func giveBack() async {
    await pages.giveBack()
    await pictures.giveBack()
  }

  private func run(
    _ request: Request, _ kind: RateKey.Class, _ work: () async throws(TransportError) -> Response
  ) async throws(TransportError) -> Response {
    let key = RateKey(request, kind)
    let leases = kind == .media ? pictures : pages
    let ticket: HeldRateLease.Ticket
    let now = time.now()
    switch await leases.acquire(key, rank) {
    case .go(let given): ticket = given
    case .hold(let until): throw .rateLimited(host: key.host, until: until, asked: now)
    }
    do {
      let answer = try await work()
      // After a redirect to another host the answer names that host's limit.
      let answeringHost = answer.url.isEmpty ? key.host : HostCircuitBreaker.host(of: answer.url)
      await leases.end(ticket, of: key, answeringHost == key.host ? answer : nil)
      return answer
    } catch {
      await leases.end(ticket, of: key, nil)
      throw error
    }
  }
}

extension RateKey {
  /// Whose limit a request counts against.
  init(_ request: Request, _ kind: Class) {
    let digest = request.token.map { Digest.sha256(Array($0.reveal().utf8)) } ?? []
    let hexBytes = digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    self.init(host: HostCircuitBreaker.host(of: request.url), login: hexBytes.joined(), kind: kind)
  }
}
