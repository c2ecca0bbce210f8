import HTTP
import Machine
import Posts
import Services
import Testing

/// What X's errors mean, in the words of either API.
struct XComplaintTests {
  private let x = XDesk.x

  private func meant(_ status: Int, _ body: String, token: Bool = true, _ kind: Feed.Kind = .tag) async -> SourceError?
  {
    let answer = Response(status: status, body: Array(body.utf8))
    return await XDesk(answer, token: token ? Secret("hush-hush") : nil).refusal(kind)
  }

  private func problem(_ name: String, _ detail: String = "no") -> String {
    #"{"title":"T","detail":"\#(detail)","type":"https://api.x.com/2/problems/\#(name)","status":400}"#
  }

  @Test func `problems are recognized by their type`() async throws {
    let limited = SourceError.rateLimited(x, until: nil, asked: try #require(UTC.date("2026-11-21T10:00:00Z")))
    let cases: [(Int, String, SourceError)] = [
      (404, "resource-not-found", .notFound(x, what: "tag birds")),
      (403, "client-forbidden", .forbidden(x, reason: "no")),
      (403, "unsupported-authentication", .forbidden(x, reason: "no")),
      (400, "invalid-request", .unreadable(x, reason: "it says: no")), (429, "usage-capped", limited),
      (403, "usage-capped", limited), (503, "invalid-request", .serverFailed(x, status: 503)),
    ]
    for (status, name, error) in cases { #expect(await meant(status, problem(name)) == error, "\(status) \(name)") }
    #expect(await meant(401, #"{"title":"Unauthorized","type":"about:blank","status":401}"#) == .tokenRefused(x))
    #expect(await meant(401, "{}", token: false) == .needsLogin(x))
    #expect(await meant(403, problem("client-forbidden"), token: false) == .needsLogin(x))
  }

  @Test func `problems alone are the answer, beside posts they are not`() async throws {
    let missing = #"{"errors":[\#(problem("resource-not-found"))]}"#
    #expect(await meant(200, missing, .user) == .notFound(x, what: "user birds"))
    let hidden = #"{"errors":[\#(problem("not-authorized-for-resource"))]}"#
    #expect(await meant(200, hidden, .user) == .forbidden(x, reason: "no"))
    #expect(await meant(200, #"{"data":[],"meta":{},"errors":[\#(problem("resource-not-found"))]}"#) == nil)
    #expect(await meant(200, #"{"data":null,"meta":{"result_count":0}}"#)?.exitCode == .unreadable)
    #expect(await meant(200, #"{"errors":["no"]}"#) == .unreadable(x, reason: "it says: no reason given"))
  }

  @Test func `the older API's codes are recognized, whatever the status`() async throws {
    let limited = SourceError.rateLimited(x, until: nil, asked: try #require(UTC.date("2026-11-21T10:00:00Z")))
    let cases: [([Int], SourceError)] = [
      ([32, 89, 99, 215], .tokenRefused(x)), ([17, 34, 50, 144], .notFound(x, what: "tag birds")),
      ([63, 64, 87, 179, 220, 326, 453], .forbidden(x, reason: "no")), ([88], limited),
      ([130], .serverFailed(x, status: 503)), ([131], .serverFailed(x, status: 500)),
    ]
    for (codes, error) in cases {
      for code in codes {
        for status in [200, 400, 403] {
          #expect(await meant(status, #"{"errors":[{"code":\#(code),"message":"no"}]}"#) == error, "\(code)")
        }
      }
    }
    #expect(await meant(400, #"{"errors":[{"code":215,"message":"no"}]}"#, token: false) == .needsLogin(x))
    let hidden = #"{"request":"/1.1/statuses/user_timeline.json","error":"Not authorized."}"#
    #expect(await meant(401, hidden) == .forbidden(x, reason: "Not authorized."))
  }

  @Test func `words that repeat the token are not passed on`() async {
    let error = await meant(403, problem("client-forbidden", "hush-hush may not"))
    #expect(error == .forbidden(x, reason: "no reason given"))
  }

  @Test func `a page of more than a thousand posts is refused`() async {
    let list = Array(repeating: "1", count: 1001).joined(separator: ",")
    let reason = "it holds more than 1000 posts where 100 were asked for"
    #expect(await meant(200, #"{"data":[\#(list)],"meta":{}}"#) == .unreadable(x, reason: reason))
  }
}
