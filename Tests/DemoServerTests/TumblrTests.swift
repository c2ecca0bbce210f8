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
      #expect(ids.count == 90 && isShared)
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
}
