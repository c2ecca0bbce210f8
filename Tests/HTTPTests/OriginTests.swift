import Foundation
import HTTP
import ScriptedOrigin
import Testing

/// The scripted origin does what other tests rely on.
@Suite struct OriginTests {
  private let transport = session().transport
  private let oob = "urn:ietf:wg:oauth:2.0:oob"

  private func page(_ origin: Origin, _ query: String = "", tag: String = "cats") async throws -> (
    ids: [String], link: String?
  ) {
    let answer = try await transport.send(Request(.get, "\(origin.url)/api/v1/timelines/tag/\(tag)?\(query)"))
    #expect(answer.status == 200)
    let posts = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
    return (posts.compactMap { $0["id"] as? String }, answer.headers["Link"])
  }

  @Test(arguments: [Script.IDs.numbers, .letters])
  func `cursors mean what Mastodon means by them`(ids: Script.IDs) async throws {
    let script = Script(posts: 6, ids: ids)
    let all = script.posts.map(\.id)
    try await withOrigin(script) { origin in
      let newest = try await page(origin)
      #expect(newest.ids == all)
      let below = try await page(origin, "limit=2&max_id=\(all[1])")
      #expect(below.ids == [all[2], all[3]])
      let since = try await page(origin, "limit=2&since_id=\(all[3])")
      #expect(since.ids == [all[0], all[1]])
      let above = try await page(origin, "limit=2&min_id=\(all[3])")
      #expect(above.ids == [all[1], all[2]])
      let between = try await page(origin, "max_id=\(all[1])&min_id=\(all[4])")
      #expect(between.ids == [all[2], all[3]])
    }
  }

  @Test func `a page's links contain the limit and a cursor, and an empty page has no links`() async throws {
    let script = Script(posts: 50)
    try await withOrigin(script) { origin in
      let first = try await page(origin, "limit=80&only_media=true")
      #expect(first.ids.count == 40)
      let next = try #require(LinkHeader.parse([first.link ?? ""]).first { $0.relations == ["next"] })
      #expect(next.target == "\(origin.url)/api/v1/timelines/tag/cats?limit=40&max_id=\(script.posts[39].id)")
      let last = try await page(origin, "max_id=\(script.posts[49].id)")
      #expect(last.ids.isEmpty)
      #expect(last.link == nil)
      #expect(try await page(origin).ids.count == 20)
    }
  }

  @Test func `the same seed makes the same script, another seed another`() {
    let texts = [1, 1, 2].map { seed in Script(posts: 30, seed: seed).posts.map(\.caption) }
    #expect(texts[0] == texts[1])
    #expect(texts[0] != texts[2])
    #expect(Script(posts: 30).pictureHashes == Script(posts: 30).pictureHashes)
  }

  @Test func `some pictures repeat the bytes of others`() {
    let attachments = Script(posts: 100).posts.flatMap(\.attachments)
    #expect(Set(attachments.map(\.id)).count == attachments.count)
    #expect(Set(attachments.map(\.picture.sha256)).count < attachments.count)
  }

  @Test func `served pages can change while they are served`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      var writer = PostWriter(tag: "cats", seed: 9, firstPicture: 5000)
      let arrived = writer.post(77)
      origin.change { $0.posts.insert(arrived, at: 0) }
      let grown = try await page(origin)
      #expect(grown.ids.first == arrived.id)
      origin.change { $0.posts.removeFirst(2) }
      let shrunk = try await page(origin)
      #expect(shrunk.ids == origin.script.posts.map(\.id))
    }
  }

  @Test func `a code gives one token to a client with its verifier`() async throws {
    try await withOrigin(Script()) { origin in
      let app = try await json(.form("\(origin.url)/api/v1/apps", [("client_name", "m"), ("redirect_uris", oob)]))
      let verifier = base64URL(randomBytes(32))
      let code = try origin.approve(
        Request.address(
          "\(origin.url)/oauth/authorize",
          [
            ("response_type", "code"), ("client_id", app["client_id"] ?? ""), ("redirect_uri", oob), ("scope", "read"),
            ("code_challenge", base64URL(Digest.sha256(verifier.utf8))), ("code_challenge_method", "S256"),
          ]))
      let fields = [
        ("grant_type", "authorization_code"), ("client_id", app["client_id"] ?? ""),
        ("client_secret", app["client_secret"] ?? ""), ("redirect_uri", oob), ("code", code),
        ("code_verifier", verifier),
      ]
      let token = try await json(.form("\(origin.url)/oauth/token", fields))["access_token"] ?? ""
      #expect(origin.tokens.contains(token))
      let again = try await transport.send(.form("\(origin.url)/oauth/token", fields))
      #expect(again.status == 400)
      let me = Request(.get, "\(origin.url)/api/v1/accounts/verify_credentials", token: Secret(token))
      #expect(try await transport.send(me).status == 200)
      let revoked = try await transport.send(.form("\(origin.url)/oauth/revoke", fields + [("token", token)]))
      #expect(revoked.status == 200)
      #expect(try await transport.send(me).status == 401)
    }
  }

  @Test func `a code gives no token to a client without its verifier`() async throws {
    try await withOrigin(Script()) { origin in
      let app = try await json(.form("\(origin.url)/api/v1/apps", [("client_name", "m"), ("redirect_uris", oob)]))
      let challenge = base64URL(Digest.sha256("right".utf8))
      let code = try origin.approve(
        "\(origin.url)/oauth/authorize?response_type=code&client_id=\(app["client_id"] ?? "")&redirect_uri=\(oob)"
          + "&code_challenge=\(challenge)&code_challenge_method=S256")
      let fields = [
        ("grant_type", "authorization_code"), ("client_id", app["client_id"] ?? ""),
        ("client_secret", app["client_secret"] ?? ""), ("redirect_uri", oob), ("code", code),
        ("code_verifier", base64URL(randomBytes(32))),
      ]
      #expect(try await transport.send(.form("\(origin.url)/oauth/token", fields)).status == 400)
      #expect(origin.tokens == ["scripted-token"])
    }
  }

  @Test func `the critique names clients without a user agent and clients that come back too soon`() async throws {
    let script = Script(posts: 1, troubles: [.first(1, "/api", .status(429, headers: ["Retry-After": "60"]))])
    try await withOrigin(script) { origin in
      let nameless = Session(agent: "", environment: [:]).transport
      for _ in 0..<2 { _ = try await nameless.send(Request(.get, "\(origin.url)/api/v1/timelines/tag/cats")) }
      let path = "/api/v1/timelines/tag/cats"
      #expect(
        origin.critique == ["\(path) came without a User-Agent", "\(path) came back before its Retry-After"])
    }
  }

  private func json(_ request: Request) async throws -> [String: String] {
    let answer = try await transport.send(request)
    let object = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    return object.compactMapValues { $0 as? String }
  }
}
