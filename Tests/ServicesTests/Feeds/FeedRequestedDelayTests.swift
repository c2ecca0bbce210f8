import HTTP
import Machine
import Posts
import Services
import Testing

/// What feeds say of how long they would be left alone.
struct FeedRespiteTests {
  private func feed(_ head: String) -> [UInt8] {
    let syndication = "xmlns:sy=\"http://purl.org/rss/1.0/modules/syndication/\""
    return Array(
      "<rss version=\"2.0\" \(syndication)><channel><title>Birds</title>\(head)<item><guid>1</guid></item></channel></rss>"
        .utf8)
  }

  private func requestedDelay(_ head: String = "", _ headers: Headers = [:]) async throws -> RequestedDelay? {
    try await FeedDesk.page(Response(status: 200, headers: headers, body: feed(head))).requestedDelay
  }

  @Test(arguments: [
    ("<ttl>90</ttl>", Duration.seconds(5400)), ("<ttl> 60 </ttl>", .seconds(3600)), ("<ttl>0</ttl>", nil),
    ("<ttl>soon</ttl>", nil), ("<ttl>-5</ttl>", nil), ("<ttl>99999999999</ttl>", nil),
    ("<sy:updatePeriod>hourly</sy:updatePeriod>", .seconds(3600)),
    ("<sy:updatePeriod> Daily </sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>", .seconds(21_600)),
    ("<sy:updateFrequency>2</sy:updateFrequency>", .seconds(43_200)),
    ("<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>", .seconds(3600)),
    ("<sy:updatePeriod>now and then</sy:updatePeriod>", nil),
    ("<ttl>30</ttl><sy:updatePeriod>hourly</sy:updatePeriod>", .seconds(3600)),
  ])
  func `a document says for how long nothing new comes`(head: String, wish: Duration?) async throws {
    #expect(try await requestedDelay(head) == RequestedDelay(suggested: wish))
  }

  @Test func `of what the document and the answer say the longer counts`() async throws {
    let fresh: Headers = ["Cache-Control": "max-age=1800"]
    #expect(try await requestedDelay("<ttl>10</ttl>", fresh) == RequestedDelay(suggested: .seconds(1800)))
    #expect(try await requestedDelay("<ttl>60</ttl>", fresh) == RequestedDelay(suggested: .seconds(3600)))
    #expect(try await requestedDelay("", ["Retry-After": "900"]) == RequestedDelay(demanded: .seconds(900)))
    #expect(try await requestedDelay("", ["Retry-After": "0"]) == RequestedDelay())
  }

  @Test func `an answer without the document says what its fields say, or nothing`() async throws {
    let whole = Response(status: 200, headers: ["ETag": "\"1\""], body: feed("<ttl>90</ttl>"))
    let known = try #require(try await FeedDesk.page(whole).visit)
    let answers: [(Headers, RequestedDelay?)] = [
      ([:], nil), (["Expires": "Sat, 21 Nov 2026 10:05:00 GMT"], RequestedDelay(suggested: .seconds(300))),
      (["Retry-After": "60"], RequestedDelay(demanded: .seconds(60))),
    ]
    for (headers, requestedDelay) in answers {
      let source = FeedSource(
        server: FeedDesk.server, token: nil, transport: Answering(304, [], headers: headers).transport,
        time: .fixed(at: "2026-11-21T10:00:00Z"))
      let page = try await source.page(of: FeedDesk.feed, after: nil, size: nil, since: known)
      #expect(page.requestedDelay == requestedDelay)
    }
  }

  @Test func `a server that fails and says when to come back is a limit, and one that names no time is not`()
    async throws
  {
    func failure(_ headers: Headers) async -> SourceError? {
      await #expect(throws: SourceError.self) { try await FeedDesk.page(Response(status: 503, headers: headers)) }
    }
    let now = try #require(UTC.date("2026-11-21T10:00:00Z"))
    let limit = SourceError.rateLimited(FeedDesk.server, until: now.addingTimeInterval(7200), asked: now)
    #expect(await failure(["Retry-After": "7200"]) == limit)
    for headers in [[:], ["Retry-After": "0"], ["Retry-After": "5"]] as [Headers] {
      #expect(await failure(headers) == .serverFailed(FeedDesk.server, status: 503))
    }
  }
}
