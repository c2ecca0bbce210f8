import Foundation
import HTTP
import ScriptedOrigin
import Testing

/// Harvests that read Bluesky's stream for followed tags: the demo's, and those of servers of raw bytes, which break.
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
      Request(.get, "\(url)/xrpc/app.bsky.feed.getAuthorFeed?actor=mira.test&limit=5"))
    let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    let views = (object?["feed"] as? [[String: Any]])?.filter { $0["reason"] == nil }.compactMap {
      $0["post"] as? [String: Any]
    }
    return try #require(views).compactMap { $0["uri"] as? String }
  }

  /// A demo whose tag is followed by somebody who has logged out. Without a login a tag cannot be searched: what comes
  /// comes by the stream.
  private func follow(in sandbox: Sandbox) async throws -> (demo: Running, url: String) {
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "5000", "--seed", "18", "--dialect", "bluesky")
    let url = try await demo.line("http://127.0.0.1:")
    let login = try await sandbox.media("login", url, "--source", "bluesky", input: "mira.test\ndemo\n")
    try #require(login.status == 0, "\(login.errors)")
    try #require(try await sandbox.media("follow", "tag:demo@bluesky+\(url)").status == 0)
    try #require(try await sandbox.media("logout").status == 0)
    return (demo, url)
  }

  private func read(_ server: String, in sandbox: Sandbox) async throws {
    for (name, value) in [("jetstream", "on"), ("jetstream-server", server)] {
      #expect(try await sandbox.media("settings", name, value).status == 0)
    }
  }

  @Test func `a newcomer's harvest takes posts from the demo's stream alone, and learns there what is gone`()
    async throws
  {
    let sandbox = try Sandbox()
    let browser = Session(agent: "visitor", environment: [:])
    let (demo, url) = try await follow(in: sandbox)
    try await read(url, in: sandbox)
    // With this seed it is the newest post of all.
    let newest = try #require(try await uris(url, browser).first)
    let first = try await sandbox.media("harvest", "--no-pictures")
    let stored = try await sandbox.media("list", "--json", "--limit", "1000").objects().compactMap {
      $0["remote_id"] as? String
    }
    #expect(stored.contains(newest), "\(first.errors)")
    #expect(first.errors.contains("looked at Bluesky's posts from "), "\(first.errors)")
    #expect(first.errors.contains(", \(stored.count) new post"), "\(first.errors)")
    #expect(try await sandbox.sql("SELECT count(*) FROM coverage") == "0\n")

    let live = try browser.webSocket(
      Request(.get, "\(url)/subscribe?wantedCollections=app.bsky.feed.*", patience: .seconds(20)))
    #expect(try text(live).contains(#""kind":"identity""#))
    try await delete(newest, url, browser)
    var event = try text(live)
    for _ in 0..<30 where event.contains(#""kind":"identity""#) { event = try text(live) }
    let key = try #require(newest.split(separator: "/").last)
    for member in [#""operation":"delete""#, #""collection":"app.bsky.feed.post""#, #""rkey":"\#(key)""#] {
      #expect(event.contains(member), "\(event)")
    }
    live.close()

    let second = try await sandbox.media("harvest", "--no-pictures")
    #expect(second.errors.contains("looked at Bluesky's posts"), "\(second.errors)")
    let gone = try await sandbox.media("list", "--json", "is:gone").objects()
    #expect(gone.compactMap { $0["remote_id"] as? String } == [newest], "\(second.errors)")
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  /// The next text of a stream.
  private func text(_ stream: WebSocket) throws -> String {
    guard case .text(let bytes) = try stream.next(within: .seconds(20)) else { throw CancellationError() }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `what a stream brought before it broke is stored, and the next harvest goes on there`() async throws {
    let sandbox = try Sandbox()
    let (demo, url) = try await follow(in: sandbox)
    let posts = try await uris(url, Session(agent: "visitor", environment: [:]))
    try #require(posts.count >= 3)

    let second = Self.event(posts[2], at: Self.now + 300_000_000)
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
    try await read(stream.url, in: sandbox)
    let first = try await sandbox.media("harvest", "--no-pictures")
    #expect(first.errors.contains("looked at Bluesky's posts from "), "\(first.errors)")
    #expect(first.errors.contains("3 events, 2 new posts"), "\(first.errors)")
    #expect(!first.errors.contains("complete"))
    let listed = try await sandbox.media("list", "--json").objects()
    #expect(Set(listed.compactMap { $0["remote_id"] as? String }) == Set(posts.prefix(2)))
    #expect(try await sandbox.sql("SELECT count(*) FROM coverage") == "0\n")

    let harvest = try await sandbox.media("harvest", "--no-pictures")
    #expect(harvest.errors.contains("looked at Bluesky's posts"), "\(harvest.errors)")
    #expect(stream.heads.last?.contains("cursor=\(Self.now - 11_000_000) ") == true, "\(stream.heads)")
    #expect(try await sandbox.media("check").status == 0)
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  private func delete(_ uri: String, _ url: String, _ browser: Session) async throws {
    let session = try await browser.transport.send(
      Request(
        .post, "\(url)/xrpc/com.atproto.server.createSession", body: Array("identifier=mira.test&password=demo".utf8)))
    let tokens = try JSONSerialization.jsonObject(with: Data(session.body)) as? [String: Any]
    let token = try #require(tokens?["accessJwt"] as? String)
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
