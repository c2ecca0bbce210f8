import Foundation
import HTTP
import Posts
import ScriptedOrigin
import Storage
import Testing

@testable import Harvest

@Suite(.timeLimit(.minutes(10))) struct HostTroublesTests {
  private static let leftAlone = "its host failed too often in this pull and is left alone for now"

  @Test func `three failures without a success between them, and a host is left alone`() {
    var troubles = HostCircuitBreaker()
    for host in ["a", "a", "b", "b", "a"] {
      #expect(!troubles.isLeftAlone(host))
      troubles.failed(host)
    }
    #expect(troubles.isLeftAlone("a"))
    #expect(!troubles.isLeftAlone("b"))
  }

  @Test func `a success makes everything good`() {
    var troubles = HostCircuitBreaker()
    for _ in 0..<7 { troubles.failed("a") }
    troubles.succeeded("a")
    for _ in 0..<2 { troubles.failed("a") }
    #expect(!troubles.isLeftAlone("a"))
  }

  @Test func `a host is known by its name and its port, whatever follows`() {
    #expect(HostCircuitBreaker.host(of: "https://Cats.Example/a?b#c") == "cats.example")
    #expect(HostCircuitBreaker.host(of: "http://cats.example:8080/") == "cats.example:8080")
    #expect(HostCircuitBreaker.host(of: "nothing") == "nothing")
  }

  @Test func `only what is the host's fault is held against it`() {
    let errors: [TransportError] = [
      .unknownHost("a"), .unreachable(host: "a", reason: ""), .timedOut(host: "a"), .untrusted(host: "a", reason: ""),
    ]
    #expect(errors.allSatisfy { FetchFailure($0).blamesHost })
    let others: [TransportError] = [
      .cut(host: "a"), .tooLarge(limit: 1), .redirectRefused(to: ""), .tooManyRedirects, .invalidURL, .sink(""),
      .privateNetwork(host: "a"),
    ]
    #expect(!others.contains { FetchFailure($0).blamesHost })
    let refusal = { (status: Int, headers: Headers) in
      FetchFailure(Response(status: status, headers: headers), of: "a", now: noon)
    }
    #expect([408, 500, 503, 520, 599].allSatisfy { refusal($0, [:]).blamesHost })
    #expect(![304, 400, 401, 403, 404, 410, 451].contains { refusal($0, [:]).blamesHost })
    let page = Response(status: 403, body: Array("<html>no</html>".utf8))
    #expect(FetchFailure(page, of: "a", now: noon).reason == "its protection refused this program")
    #expect(FetchFailure(page, of: "a", now: noon).blamesHost)
    let limited = refusal(429, ["Retry-After": "900"])
    #expect((limited.blamesHost, limited.limit) == (false, HostLimit(host: "a", until: noon + 900)))
    let stated = FetchFailure(.rateLimited(host: "b", until: noon + 9, asked: noon))
    #expect(stated.limit == HostLimit(host: "b", until: noon + 9))
    // A limit without a time is one, too.
    for status in [420, 429] {
      let untold = refusal(status, [:])
      #expect((untold.blamesHost, untold.limit?.until) == (false, noon + FetchFailure.assumedLimit))
    }
    #expect(!FetchFailure(.html).blamesHost && !FetchFailure.leftAlone.blamesHost)
  }

  @Test func `pictures wait a minute at most for a host that asks for it`() {
    let verdict = { (seconds: Int) -> RetryPolicy.Verdict in
      let busy = Response(status: 429, headers: ["Retry-After": "\(seconds)"])
      return PictureFetcher.patience.verdict(on: .success(busy), of: .get, after: .init(), now: noon, chance: 0)
    }
    #expect(verdict(60) == .retry(after: .seconds(60), asked: true))
    #expect(verdict(61) == .giveUp)
  }

  /// Forty posts, the last with a picture at the origin, the others with one at an address made from their number; and the
  /// results.
  private func pull(
    _ origin: Origin, _ library: TestLibrary, others: (Int) -> String
  ) async throws -> (report: PullReport, pictures: [StoredAttachment]) {
    let last = origin.script.posts.count - 1
    for index in 0..<last {
      let picture: JSON = ["id": .text("7\(index)"), "type": "image", "url": .text(others(index))]
      origin.change { $0.posts[index].overrides = ["media_attachments": [picture]] }
    }
    let report = try await library.pull(origin, PullPlan(avatars: false))
    return (report, try library.posts.flatMap(\.attachments))
  }

  @Test(arguments: [Trouble.Kind.status(503), .closed])
  func `a host in trouble is left alone, and another host's picture comes`(trouble: Trouble.Kind) async throws {
    try await withOrigin(.album(posts: 40, pictures: 1)) { origin in
      try await withOrigin(Script(troubles: [.every("/", trouble)])) { bad in
        let library = try TestLibrary()
        let (report, pictures) = try await pull(origin, library) { "\(bad.url)/\($0).png" }
        #expect(report.failure == nil)
        #expect((report.summary.media.downloaded, report.summary.media.failed) == (1, 39))
        #expect(pictures.last?.state == .stored)
        // Sixteen were in flight, four waited, and the first two failures made room for two more.
        let asked = Set(bad.requests.map(\.path)).count
        #expect((3...22).contains(asked))
        // A requested one may be skipped, too, when its retry would come.
        #expect(pictures.count { $0.failure == Self.leftAlone } >= 39 - asked)
        #expect(report.picturesPutOff.isEmpty)
        #expect(pictures.dropLast().allSatisfy { $0.state == .failed })
        #expect(report.pictureFailures.contains { $0.hasSuffix(".png: \(Self.leftAlone)") })
      }
    }
  }

  @Test func `pictures of a troubled host are downloaded by a later pull`() async throws {
    try await withOrigin(.album(posts: 40, pictures: 1)) { origin in
      let picture = origin.script.posts[39].attachments[0].picture
      try await withOrigin(Script(troubles: [.every("/", .status(503))])) { bad in
        let library = try TestLibrary()
        _ = try await pull(origin, library) { "\(bad.url)/\($0).png" }
        bad.change { $0.troubles = [.every("/", .garbage(picture.bytes))] }
        library.clock.pass(901)
        let (report, pictures) = try await pull(origin, library) { "\(bad.url)/\($0).png" }
        #expect(report.summary.media.deduplicated == 39)
        #expect(pictures.allSatisfy { $0.state == .stored })
      }
    }
  }

  @Test func `gone pictures do not open their host's circuit breaker`() async throws {
    try await withOrigin(.album(posts: 40, pictures: 1)) { origin in
      let (report, pictures) = try await pull(origin, try TestLibrary()) { "\(origin.url)/nothing/\($0).png" }
      #expect((report.summary.media.downloaded, report.summary.media.failed) == (1, 39))
      #expect(pictures.count { $0.failure == "the server answers 404" } == 39)
    }
  }

  @Test func `every address that was tried is named with its reason`() async throws {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      origin.change { $0.troubles = [.every("/media/0-0", .status(500)), .every("/media/other", .status(403))] }
      let (first, second) = ("\(origin.url)/media/0-0.png", "\(origin.url)/media/other.png")
      let picture: JSON = ["id": "7", "type": "image", "url": .text(first), "remote_url": .text(second)]
      origin.change { $0.posts[0].overrides = ["media_attachments": [picture]] }
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(avatars: false))
      #expect(report.pictureFailures == ["\(first): the server answers 500; \(second): the server answers 403"])
      let host = HostCircuitBreaker.host(of: origin.url)
      #expect(
        try library.posts[0].attachments[0].failure
          == "\(host): the server answers 500; \(host): the server answers 403")
    }
  }
}
