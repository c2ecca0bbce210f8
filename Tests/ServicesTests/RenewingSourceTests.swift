import Foundation
import HTTP
import Posts
import Services
import Synchronization
import Testing

/// Pulls that outlast the token with which they began.
struct RenewingSourceTests {
  private let server = Server("birds.example")!
  private let page = BlueskyDesk.answer([BlueskyDesk.post("3a")])

  /// A source whose server takes one token, and how often its login was renewed.
  private func source(
    _ token: String, taking good: String, renewed other: String?
  ) throws -> (source: any Source, renewals: @Sendable () -> Int, tokens: @Sendable () -> Set<String>) {
    let renewals = Mutex(0), tokens = Mutex<Set<String>>([])
    let page = page
    let send: @Sendable (Request) async throws(TransportError) -> Response = { request throws(TransportError) in
      let token = request.token?.reveal() ?? ""
      tokens.withLock { _ = $0.insert(token) }
      if token == good { return page }
      var answer = Response(#"{"error":"ExpiredToken"}"#)
      answer.status = 400
      return answer
    }
    let transport = Transport(send: send) { request, _ throws(TransportError) in try await send(request) }
    let caller = Caller(token: Secret(token)) {
      renewals.withLock { $0 += 1 }
      return other.map { Secret($0) }
    }
    let api = try #require(Catalogue.entry(.bluesky)?.usual)
    let source = api.make(server, caller, transport, .fixed(at: "2026-11-21T10:00:00Z"))
    return (source, { renewals.withLock { $0 } }, { tokens.withLock { $0 } })
  }

  private var feed: Feed { Feed(source: .bluesky, kind: .tag, value: "cats", server: server) }

  @Test func `a token that ended under way is exchanged once, for all that follows`() async throws {
    let (source, renewals, _) = try source("old", taking: "new", renewed: "new")
    for _ in 0..<3 { #expect(try await source.page(of: feed, after: nil, size: nil).items.count == 1) }
    #expect(try await source.page(of: feed, after: nil, size: nil, since: nil).items.count == 1)
    #expect(renewals() == 1)
  }

  @Test(arguments: [nil, "old", "other"])
  func `a login that cannot be renewed is refused`(other: String?) async throws {
    let (source, renewals, tokens) = try source("old", taking: "new", renewed: other)
    await #expect(throws: SourceError.tokenRefused(server)) { try await source.page(of: feed, after: nil, size: nil) }
    #expect(renewals() == 1)
    #expect(tokens() == (other == "other" ? ["old", "other"] : ["old"]))
  }

  @Test func `a token that is taken is not exchanged`() async throws {
    let (source, renewals, tokens) = try source("new", taking: "new", renewed: "other")
    _ = try await source.page(of: feed, after: nil, size: nil)
    #expect((renewals(), tokens()) == (0, ["new"]))
  }
}
