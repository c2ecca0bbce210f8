import Foundation
import HTTP
import ScriptedOrigin
import Testing

/// Harvests that read Bluesky's stream for followed tags: the demo shows the posts, and a server of raw bytes streams.
@Suite(.timeLimit(.minutes(10))) struct BlueskyStreamJourneyTests {
  private static let now = Int64(Date().timeIntervalSince1970 * 1e6)

  private static func event(_ uri: String, at time: Int64, operation: String = "create") -> [UInt8] {
    let parts = uri.split(separator: "/")
    let record = operation == "delete" ? "" : #","record":{"text":"","tags":["demo"]}"#
    return WebSocketBytes.text(
      """
      {"did":"\(parts[1])","time_us":\(time),"kind":"commit","commit":{"operation":"\(operation)",
      "collection":"app.bsky.feed.post","rkey":"\(parts[3])"\(record)}}
      """)
  }

  private func uris(_ url: String, _ browser: Session) async throws -> [String] {
    let answer = try await browser.transport.send(
      Request(.get, "\(url)/xrpc/app.bsky.feed.getAuthorFeed?actor=mira.test&limit=100"))
    let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    let views = (object?["feed"] as? [[String: Any]])?.filter { $0["reason"] == nil }.compactMap {
      $0["post"] as? [String: Any]
    }
    return try #require(views).compactMap { $0["uri"] as? String }
  }

  @Test func `posts of the stream are stored, deletions are looked up, and nothing is claimed to be complete`()
    async throws
  {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "240", "--dialect", "bluesky")
    let url = try await demo.line("http://127.0.0.1:")
    let login = { try await sandbox.media("login", url, "--source", "bluesky", input: "mira.test\ndemo\n").status }
    try #require(try await login() == 0)
    try #require(try await sandbox.media("follow", "tag:demo@bluesky+\(url)").status == 0)
    // Without a login a tag cannot be searched. What comes comes by the stream.
    try #require(try await sandbox.media("logout").status == 0)
    let browser = Session(agent: "visitor", environment: [:])
    let posts = try await uris(url, browser)
    try #require(posts.count >= 3)

    let second =
      Self.event(posts[0], at: Self.now + 1, operation: "delete") + Self.event(posts[2], at: Self.now + 300_000_000)
    let stream = try RawServer([
      [
        .answer {
          WebSocketBytes.upgraded(
            $0,
            Self.event(posts[0], at: Self.now - 2_000_000) + WebSocketBytes.text("nonsense")
              + Self.event(posts[1], at: Self.now - 1_000_000) + WebSocketBytes.frame(8, []))
        }
      ], [.reset], [.reset], [.reset], [.answer { WebSocketBytes.upgraded($0, second) }],
    ])
    for (name, value) in [("jetstream", "on"), ("jetstream-server", stream.url)] {
      #expect(try await sandbox.media("settings", name, value).status == 0)
    }
    let first = try await sandbox.media("harvest", "--no-pictures")
    #expect(first.errors.contains("looked at Bluesky's posts from "), "\(first.errors)")
    #expect(first.errors.contains("3 events, 2 new posts"), "\(first.errors)")
    #expect(!first.errors.contains("complete"))
    let listed = try await sandbox.media("list", "--json").objects()
    #expect(Set(listed.compactMap { $0["remote_id"] as? String }) == Set(posts.prefix(2)))
    #expect(try await sandbox.sql("SELECT count(*) FROM coverage") == "0\n")

    try #require(try await login() == 0)
    try await delete(posts[0], url, sandbox, browser)
    let harvest = try await sandbox.media("harvest", "--no-pictures")
    #expect(harvest.errors.contains("looked at Bluesky's posts"), "\(harvest.errors)")
    #expect(stream.heads.last?.contains("cursor=\(Self.now - 11_000_000) ") == true, "\(stream.heads)")
    #expect(try await sandbox.sql("SELECT count(*) FROM recheck WHERE gone_at IS NOT NULL") == "1\n")
    #expect(try await sandbox.media("check").status == 0)
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  private func delete(_ uri: String, _ url: String, _ sandbox: Sandbox, _ browser: Session) async throws {
    let accounts = try JSONSerialization.jsonObject(
      with: try #require(FileManager.default.contents(atPath: "\(sandbox.configuration)/accounts.json")))
    let list = (accounts as? [String: Any])?["accounts"] as? [[String: Any]]
    let token = try #require(list?.first?["token"] as? String)
    let key = try #require(uri.split(separator: "/").last)
    let answer = try await browser.transport.send(
      Request(
        .post, "\(url)/xrpc/com.atproto.repo.deleteRecord", token: Secret(token),
        body: Array(#"{"rkey":"\#(key)"}"#.utf8)))
    try #require(answer.status == 200)
  }

  @Test func `the stream is read only where it is switched on, and its failure is told`() async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "5", "--dialect", "bluesky")
    let url = try await demo.line("http://127.0.0.1:")
    try #require(try await sandbox.media("login", url, "--source", "bluesky", input: "mira.test\ndemo\n").status == 0)
    try #require(try await sandbox.media("follow", "tag:demo@bluesky+\(url)").status == 0)
    let stream = try RawServer(says: "HTTP/1.1 403 Forbidden\r\n\r\n")
    #expect(try await sandbox.media("settings", "jetstream-server", stream.url).status == 0)
    let off = try await sandbox.media("harvest", "--no-pictures")
    #expect(off.status == 0 && stream.connections == 0, "\(off.errors)")
    #expect(try await sandbox.media("settings", "jetstream", "on").status == 0)
    let on = try await sandbox.media("harvest", "--no-pictures")
    #expect(on.status == 0 && on.errors.contains("it answers with status 403"), "\(on.status) \(on.errors)")
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }
}
