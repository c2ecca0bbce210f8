import Foundation
import Machine
import Posts
import Services
import Testing

struct SourceErrorTests {
  private static let social = Server("mastodon.social")!
  private static let local = Server("http://127.0.0.1:8080")!

  @Test(
    arguments: [
      (
        .needsLogin(social), .needsLogin,
        #"mastodon.social shows this only to people who are logged in: run "media login mastodon.social""#
      ),
      (
        .needsLogin(local), .needsLogin,
        #"http://127.0.0.1:8080 shows this only to people who are logged in: run "media login http://127.0.0.1:8080""#
      ),
      (
        .tokenRefused(social), .needsLogin,
        #"mastodon.social refused the token: run "media login mastodon.social""#
      ),
      (
        .forbidden(social, reason: "suspended"), .needsLogin,
        #"mastodon.social refuses this account (suspended): run "media login mastodon.social" with an account that may see it"#
      ),
      (
        .rateLimited(social, until: nil, asked: .distantPast), .tryLater,
        "mastodon.social takes no more requests for now: try again later"
      ),
      (
        .unreadable(social, reason: "it is a web page"), .unreadable,
        "the answer of mastodon.social cannot be read (it is a web page): check that the address is right, or try again later"
      ),
      (
        .notFound(social, what: "tag cats"), .unavailable,
        "mastodon.social has no tag cats, or no longer: check how it is spelt"
      ),
      (
        .unreachable(social, reason: "cannot resolve host"), .unavailable,
        "mastodon.social cannot be reached (cannot resolve host): check the address and the network"
      ),
      (
        .noTLS(social), .unavailable,
        "mastodon.social cannot be reached (it does not speak https): begin its address with http://mastodon.social if it may be asked without encryption"
      ),
      (.serverFailed(social, status: 503), .unavailable, "mastodon.social fails (status 503): try again later"),
      (
        .tagsSpent(social, tag: "#cats", until: nil, asked: .distantPast, others: []), .tryLater,
        "30 tags in 7 days are spent at mastodon.social: try again in a few days, or take one that was asked for"
      ),
      (
        .budgetSpent(social, left: Price(mills: 240), next: Price(mills: 3500)), .done,
        "the next page of mastodon.social may cost $3.50, and $0.24 of the budget is left: --resume with more in --budget goes on from here; a smaller --page-size costs less"
      ),
      (
        .lookUpsSpent(social, left: Price(mills: 30), next: Price(mills: 35)), .done,
        "the next post of mastodon.social may cost $0.035, and $0.03 of the budget is left: the newest posts were looked up, the others with more in --budget"
      ),
      (
        .unkept(reason: "the disk is full"), .storage,
        "what a pull has to remember cannot be kept (the disk is full): see that the library can be written"
      ),
      (.cancelled, .interrupted, "stopped"),
    ] as [(SourceError, ExitCode, String)]
  )
  func `each failure has its words, its cure and its exit code`(error: SourceError, code: ExitCode, text: String) {
    #expect(error.description == text)
    #expect(error.exitCode == code)
  }

  private func wait(until: String, in zone: TimeZone = .gmt) throws -> String {
    let asked = try #require(UTC.date("2026-11-21T12:55:00Z"))
    let end: Date = try #require(UTC.date(until))
    return SourceError.rateLimited(SourceErrorTests.social, until: end, asked: asked).summary(in: zone)
  }

  @Test func `a tag too many is reported with the time when it can be read, and with the last of the others`()
    throws
  {
    let asked = try #require(UTC.date("2026-11-21T12:55:00Z"))
    let end = try #require(UTC.date("2026-11-24T14:04:10Z"))
    let error = SourceError.tagsSpent(
      SourceErrorTests.social, tag: "#cats", until: end, asked: asked, others: (1...30).map { "#t\($0)" })
    #expect(
      error.summary(in: .gmt)
        == "30 tags in 7 days are spent at mastodon.social, #cats can be asked for from 2026-11-24 14:05 on")
    #expect(error.cure == "take one of those that were: #t23, #t24, #t25, #t26, #t27, #t28, #t29, #t30 and 22 more")
  }

  @Test func `a wait is given in local time`() throws {
    let berlin = try #require(TimeZone(secondsFromGMT: 3600))
    #expect(try wait(until: "2026-11-21T13:05:00Z", in: berlin) == "mastodon.social takes no more requests until 14:05")
    #expect(try wait(until: "2026-11-21T13:05:00Z") == "mastodon.social takes no more requests until 13:05")
    let error = SourceError.rateLimited(SourceErrorTests.social, until: .distantFuture, asked: .distantPast)
    #expect(error.cure == "try again then")
    #expect(error.exitCode == .tryLater)
  }

  @Test(arguments: [
    ("2026-11-22T12:02:00Z", "2026-11-22 12:02"), ("2026-11-21T23:59:30Z", "2026-11-22 00:00"),
    ("2027-01-02T03:04:00Z", "2027-01-02 03:04"), ("2026-11-21T23:59:00Z", "23:59"),
  ])
  func `a wait until another day is given with the date`(until: String, text: String) throws {
    #expect(try wait(until: until) == "mastodon.social takes no more requests until \(text)")
  }

  @Test func `another day is a local day`() throws {
    let tokyo = try #require(TimeZone(secondsFromGMT: 9 * 3600))
    #expect(try wait(until: "2026-11-21T16:00:00Z").hasSuffix("until 16:00"))
    #expect(try wait(until: "2026-11-21T16:00:00Z", in: tokyo).hasSuffix("until 2026-11-22 01:00"))
  }

  @Test func `a retry at the given minute is not too early`() throws {
    #expect(try wait(until: "2026-11-21T13:05:01Z").hasSuffix("until 13:06"))
    #expect(try wait(until: "2026-11-21T13:05:00.25Z").hasSuffix("until 13:06"))
    #expect(try wait(until: "2026-11-21T12:55:00Z").hasSuffix("until 12:55"))
  }
}
