import Foundation
import HTTP
import Testing

@Suite struct RetryPolicyTests {
  private let policy = RetryPolicy()

  private func verdict(
    _ outcome: Result<Response, TransportError>, _ method: Request.Method = .get,
    after effort: RetryPolicy.Effort = .init(), chance: Double = 0
  ) -> RetryPolicy.Verdict {
    policy.verdict(on: outcome, of: method, after: effort, now: noon, chance: chance)
  }

  private func answer(_ status: Int, _ headers: Headers = [:]) -> Result<Response, TransportError> {
    .success(Response(status: status, headers: headers))
  }

  @Test(arguments: [200, 204, 206, 302, 304, 400, 401, 403, 404, 410, 422, 501])
  func `an answer that another try would not change is final`(status: Int) {
    #expect(verdict(answer(status)) == .done)
  }

  @Test(arguments: [408, 420, 425, 429, 500, 502, 503, 504])
  func `a status that may pass is tried again`(status: Int) {
    #expect(verdict(answer(status)) == .retry(after: .milliseconds(500), asked: false))
  }

  @Test(arguments: [
    TransportError.unreachable(host: "a", reason: "b"), .timedOut(host: "a"), .cut(host: "a"), .unknownHost("a"),
  ])
  func `a failure that may pass is tried again`(error: TransportError) {
    #expect(verdict(.failure(error)) == .retry(after: .milliseconds(500), asked: false))
  }

  @Test(arguments: [
    TransportError.untrusted(host: "a", reason: "b"), .noTLS(host: "a"), .noHTTP(host: "a", reason: "b"),
    .tooLarge(limit: 1), .redirectRefused(to: "a"),
    .tooManyRedirects, .redirectLoop, .redirectInvalid, .redirectDowngraded, .endless(host: "a"),
    .privateNetwork(host: "a"), .invalidURL, .sink("full"), .cancelled,
  ])
  func `a permanent failure is final`(error: TransportError) {
    #expect(verdict(.failure(error)) == .done)
  }

  @Test func `an unknown host is looked up once more, and then the failure is final`() {
    #expect(verdict(.failure(.unknownHost("a")), after: .init(tries: 2)) == .done)
  }

  @Test func `waits double, and chance spreads each over its upper half`() {
    let waits = (1...3).map { verdict(answer(500), after: .init(tries: $0), chance: 0.5) }
    #expect(waits == [750, 1500, 3000].map { .retry(after: .milliseconds($0), asked: false) })
    #expect(verdict(answer(500), chance: 0.999) == .retry(after: .microseconds(999_500), asked: false))
  }

  @Test func `four tries and no more`() {
    #expect(verdict(answer(500), after: .init(tries: 4)) == .giveUp)
    #expect(verdict(answer(429, ["Retry-After": "1"]), after: .init(tries: 4)) == .giveUp)
  }

  @Test func `sixty seconds and no more, without the waits that the server asked for`() {
    #expect(verdict(answer(500), after: .init(elapsed: .seconds(59.6))) == .giveUp)
    #expect(verdict(answer(500), after: .init(elapsed: .seconds(59.4), waited: .seconds(299))) != .giveUp)
  }

  @Test func `a request that is held back is sent when its time has come, whatever was tried before`() {
    let held = { (seconds: Double) -> Result<Response, TransportError> in
      .failure(.rateLimited(host: "a", until: noon.addingTimeInterval(seconds), asked: noon))
    }
    #expect(verdict(held(30), .post) == .retry(after: .seconds(30), asked: true))
    #expect(verdict(held(0.0004), after: .init(tries: 4)) == .retry(after: .milliseconds(1), asked: true))
    #expect(verdict(held(30), chance: 0.5) == .retry(after: .milliseconds(30_500), asked: true))
    #expect(verdict(held(-5)) == .retry(after: .milliseconds(1), asked: true))
    #expect(verdict(held(301)) == .giveUp)
    #expect(verdict(held(30), after: .init(waited: .seconds(271))) == .giveUp)
  }

  @Test func `a wait that the server asks for is kept and slightly exceeded`() {
    let outcome = answer(429, ["Retry-After": "30"])
    #expect(verdict(outcome) == .retry(after: .seconds(30), asked: true))
    #expect(verdict(outcome, chance: 0.5) == .retry(after: .milliseconds(30_500), asked: true))
    #expect(verdict(answer(503, ["Retry-After": "30"])) == .retry(after: .seconds(30), asked: true))
  }

  @Test func `the waits that a server asks for total five minutes at most`() {
    #expect(verdict(answer(429, ["Retry-After": "300"])) == .retry(after: .seconds(300), asked: true))
    #expect(verdict(answer(429, ["Retry-After": "301"])) == .giveUp)
    #expect(verdict(answer(429, ["Retry-After": "200"]), after: .init(tries: 2, waited: .seconds(101))) == .giveUp)
  }

  @Test func `a server that says "at once" again and again is asked no faster than one that says nothing`() {
    for text in ["0", "-5", "Sat, 21 Nov 2026 09:00:00 GMT"] {
      let waits = (1...4).map { verdict(answer(429, ["Retry-After": text]), after: .init(tries: $0)) }
      let ours = [500, 1000, 2000].map { RetryPolicy.Verdict.retry(after: .milliseconds($0), asked: false) }
      #expect(waits == ours + [.giveUp], "\(text)")
    }
    let soon = verdict(answer(429, ["Retry-After": "1"]), after: .init(tries: 3))
    #expect(soon == .retry(after: .seconds(2), asked: false))
  }

  @Test func `a 429 without Retry-After is waited out to the end of its window`() {
    #expect(verdict(answer(429, ["X-RateLimit-Reset": "90"])) == .retry(after: .seconds(90), asked: true))
    let spent: Headers = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2026-11-21T10:15:00.000000Z"]
    #expect(verdict(answer(429, spent)) == .giveUp)
  }

  @Test func `a 429 with requests left is a limit on bursts and is retried soon`() {
    let hasty: Headers = ["x-rate-limit-remaining": "80", "x-rate-limit-reset": "800"]
    #expect(verdict(answer(429, hasty)) == .retry(after: .milliseconds(500), asked: false))
  }

  @Test func `a failing server is retried without waiting for the end of its window`() {
    let left: Headers = ["X-RateLimit-Remaining": "299", "X-RateLimit-Reset": "280"]
    #expect(verdict(answer(502, left)) == .retry(after: .milliseconds(500), asked: false))
    #expect(verdict(answer(502, ["X-RateLimit-Reset": "280"])) == .retry(after: .milliseconds(500), asked: false))
  }

  @Test func `a POST is retried only if it cannot have taken effect`() {
    #expect(verdict(.failure(.unreachable(host: "a", reason: "b")), .post) != .done)
    #expect(verdict(.failure(.unknownHost("a")), .post) != .done)
    #expect(verdict(.failure(.timedOut(host: "a")), .post) == .done)
    #expect(verdict(.failure(.cut(host: "a")), .post) == .done)
    #expect(verdict(answer(500), .post) == .done)
    #expect(verdict(answer(429), .post) == .done)
    #expect(verdict(answer(503, ["Retry-After": "2"]), .post) == .retry(after: .seconds(2), asked: true))
    #expect(verdict(answer(429, ["Retry-After": "2"]), .post) == .retry(after: .seconds(2), asked: true))
  }
}
