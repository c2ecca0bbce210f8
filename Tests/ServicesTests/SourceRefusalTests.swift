import HTTP
import Machine
import Posts
import Services
import Testing

/// What becomes of answers that are none, in every source.
struct SourceRefusalTests {
  private func error(
    _ dialect: Dialect, _ answer: Result<Response, TransportError>, token: Secret? = nil
  ) async throws -> SourceError? {
    let time = TimeSource.fixed(at: "2026-11-21T10:00:00Z")
    let source = try dialect.speaker(token, Answering(answer).transport, time)
    do {
      _ = try await source.page(of: dialect.feed, after: nil, size: nil)
      return nil
    } catch { return error }
  }

  private func error(
    _ dialect: Dialect, _ status: Int, _ body: String = "<html>no</html>", _ headers: Headers = [:],
    token: Secret? = nil
  ) async throws -> SourceError? {
    try await error(
      dialect, .success(Response(status: status, headers: headers, body: Array(body.utf8))), token: token)
  }

  @Test(arguments: Dialect.all)
  func `a web page, nothing, and half an answer are unreadable`(dialect: Dialect) async throws {
    let half = String(decoding: dialect.first.body.prefix(dialect.first.body.count / 2), as: UTF8.self)
    for body in ["<!DOCTYPE html><html></html>", "<html><body>Down</body></html>", "", half, "\u{0}\u{1}\u{2}"] {
      #expect(try await error(dialect, 200, body)?.exitCode == .unreadable, "\(body.prefix(20))")
    }
  }

  @Test(arguments: Dialect.all)
  func `success with an error in it is unreadable`(dialect: Dialect) async throws {
    for answer in dialect.apiErrors {
      #expect(try await error(dialect, .success(answer))?.exitCode == .unreadable, "\(answer.text)")
    }
  }

  @Test(arguments: Dialect.all)
  func `each refusal is reported with its cause`(dialect: Dialect) async throws {
    #expect(try await error(dialect, 401) == dialect.stranger)
    #expect(try await error(dialect, 403, "no")?.exitCode == .needsLogin)
    #expect(try await error(dialect, 410) == dialect.gone)
    guard case .notFound(Dialect.server, _) = try await error(dialect, 404) else {
      Issue.record("404 is not told as not found")
      return
    }
    #expect(try await error(dialect, 422)?.exitCode == dialect.unprocessed)
    for status in [500, 502, 503, 504] {
      #expect(try await error(dialect, status) == .serverFailed(Dialect.server, status: status))
    }
    for status in [300, 302, 304, 400, 405, 451] {
      #expect(try await error(dialect, status)?.exitCode == .unreadable, "status \(status)")
    }
  }

  @Test(arguments: Dialect.all)
  func `a wait that is asked for is known, in the server's own words`(dialect: Dialect) async throws {
    let now = try #require(UTC.date("2026-11-21T10:00:00Z"))
    for limit in dialect.limits {
      guard case .rateLimited(_, let until, let asked) = try await error(dialect, 429, "slow down", limit.fields) else {
        Issue.record("429 is not told as a limit")
        continue
      }
      #expect(asked == now)
      #expect(until.map(UTC.text) == limit.until.flatMap(UTC.date).map(UTC.text), "\(limit.fields)")
    }
  }

  @Test(arguments: Dialect.all)
  func `what stands before a server sends nobody to log in`(dialect: Dialect) async throws {
    let page = "<!DOCTYPE html><html><title>Just a moment...</title></html>"
    let token = Secret(Dialect.token)
    let cases: [(Int, Secret?)] = [(403, nil), (403, token), (429, nil), (503, token)]
    for (status, token) in cases {
      let error = try #require(try await error(dialect, status, page, token: token))
      #expect(error == .blocked(Dialect.server), "\(status)")
      #expect(error.exitCode == .unavailable && !error.description.contains("log in"))
    }
  }

  @Test(arguments: Dialect.all)
  func `each failure of the network is reported with its cause`(dialect: Dialect) async throws {
    let cases: [(TransportError, ExitCode)] = [
      (.unknownHost("birds.example"), .unavailable),
      (.unreachable(host: "birds.example", reason: "refused"), .unavailable),
      (.timedOut(host: "birds.example"), .unavailable), (.cut(host: "birds.example"), .unreadable),
      (.tooLarge(limit: 8), .unreadable), (.redirectRefused(to: "https://evil.example"), .unreadable),
      (.tooManyRedirects, .unreadable), (.untrusted(host: "birds.example", reason: "x"), .unavailable),
      (.cancelled, .interrupted),
    ]
    for (failure, code) in cases {
      #expect(try await error(dialect, .failure(failure))?.exitCode == code, "\(failure)")
    }
    #expect(try await error(dialect, .failure(.cancelled)) == .cancelled)
  }

  @Test(arguments: Dialect.all.filter(\.hasLogin))
  func `a refused token sends people to log in again`(dialect: Dialect) async throws {
    let error = try #require(try await error(dialect, 401, "", token: Secret(Dialect.token)))
    #expect(error.exitCode == .needsLogin)
    #expect(error.cure?.contains("media login birds.example") == true)
    #expect(!error.description.contains(Dialect.token))
  }

  @Test(arguments: Dialect.all)
  func `no error repeats a token`(dialect: Dialect) async throws {
    for status in [200, 400, 401, 403, 404, 410, 422, 500] {
      let body = #"{"error":"no access for \#(Dialect.token)"}"#
      let error = try await error(dialect, status, body, token: Secret(Dialect.token))
      #expect(error.map { !$0.description.contains(Dialect.token) } == true, "status \(status)")
    }
  }
}
