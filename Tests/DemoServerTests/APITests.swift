import Foundation
import Testing

@testable import DemoServer

@Suite struct APITests {
  @Test func `a post has all its fields`() async throws {
    try await withDemo { client in
      let post = try #require(try await client.get("/api/v1/timelines/tag/demo?limit=1").list.first)
      let id = try #require(post["id"] as? String)
      #expect((post["created_at"] as? String)?.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil)
      #expect(post["reblog"] is NSNull && post["edited_at"] is NSNull)
      let alone = try await client.get("/api/v1/statuses/\(id)")
      #expect(alone.object["uri"] as? String == post["uri"] as? String)
      #expect(try await client.get("/api/v1/statuses/\(id)/context").text == #"{"ancestors":[],"descendants":[]}"#)
      #expect(try await client.get("/api/v1/statuses/\(id)/history").list.count == 1)
    }
  }

  @Test func `many posts come at once, without those that are gone`() async throws {
    try await withDemo { client in
      let ids = try await client.get("/api/v1/timelines/tag/demo?limit=3").ids
      let query = (ids + ["1", "x"]).map { "id[]=\($0)" }.joined(separator: "&")
      #expect(try await client.get("/api/v1/statuses?" + query).ids == ids)
      #expect(
        try await client.get("/api/v1/statuses?" + query.replacingOccurrences(of: "[]", with: "%5B%5D")).ids == ids
      )
    }
  }

  @Test func `an unknown tag is an empty list, an unknown post a 404`() async throws {
    try await withDemo { client in
      let none = try await client.get("/api/v1/timelines/tag/nobody-uses-this")
      #expect(none.status == 200 && none.text == "[]")
      for path in ["statuses/1", "statuses/x", "accounts/9", "accounts/lookup?acct=nobody", "nowhere"] {
        let answer = try await client.get("/api/v1/" + path)
        #expect(answer.status == 404 && answer.object["error"] is String, "\(path)")
      }
    }
  }

  @Test func `tags narrow and widen a timeline, in any script and case`() async throws {
    try await withDemo(posts: 400) { client in
      let tags = { (query: String) async throws -> [Set<String>] in
        try await client.get("/api/v1/timelines/tag/" + query).list.map { post in
          let shown = post["reblog"] as? [String: Any] ?? post
          return Set((shown["tags"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String })
        }
      }
      #expect(try await tags("CATS?limit=40").allSatisfy { $0.contains("cats") })
      #expect(try await !tags("%E7%8C%AB").isEmpty)
      #expect(try await tags("demo?limit=40&none[]=cats").allSatisfy { !$0.contains("cats") })
      #expect(try await tags("demo?limit=40&all[]=cats").allSatisfy { $0.contains("cats") })
      let either = try await tags("cats?limit=40&any[]=sea")
      #expect(either.contains { $0.contains("sea") } && either.contains { $0.contains("cats") })
    }
  }

  @Test func `local, remote and media alone are distinguished`() async throws {
    try await withDemo { client in
      let handles = { (query: String) async throws -> [String] in
        try await client.get("/api/v1/timelines/public?limit=40&" + query).list.compactMap {
          let shown = $0["reblog"] as? [String: Any] ?? $0
          return (shown["account"] as? [String: Any])?["acct"] as? String
        }
      }
      #expect(try await handles("local=true").allSatisfy { !$0.contains("@") })
      #expect(try await handles("remote=true").allSatisfy { $0.contains("@") })
      let pictured = try await client.get("/api/v1/timelines/tag/demo?limit=40&only_media=true").list
      #expect(pictured.allSatisfy { ($0["media_attachments"] as? [Any])?.isEmpty == false })
    }
  }

  @Test func `people are found by handle and show their own posts`() async throws {
    try await withDemo(posts: 400) { client in
      let domain = client.base.dropFirst(7)
      let here = try await client.get("/api/v1/accounts/lookup?acct=mira@\(domain)").object
      #expect(here["acct"] as? String == "mira")
      let person = try await client.get("/api/v1/accounts/lookup?acct=birds%40photo.example").object
      #expect(person["url"] as? String == "https://photo.example/@birds")
      let id = person["id"] as? String ?? ""
      let posts = try await client.get("/api/v1/accounts/\(id)/statuses?exclude_reblogs=true").list
      #expect(!posts.isEmpty && posts.allSatisfy { ($0["account"] as? [String: Any])?["id"] as? String == id })
    }
  }

  @Test func `search finds people, words, tags and addresses`() async throws {
    try await withDemo(posts: 400) { client in
      let found = try await client.get("/api/v2/search?q=cats").object
      #expect((found["hashtags"] as? [[String: Any]])?.first?["name"] as? String == "cats")
      #expect((found["statuses"] as? [Any])?.count == 20)
      let post = try #require(try await client.get("/api/v1/timelines/tag/demo?limit=1").list.first)
      let address = (post["url"] as? String ?? "").pathEscaped
      let one = try await client.get("/api/v2/search?type=statuses&resolve=true&q=\(address)").object
      #expect((one["statuses"] as? [[String: Any]])?.map { $0["id"] as? String } == [post["id"] as? String])
      #expect((one["accounts"] as? [Any])?.isEmpty == true)
      #expect(try await client.get("/api/v2/search").status == 400)
      #expect(try await client.get("/api/v2/search?q=a&limit=\(Int.min)&offset=\(Int.min)").status == 200)
    }
  }

  @Test func `every answer counts down to the next five minutes`() async throws {
    try await withDemo { client in
      let first = try await client.get("/api/v1/instance")
      let second = try await client.get("/api/v2/instance")
      #expect(first["x-ratelimit-limit"] == "7500")
      #expect(first["x-ratelimit-remaining"] == "7499" && second["x-ratelimit-remaining"] == "7498")
      #expect(first["x-ratelimit-reset"] == "2026-09-21T14:15:00.000000Z")
      #expect(first.object["uri"] as? String == String(client.base.dropFirst(7)))
    }
  }

  @Test func `pages behind links open`() async throws {
    try await withDemo { client in
      let timeline = "/api/v1/timelines/tag/demo?local=true&limit=1"
      let post = try #require(try await client.get(timeline).list.first)
      let url = try #require(post["url"] as? String)
      for path in ["/", "/tags/demo", "/tags/%E7%8C%AB", "/@mira", "/@birds@photo.example", url] {
        let page = try await client.get(path)
        #expect(page.status == 200 && page.text.hasPrefix("<!doctype html>"), "\(path)")
      }
      let identity = try #require(post["uri"] as? String)
      #expect(try await client.get(identity)["location"].map { client.base + $0 } == url)
      #expect(try await client.get("/@nobody").status == 404)
    }
  }
}
