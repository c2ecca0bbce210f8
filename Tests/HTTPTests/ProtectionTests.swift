import HTTP
import Testing

@Suite struct ProtectionTests {
  private static let challenge = "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>"
  private static let plain = "\u{FEFF}  <HTML><body>No.</body></html>"

  private func protection(_ status: Int, _ body: String, _ headers: Headers = [:]) -> Protection? {
    Response(status: status, headers: headers, body: Array(body.utf8)).protection
  }

  @Test func `a web page in place of a refusal is a protection's`() {
    #expect([403, 429, 503].allSatisfy { protection($0, Self.challenge) == .challenge })
    #expect(protection(403, Self.plain) == .block)
    #expect(protection(403, "Forbidden", ["Content-Type": "text/html; charset=utf-8"]) == .block)
    #expect(protection(403, "error code: 1020", ["Content-Type": "text/plain; charset=UTF-8"]) == .block)
    #expect(protection(429, Self.plain) == .block)
    #expect([200, 403, 429, 503].allSatisfy { protection($0, "", ["cf-mitigated": "challenge"]) == .challenge })
  }

  @Test func `a server's own refusal, a limit with a time and an outage are none`() {
    #expect(protection(403, #"{"error":"no"}"#, ["Content-Type": "application/json"]) == nil)
    #expect(protection(403, "<?xml version=\"1.0\"?><Error/>") == nil && protection(403, "error code: 7") == nil)
    #expect([401, 404, 500, 502].allSatisfy { protection($0, Self.challenge) == nil })
    #expect(protection(429, Self.plain, ["Retry-After": "60"]) == nil)
    #expect(protection(503, Self.plain) == nil)
    #expect(protection(503, "<html><h1>Service Unavailable</h1></html>", ["Retry-After": "600"]) == nil)
  }

  @Test func `a challenge is not asked again, a page that may pass is`() {
    let verdict = { (answer: Response) in
      RetryPolicy().verdict(on: .success(answer), of: .get, after: .init(), now: noon, chance: 0)
    }
    #expect(verdict(Response(status: 503, body: Array(Self.challenge.utf8))) == .done)
    #expect(verdict(Response(status: 429, body: Array(Self.plain.utf8))) != .done)
  }
}
