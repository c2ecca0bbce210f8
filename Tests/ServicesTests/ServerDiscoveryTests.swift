import HTTP
import Posts
import Services
import Synchronization
import Testing

/// Where a host's accounts live, and what it runs.
struct ServerDiscoveryTests {
  private let server = Server("birds.example")!

  /// What is found, from answers by the beginnings of their addresses, and the addresses that were asked for.
  private func find(
    _ answers: [String: String], kind: Feed.Kind = .user
  ) async -> (finding: ServerDiscovery.Finding?, asked: [String]) {
    let asked = Mutex<[String]>([])
    let send: @Sendable (Request) async throws(TransportError) -> Response = { request in
      asked.withLock { $0.append(request.url) }
      guard let body = answers.first(where: { request.url.hasPrefix($0.key) })?.value else {
        return Response(status: 404, body: Array("<html>".utf8))
      }
      return Response(status: 200, body: Array(body.utf8))
    }
    let transport = Transport(send: send, download: { request, _ throws(TransportError) in try await send(request) })
    let feed = Feed(source: .mastodon, kind: kind, value: "ann", server: server)
    return (await ServerDiscovery(transport: transport).find(feed), asked.withLock { $0 })
  }

  private static let account = #"""
    {"subject":"acct:ann@birds.example","links":[{"rel":"http://webfinger.net/rel/avatar","href":"https://cdn.example/a"},
     {"rel":"http://webfinger.net/rel/profile-page","href":"https://pages.example/ann"},
     {"rel":"self","type":"application/activity+json","href":"https://social.birds.example/users/ann"}]}
    """#
  private static let meta = #"""
    <?xml version="1.0"?><XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
    <Link rel="lrdd" template="https://social.birds.example/.well-known/webfinger?resource={uri}"/></XRD>
    """#

  @Test func `WebFinger leads from the account's host to the API's`() async {
    let (finding, asked) = await find([
      "https://birds.example/.well-known/webfinger?resource=acct%3Aann%40birds.example": Self.account
    ])
    #expect(finding == .elsewhere(Server("social.birds.example")!))
    #expect(asked.count == 1)
  }

  @Test func `host-meta leads there, too, and for tags`() async {
    let known = [
      "https://birds.example/.well-known/host-meta": Self.meta,
      "https://social.birds.example/.well-known/webfinger?resource=acct%3Aann%40birds.example": Self.account,
    ]
    #expect(await find(known).finding == .elsewhere(Server("social.birds.example")!))
    #expect(await find(known, kind: .tag).finding == .elsewhere(Server("social.birds.example")!))
  }

  @Test func `NodeInfo names the software`() async {
    let nodes = #"""
      {"links":[{"rel":"http://nodeinfo.diaspora.software/ns/schema/2.0","href":"https://birds.example/nodeinfo/2.0"},
       {"rel":"other","href":"https://evil.example/"}]}
      """#
    let (finding, asked) = await find([
      "https://birds.example/.well-known/nodeinfo": nodes,
      "https://birds.example/nodeinfo/2.0": #"{"version":"2.0","software":{"name":"misskey","version":"2026.1"}}"#,
    ])
    #expect(finding == .software("Misskey"))
    #expect(asked.allSatisfy { $0.hasPrefix("https://birds.example/") })
    #expect(SourceError.otherSoftware(server, name: "Misskey").summary == "birds.example runs Misskey")
  }

  @Test func `a server of the AT Protocol describes itself, and is one of Bluesky's`() async {
    let method = "https://birds.example/xrpc/com.atproto.server.describeServer"
    let (finding, _) = await find([method: #"{"did":"did:web:birds.example","availableUserDomains":[]}"#], kind: .tag)
    #expect(finding == .software("Bluesky") && Catalogue.entry(speakingAs: "Bluesky")?.name == .bluesky)
    #expect(await find([method: #"{"error":"MethodNotImplemented"}"#], kind: .tag).finding == nil)
  }

  @Test(
    arguments: [
      [:], ["https://birds.example/.well-known/webfinger": "[]"],
      ["https://birds.example/.well-known/webfinger": #"{"links":[{"rel":"self","href":"javascript:x"}]}"#],
      ["https://birds.example/.well-known/nodeinfo": #"{"links":[{"rel":"x","href":"file:///etc/passwd"}]}"#],
      ["https://birds.example/.well-known/host-meta": #"<Link rel="lrdd" template="ftp://x/{uri}">"#],
    ] as [[String: String]])
  func `a host that says nothing, or nonsense, leads nowhere`(answers: [String: String]) async {
    #expect(await find(answers).finding == nil)
  }
}
