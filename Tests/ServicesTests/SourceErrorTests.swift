import Foundation
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
        #"mastodon.social does not accept the stored login: run "media login mastodon.social""#
      ),
      (
        .forbidden(social, reason: "suspended"), .needsLogin,
        #"mastodon.social refuses this account (suspended): run "media login mastodon.social" with an account that may see it"#
      ),
      (.rateLimited(social, until: nil), .tryLater, "mastodon.social takes no more requests for now: try again later"),
      (
        .unreadable(social, reason: "it is a web page"), .unreadable,
        "the answer of mastodon.social cannot be read (it is a web page): check that the address is right, or try again later"
      ),
      (
        .notFound(social, what: "tag cats"), .unavailable,
        "mastodon.social has no tag cats, or no longer: check how it is spelt"
      ),
      (
        .unreachable(social, reason: "no such host"), .unavailable,
        "mastodon.social cannot be reached (no such host): check the address and the network"
      ),
      (.serverFailed(social, status: 503), .unavailable, "mastodon.social fails (status 503): try again later"),
      (.cancelled, .interrupted, "stopped"),
    ] as [(SourceError, ExitCode, String)]
  )
  func `each failure has its words, its cure and its exit code`(error: SourceError, code: ExitCode, words: String) {
    #expect(error.description == words)
    #expect(error.exitCode == code)
  }

  @Test func `a wait is told in the time of day of the place`() throws {
    let error = SourceError.rateLimited(SourceErrorTests.social, until: UTC.date("2026-11-21T13:05:00Z"))
    let berlin = try #require(TimeZone(secondsFromGMT: 3600))
    #expect(error.summary(in: berlin) == "mastodon.social takes no more requests until 14:05")
    #expect(error.summary(in: .gmt) == "mastodon.social takes no more requests until 13:05")
    #expect(error.cure == "try again then")
    #expect(error.exitCode == .tryLater)
  }
}
