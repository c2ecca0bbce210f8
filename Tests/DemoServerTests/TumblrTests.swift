import Foundation
import Testing

@testable import DemoServer

/// The demo as a server of Tumblr's API.
@Suite(.timeLimit(.minutes(2))) struct TumblrTests {
  private func posts(_ client: Client, _ path: String) async throws -> [[String: Any]] {
    let separator = path.contains("?") ? "&" : "?"
    let answer = try await client.get("/v2/\(path)\(separator)api_key=\(TumblrRoutes.key)")
    #expect(answer.status == 200, "\(answer.text)")
    let response = answer.object["response"]
    return response as? [[String: Any]] ?? (response as? [String: Any])?["posts"] as? [[String: Any]] ?? []
  }

  @Test func `a tag is paged by seconds, of which several posts share one`() async throws {
    try await withDemo(posts: 90, dialect: .tumblr) { client in
      var (ids, before) = (Set<String>(), Int.max)
      var isShared = false
      while true {
        let page = try await posts(client, "tagged?tag=demo&before=\(before)&npf=true")
        let seconds = page.compactMap { $0["timestamp"] as? Int }
        guard let last = seconds.last else { break }
        #expect(seconds == seconds.sorted(by: >) && page.count <= 20)
        isShared = isShared || Set(seconds).count < seconds.count
        ids.formUnion(page.compactMap { $0["id_string"] as? String })
        before = seconds.allSatisfy { $0 == last } ? last : last + 1
      }
      // An app is not shown the hidden blog.
      let world = World(count: 90, seed: 7, start: Clockwork.start)
      let shown = world.ids(on: .tag("demo")).filter { world.posts[$0]?.person.username != TumblrRoutes.hidden }
      #expect(ids == Set(shown.map(String.init)) && shown.count < 90 && isShared)
    }
  }

  @Test func `posts have blocks where they are asked for, and are of an older kind otherwise`() async throws {
    try await withDemo(dialect: .tumblr) { client in
      let blocks = try #require(try await posts(client, "tagged?tag=demo&npf=true").first)
      #expect(blocks["content"] is [[String: Any]] && blocks["photos"] == nil)
      let older = try #require(try await posts(client, "tagged?tag=demo").first)
      #expect(older["photos"] is [[String: Any]] && older["content"] == nil)
      let id = try #require(blocks["id_string"] as? String)
      let blog = try #require((blocks["blog"] as? [String: Any])?["uuid"] as? String)
      #expect(try await posts(client, "blog/\(blog)/posts?id=\(id)&npf=true").count == 1)
    }
  }

  @Test func `only its key is taken, and errors have Tumblr's form`() async throws {
    try await withDemo(dialect: .tumblr) { client in
      let stranger = try await client.get("/v2/tagged?tag=demo")
      #expect(stranger.status == 401 && (stranger.object["errors"] as? [[String: Any]])?.isEmpty == false)
      for path in ["blog/nobody/posts", "nowhere"] {
        let missing = try await client.get("/v2/\(path)?api_key=\(TumblrRoutes.key)")
        #expect(missing.status == 404 && (missing.object["meta"] as? [String: Any])?["status"] as? Int == 404)
      }
      let page = try await client.get("/v2/tagged?tag=demo&api_key=\(TumblrRoutes.key)")
      #expect(Int(page["x-ratelimit-perhour-remaining"] ?? "") != nil)
    }
  }

  /// A new pair of tokens, for a code or a token for renewal.
  private func grant(_ client: Client, _ fields: [String: String]) async throws -> Client.Answer {
    try await client.post(
      "/v2/oauth2/token",
      fields.merging(["client_id": TumblrRoutes.key, "client_secret": TumblrLoginRoutes.app.secret]) { $1 })
  }

  @Test func `a token of a person lasts 42 minutes, a code and a token for renewal are good once`() async throws {
    let clock = Clockwork()
    try await withDemo(dialect: .tumblr, clock: clock) { client in
      let asked = [
        "response_type": "code", "client_id": TumblrRoutes.key, "scope": "basic offline_access", "state": "s7",
      ]
      let page = try await client.post(
        "/oauth2/authorize", asked.merging(["username": "mira", "password": "demo", "decision": "allow"]) { $1 })
      let end = try #require(page["location"])
      #expect(page.status == 302 && end.hasSuffix("&state=s7#_=_"))
      let code = String(try #require(end.firstMatch(of: /code=([^&]+)/)).1)
      let first = try await grant(client, ["grant_type": "authorization_code", "code": code])
      #expect(first.status == 200 && first.object["expires_in"] as? Int == 2520)
      #expect(try await grant(client, ["grant_type": "authorization_code", "code": code]).status == 401)
      let token = try #require(first.object["access_token"] as? String)
      let bearer = ["Authorization": "Bearer \(token)"]
      let user = try await client.get("/v2/user/info", headers: bearer)
      #expect(((user.object["response"] as? [String: Any])?["user"] as? [String: Any])?["name"] as? String == "mira")
      #expect(try await client.get("/v2/blog/fern/posts", headers: bearer).status == 200)
      let hidden = try await client.get("/v2/blog/fern/posts?api_key=\(TumblrRoutes.key)")
      #expect(hidden.status == 404 && hidden.text.contains("4012"))
      clock.pass(2_521)
      #expect(try await client.get("/v2/user/info", headers: bearer).status == 401)
      let renewal = ["grant_type": "refresh_token", "refresh_token": first.object["refresh_token"] as? String ?? ""]
      let second = try await grant(client, renewal)
      #expect(second.status == 200 && second.object["access_token"] as? String != token)
      #expect(try await grant(client, renewal).status == 401)
      let keys = ["client_id": TumblrRoutes.key, "client_secret": "wrong", "grant_type": "refresh_token"]
      #expect(try await client.post("/v2/oauth2/token", keys).object["error"] as? String == "invalid_client")
      for (field, value) in [("client_id", "x"), ("redirect_uri", "https://evil.example/"), ("scope", "admin")] {
        let wrong = asked.merging([field: value]) { $1 }
        #expect(try await client.post("/oauth2/authorize", wrong).status == 400, "\(field)")
      }
    }
  }
}
