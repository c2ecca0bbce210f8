import Foundation
import HTTP
import Testing

/// 2026-11-21 10:00:00 UTC.
let noon = Date(timeIntervalSince1970: 1_795_255_200)

@Suite struct RateLimitTests {
  private func rate(_ headers: Headers) -> RateLimit { RateLimit(headers: headers, now: noon) }
  private func seconds(_ date: Date?) -> Double? { date?.timeIntervalSince(noon) }

  @Test func `Mastodon writes its reset as a time with microseconds`() {
    let rate = rate([
      "X-RateLimit-Limit": "300", "X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "2026-11-21T10:05:00.250000Z",
    ])
    #expect(rate.limit == 300)
    #expect(rate.remaining == 7)
    #expect(seconds(rate.resetsAt) == 300.25)
    #expect(rate.retryAt == nil)
  }

  @Test(arguments: [
    ("2026-11-21T10:05:00Z", 300.0), ("2026-11-21T10:05:00.5Z", 300.5), ("2026-11-21T12:05:00+02:00", 300),
    ("2026-11-21T04:35:00-0530", 300), ("2026-11-21T10:04:60Z", 300),
    ("1795255500", 300), ("1795255500000", 300), ("300", 300), ("0", 0), ("2026-11-21T09:00:00.000000Z", 0),
    ("1795250000", 0), ("-5", 0), ("999999", 86400), ("2036-01-01T00:00:00Z", 86400), ("99999999999999999999", 86400),
  ])
  func `a reset in any dialect is a time between now and tomorrow`(text: String, expected: Double) {
    #expect(seconds(rate(["X-RateLimit-Reset": text]).resetsAt) == expected)
    #expect(seconds(rate(["x-rate-limit-reset": text]).resetsAt) == expected)
  }

  @Test(arguments: [
    ("1795259100", "Sat, 21 Nov 2026 11:00:00 GMT", 300.0), ("1795251900", "Sat, 21 Nov 2026 09:00:00 GMT", 300),
    ("2026-11-21T09:05:00Z", "Sat, 21 Nov 2026 09:00:00 GMT", 300), ("1795255500", "yesterday", 300),
    ("300", "Sat, 21 Nov 2026 11:00:00 GMT", 300), ("1795255500", "Mon, 01 Jan 2001 00:00:00 GMT", 86400),
  ])
  func `a reset is read by the server's clock, whichever clock is wrong`(text: String, date: String, expected: Double) {
    #expect(seconds(rate(["X-Rate-Limit-Reset": text, "Date": date]).resetsAt) == expected)
  }

  @Test(arguments: [
    "", "soon", "nan", "inf", "0x10", "1e3", "--", "1.2.3", "2026-13-45T99:00:00Z", "2026-02-31T10:05:00Z",
    "2026-11-21T10:05:00", "2026-11-21T10:05:00.1.2Z", "2026-11-21T10:05:00+2", "2026-11-21T10:05:00+25:00",
    "2026-11-21T10:05Z", "2026-11-21T10:05:00Zz",
  ])
  func `a malformed reset is ignored`(text: String) {
    #expect(rate(["X-RateLimit-Reset": text]).resetsAt == nil)
    #expect(rate(["Retry-After": text]).retryAt == nil)
  }

  @Test(arguments: [
    ("120", 120.0), ("0", 0), ("-1", 0), ("31536000", 86400), ("Sat, 21 Nov 2026 10:02:00 GMT", 120),
    ("Saturday, 21-Nov-26 10:02:00 GMT", 120), ("Sat Nov 21 10:02:00 2026", 120), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
    ("Fri, 21 Nov 2036 10:02:00 GMT", 86400),
  ])
  func `Retry-After is seconds or a date in any of its three forms`(text: String, expected: Double) {
    let rate = rate(["Retry-After": text, "X-RateLimit-Reset": "7"])
    #expect(seconds(rate.retryAt) == expected)
    #expect(rate.resetsAt == rate.retryAt)
  }

  @Test(arguments: ["Sat, 31 Feb 2026 10:02:00 GMT", "Sat, 21 Nov 2026 25:02:00 GMT", "Sat, 21 Nov 2026"])
  func `a day or an hour that does not exist is not a date`(text: String) {
    #expect(rate(["Retry-After": text]).retryAt == nil)
  }

  @Test func `of several windows the tightest counts`() {
    let rate = rate([
      "x-ratelimit-perhour-remaining": "900", "x-ratelimit-perhour-limit": "1000", "x-ratelimit-perhour-reset": "60",
      "x-ratelimit-perday-remaining": "3", "x-ratelimit-perday-limit": "5000", "x-ratelimit-perday-reset": "7200",
    ])
    #expect(rate.remaining == 3)
    #expect(rate.limit == 5000)
    #expect(seconds(rate.resetsAt) == 7200)
  }

  /// draft-ietf-httpapi-ratelimit-headers, 8 and later, and 7.
  @Test(arguments: [
    (#""default";r=50;t=30"#, #""default";q=100;w=60"#, 50, 100, 30.0),
    (#""burst";r=9;t=5, "day";r=3;t=7200"#, #""burst";q=10, "day";q=1000;w=86400"#, 3, 1000, 7200),
    (#""a,b;r=1";r=7;t=60;pk=:Y2F0cw==:"#, #""a,b;r=1";q=70"#, 7, 70, 60),
    (
      #""bytes";r=1;t=9, "calls";r=8;t=90"#, #""bytes";q=4096;qu="content-bytes", "calls";q=20;qu="requests""#, 8, 20,
      90
    ),
    ("limit=100, remaining=40, reset=20", "100;w=60", 40, 100, 20),
  ])
  func `of the RateLimit field the tightest policy counts`(
    field: String, policy: String, remaining: Int, limit: Int, reset: Double
  ) {
    let rate = rate(["RateLimit": field, "RateLimit-Policy": policy])
    #expect((rate.remaining, rate.limit, seconds(rate.resetsAt)) == (remaining, limit, reset))
    #expect(self.rate(["ratelimit": field]).remaining != nil)
  }

  @Test(arguments: [
    "", ",,,", ";;;", #""default""#, #""default";r"#, #""default";r=;t=5"#, #""default";r=many;t=5"#, #""default;r=5"#,
    "limit=5", "r=5;t=30", #""default";q=5"#, String(repeating: #""a";r=1;t=1,"#, count: 1000),
  ])
  func `a malformed RateLimit field is ignored`(field: String) {
    #expect(rate(["RateLimit": field]) == RateLimit(headers: [:], now: noon))
  }

  @Test func `a service's own fields count beside the common ones, and the tightest decides`() {
    let dialect = RateDialect { headers, now in
      headers["X-Left"].flatMap { Int($0) }.map { [RateLimit.Window(remaining: $0, limit: 100, isShare: true)] } ?? []
    }
    let headers: Headers = ["X-Left": "3", "X-RateLimit-Remaining": "7"]
    #expect(RateLimit(headers: headers, now: noon, dialect: dialect).remaining == 3)
    #expect(RateLimit(headers: headers, now: noon, dialect: dialect).isShare)
    #expect(rate(headers).remaining == 7)
  }

  @Test func `excessive counts are clamped`() {
    #expect(rate(["X-RateLimit-Remaining": "99999999999999999999"]).remaining == 1_000_000_000)
    #expect(rate(["X-RateLimit-Remaining": "-3"]).remaining == 0)
  }
}
