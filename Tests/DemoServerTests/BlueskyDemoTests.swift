import Foundation
import Testing

@testable import DemoServer

/// The demo as it speaks Bluesky's API.
@Suite(.timeLimit(.minutes(2))) struct BlueskyDemoTests {
  private func logIn(_ client: Client) async throws -> (access: [String: String], refresh: [String: String]) {
    let answer = try await client.post(
      "/xrpc/com.atproto.server.createSession", body: #"{"identifier":"mira.test","password":"demo"}"#,
      type: "application/json")
    let tokens = try ["accessJwt", "refreshJwt"].map { try #require(answer.object[$0] as? String, "\(answer.text)") }
    return (["Authorization": "Bearer \(tokens[0])"], ["Authorization": "Bearer \(tokens[1])"])
  }

  private func posts(_ answer: Client.Answer) -> [[String: Any]] { answer.object["posts"] as? [[String: Any]] ?? [] }

  @Test func `a search needs a login, and leads on until all posts are shown, newest first`() async throws {
    try await withDemo(posts: 230, dialect: .bluesky) { client in
      let path = "/xrpc/app.bsky.feed.searchPosts?q=%23demo&limit=100"
      let refused = try await client.get(path)
      #expect((refused.status, refused.object["error"] as? String) == (401, "AuthMissing"))
      let access = try await logIn(client).access
      var (uris, dates, cursor): ([String], [String], String?) = ([], [], nil)
      for _ in 0..<3 {
        let answer = try await client.get(path + (cursor.map { "&cursor=\($0)" } ?? ""), headers: access)
        uris += posts(answer).compactMap { $0["uri"] as? String }
        dates += posts(answer).compactMap { $0["indexedAt"] as? String }
        cursor = answer.object["cursor"] as? String
      }
      #expect(cursor == nil)
      #expect(Set(uris).count == 230)
      #expect(dates == dates.sorted(by: >))
    }
  }

  @Test func `a request for the stream that is no WebSocket handshake gets 426, and other upgrades are ignored`()
    async throws
  {
    try await withDemo(posts: 5, dialect: .bluesky) { client in
      let handshake = ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"]
      let key = ["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="]
      let plain = try await client.get("/subscribe")
      #expect(plain.status == 426)
      #expect(try await client.get("/subscribe", headers: handshake).status == 426)
      #expect(try await client.get("/elsewhere", headers: handshake.merging(key) { $1 }).status == 404)
      #expect(try await client.get("/", headers: ["Upgrade": "h2c", "Connection": "Upgrade"]).status == 200)
    }
  }

  @Test(arguments: [
    RawConnection.handshake("Content-Length: 1\r\n") + "x",
    RawConnection.handshake("Transfer-Encoding: chunked\r\n") + "1\r\nx\r\n0\r\n\r\n",
    RawConnection.handshake(connection: "keep-alive") + RawConnection.handshake(connection: "keep-alive"),
  ])
  func `a handshake with a body, or with another request behind it, gets 426, and the demo goes on`(request: String)
    async throws
  {
    try await withDemo(posts: 5, dialect: .bluesky) { client in
      let connection = try RawConnection(to: client)
      connection.say(request)
      let answer = String(decoding: try await connection.next(), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 426"), "\(answer)")
      #expect(try await client.get("/").status == 200)
    }
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: demo.example\r\n\r\n"])
  func `what is no HTTP gets one answer, and its connection ends`(before: String) async throws {
    try await withDemo(posts: 5, dialect: .bluesky) { client in
      let connection = try RawConnection(to: client)
      connection.say(before + "nonsense\r\n\r\n")
      let answers = try await connection.rest()
      #expect(answers.components(separatedBy: "HTTP/1.1 400").count == 2, "\(answers)")
      #expect(answers.contains("HTTP/1.1 200") == !before.isEmpty, "\(answers)")
    }
  }

  @Test func `a token for renewal works once, and one for requests does not renew`() async throws {
    try await withDemo(posts: 5, dialect: .bluesky) { client in
      let (access, refresh) = try await logIn(client)
      let path = "/xrpc/com.atproto.server.refreshSession"
      func renew(_ headers: [String: String]) async throws -> Client.Answer {
        try await client.post(path, body: "", type: "application/json", headers: headers)
      }
      #expect(try await renew(access).object["error"] as? String == "InvalidToken")
      #expect(try await renew(refresh).status == 200)
      #expect(try await renew(refresh).object["error"] as? String == "InvalidToken")
    }
  }

  @Test func `a token ends after two hours`() async throws {
    let clock = Clockwork()
    try await withDemo(posts: 5, dialect: .bluesky, clock: clock) { client in
      let access = try await logIn(client).access
      let path = "/xrpc/com.atproto.server.getSession"
      #expect(try await client.get(path, headers: access).status == 200)
      clock.pass(7_201)
      let ended = try await client.get(path, headers: access)
      #expect((ended.status, ended.object["error"] as? String) == (400, "ExpiredToken"))
    }
  }

  @Test func `a file is named by the hash of its bytes, and a facet by its bytes in the text`() async throws {
    try await withDemo(posts: 40, dialect: .bluesky) { client in
      let access = try await logIn(client).access
      let answer = try await client.get("/xrpc/app.bsky.feed.searchPosts?q=%23demo&limit=40", headers: access)
      let records = posts(answer).compactMap { $0["record"] as? [String: Any] }
      let images = records.flatMap { ($0["embed"] as? [String: Any])?["images"] as? [[String: Any]] ?? [] }
      let blob = try #require(images.first?["image"] as? [String: Any])
      let cid = try #require((blob["ref"] as? [String: String])?["$link"])
      let file = try await client.get("/xrpc/com.atproto.sync.getBlob?did=x&cid=\(cid)")
      #expect(BlueskyNames.cid(sha256(Array(file.data))) == cid)
      #expect(blob["size"] as? Int == file.data.count)
      for record in records {
        let text = Array((record["text"] as? String ?? "").utf8)
        for facet in record["facets"] as? [[String: Any]] ?? [] {
          let index = try #require(facet["index"] as? [String: Int])
          let shown = String(decoding: text[index["byteStart"]!..<index["byteEnd"]!], as: UTF8.self)
          let feature = (facet["features"] as? [[String: String]])?.first
          if let tag = feature?["tag"] { #expect(shown == "#\(tag)") }
        }
      }
    }
  }

  @Test func `keys sort as posts do, and lead back to them`() {
    let ids = (0..<63).map { (Int64(1) << $0) - 1 }
    let keys = ids.map(BlueskyNames.key)
    #expect(keys == keys.sorted())
    #expect(keys.map { BlueskyNames.id($0) } == ids)
    #expect(BlueskyNames.id("3mcats000000!") == nil)
    #expect(
      BlueskyNames.cid(sha256(Array("hello world".utf8)))
        == "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e")
  }
}
