import HTTP
import Machine
import Posts
import Services
import Testing

struct MastodonAnswerTests {
  private static let server = Server("birds.example")!
  private var server: Server { MastodonAnswerTests.server }

  private func error(
    _ answer: Result<Response, TransportError>,
    token: Secret? = nil,
    at now: String = "2026-11-21T10:00:00Z"
  ) async -> SourceError? {
    let source = MastodonSource(
      server: server,
      token: token,
      transport: Answering(answer).transport,
      time: .fixed(at: now)
    )
    do {
      _ = try await source.page(
        of: Feed(source: .mastodon, kind: .tag, value: "cats", server: server),
        after: nil,
        size: nil
      )
      return nil
    } catch { return error }
  }

  private func error(_ status: Int, _ body: String = "", token: Bool = false, headers: Headers = [:]) async
    -> SourceError?
  {
    await error(
      .success(Response(status: status, headers: headers, body: Array(body.utf8))),
      token: token ? Secret("hush-hush-hush") : nil
    )
  }

  @Test(arguments: [401, 403, 422])
  func `a refusal of nobody asks for a login`(status: Int) async {
    #expect(await error(status, #"{"error":"This method requires an authenticated user"}"#) == .needsLogin(server))
  }

  @Test(arguments: [400, 401, 403, 422])
  func `a refusal of the token says so, whatever the status`(status: Int) async {
    #expect(await error(status, #"{"error":"The access token is invalid"}"#, token: true) == .tokenRefused(server))
  }

  @Test(arguments: [
    (400, "Invalid Bearer token"), (400, "Invalid Bearer token\n"), (403, #"{"error":"out_of_scope_for_token"}"#),
    (403, #"{"error":"This action is outside the authorized scopes"}"#),
    (403, #"{"error":"Insufficient permissions: read:statuses."}"#),
    (403, #"{"error":"Forbidden: token has insufficient scope permission"}"#),
  ])
  func `a refusal of the token says so in every server's words, plain text too`(status: Int, body: String) async {
    #expect(await error(status, body, token: true) == .tokenRefused(server))
  }

  @Test(arguments: ["<p>bad token</p>", "bad\ntoken", "token \(String(repeating: "x", count: 200))", "{bad token"])
  func `a web page, a dump and broken JSON say nothing about the token`(body: String) async {
    #expect(await error(400, body, token: true) == .unreadable(server, reason: "status 400"))
  }

  @Test func `a refusal of the account carries the server's reason`() async {
    #expect(
      await error(403, #"{"error":"Your login is \u001b[31mdisabled\u202e\n now"}"#, token: true)
        == .forbidden(server, reason: "Your login is [31mdisabled now")
    )
  }

  @Test(arguments: [false, true])
  func `a web page in place of a refusal is the protection's, whoever asks`(token: Bool) async {
    #expect(await error(403, "<html>no</html>", token: token) == .blocked(server))
    #expect(await error(429, "<!DOCTYPE html><p>slow down", token: token) == .blocked(server))
    #expect(await error(503, "<html>Checking your browser</html>", token: token) == .blocked(server))
    #expect(
      SourceError.blocked(server).description
        == "birds.example's protection refused this program: see in a browser what it wants; "
        + "[hosts.\"birds.example\"] in config.toml may name a user-agent, referer or cookies")
  }

  @Test func `a post that is gone and one that never existed are both missing`() async {
    #expect(await error(404) == .notFound(server, what: "tag cats"))
    #expect(await error(410, "<html>", token: true) == .notFound(server, what: "tag cats"))
  }

  @Test(arguments: ["hush-hush-hush", "hush-hush and so on", "hush\\u200b-hush", "hu sh-hush"])
  func `words that repeat the token are not passed on, nor its beginning`(said: String) async {
    let body = #"{"error":"no access for \#(said)"}"#
    #expect(await error(403, body, token: true) == .forbidden(server, reason: "status 403"))
    #expect(await error(418, body, token: true) == .unreadable(server, reason: "status 418"))
    #expect(await error(200, body, token: true) == .unreadable(server, reason: "it is not a list of posts"))
    #expect(await error(401, body, token: true) == .tokenRefused(server))
  }

  @Test(arguments: [420, 429])
  func `too many requests carry when to come back`(status: Int) async throws {
    let now = try #require(UTC.date("2026-11-21T10:00:00Z"))
    #expect(
      await error(status, headers: ["Retry-After": "300"])
        == .rateLimited(server, until: UTC.date("2026-11-21T10:05:00Z"), asked: now)
    )
    #expect(await error(status) == .rateLimited(server, until: nil, asked: now))
  }

  @Test(arguments: [408, 500, 502, 503, 504, 599])
  func `a failing server is reported by its status`(status: Int) async {
    #expect(await error(status, "<html>") == .serverFailed(server, status: status))
  }

  @Test(arguments: [
    ("<!DOCTYPE html><p>hi", "it is a web page"), ("", "it is empty"), ("{}", "it is not a list of posts"),
    ("\"ok\"", "it is not a list of posts"),
    (#"{"error":"under\nrepair"}"#, "it says: under repair"), ("[{\"id\":", "it breaks off"),
    ("[1 2]", "it is not JSON from byte 3 on"),
    (#"{"error":"invalid_request","error_description":"no such thing"}"#, "it says: no such thing"),
  ])
  func `an answer that is not a list of posts says what it is instead`(body: String, reason: String) async {
    #expect(await error(200, body) == .unreadable(server, reason: reason))
  }

  @Test(arguments: [200, 203, 206])
  func `every answer that is one is read`(status: Int) async {
    #expect(await error(status, "[]") == nil)
  }

  @Test func `an answer that cannot be followed or understood is unreadable`() async {
    #expect(await error(302) == .unreadable(server, reason: "it leads elsewhere, status 302"))
    #expect(await error(418) == .unreadable(server, reason: "status 418"))
    #expect(await error(400, #"{"error":"bad limit"}"#) == .unreadable(server, reason: "it says: bad limit"))
  }

  @Test(
    arguments: [
      (.unknownHost("birds.example"), .unreachable(server, reason: "cannot resolve host \"birds.example\"")),
      (.unreachable(host: "birds.example", reason: "refused\u{1B}"), .unreachable(server, reason: "refused")),
      (.timedOut(host: "birds.example"), .unreachable(server, reason: "it does not answer in time")),
      (
        .untrusted(host: "birds.example", reason: "expired"),
        .untrusted(server, reason: "expired")
      ),
      (.cut(host: "birds.example"), .unreadable(server, reason: "it breaks off")),
      (.tooLarge(limit: 100), .unreadable(server, reason: "it is longer than 100 bytes")),
      (.redirectRefused(to: "https://evil.example"), .unreadable(server, reason: "it leads to another server")),
      (.redirectDowngraded, .unreadable(server, reason: "it leads from https to http")),
      (.redirectInvalid, .unreadable(server, reason: "it leads to no web address")),
      (.redirectLoop, .unreadable(server, reason: "it leads round in circles")),
      (.tooManyRedirects, .unreadable(server, reason: "it leads on more than 20 times")),
      (.endless(host: "birds.example"), .unreadable(server, reason: "it sends without end")),
      (.invalidURL, .unreachable(server, reason: "its address is not valid")), (.cancelled, .cancelled),
    ] as [(TransportError, SourceError)]
  )
  func `no answer at all has its reason too`(trouble: TransportError, expected: SourceError) async {
    #expect(await error(.failure(trouble)) == expected)
  }
}
