import Foundation
import Testing

@testable import DemoServer

/// The demo as a server of Misskey.
@Suite(.timeLimit(.minutes(2))) struct MisskeyTests {
  private func notes(_ client: Client, _ fields: String, at path: String = "notes/search-by-tag") async throws
    -> Client.Answer
  {
    try await client.post("/api/\(path)", body: "{\(fields)}", type: "application/json")
  }

  @Test func `a tag is read page by page, and upwards from an id`() async throws {
    try await withDemo(posts: 90, dialect: .misskey) { client in
      let first = try await notes(client, #""tag":"demo","limit":40"#).ids
      let second = try await notes(client, #""tag":"Demo","limit":100,"untilId":"\#(first[39])""#).ids
      #expect((first.count, second.count) == (40, 50))
      #expect(first + second == (first + second).sorted(by: >) && Set(first + second).count == 90)
      #expect(first[0].contains { $0.isLetter })
      let above = try await notes(client, #""tag":"demo","limit":3,"sinceId":"\#(first[10])""#).ids
      #expect(above == [first[9], first[8], first[7]])
      #expect(try await notes(client, #""tag":"demo""#).ids.count == 10)
      for limit in ["0", "101", #""x""#] {
        #expect(try await notes(client, #""tag":"demo","limit":\#(limit)"#).status == 400)
      }
    }
  }

  @Test func `notes have the forms of Misskey`() async throws {
    try await withDemo(posts: 400, dialect: .misskey) { client in
      var notes: [[String: Any]] = []
      while notes.count < 400 {
        let below = notes.last.flatMap { $0["id"] as? String }.map { #","untilId":"\#($0)""# } ?? ""
        notes += try await self.notes(client, #""tag":"demo","limit":100\#(below)"#).list
      }
      let hidden = notes.filter { $0["isHidden"] as? Bool == true }
      #expect(!hidden.isEmpty && hidden.allSatisfy { $0["text"] is NSNull })
      #expect(notes.contains { ($0["text"] as? String)?.hasPrefix("$[tada") == true })
      #expect(notes.contains { $0["poll"] != nil } && notes.contains { $0["visibility"] as? String == "home" })
      let quotes = notes.filter { $0["renote"] != nil }
      #expect(!quotes.isEmpty && quotes.allSatisfy { $0["text"] is String || $0["isHidden"] != nil })
      let remote = notes.filter { ($0["user"] as? [String: Any])?["host"] is String }
      #expect(!remote.isEmpty && remote.allSatisfy { $0["uri"] is String })
      let local = notes.filter { !(($0["user"] as? [String: Any])?["host"] is String) }
      #expect(local.allSatisfy { $0["uri"] == nil })
      let files = notes.flatMap { $0["files"] as? [[String: Any]] ?? [] }
      let proxied = try #require(files.compactMap { $0["url"] as? String }.first { $0.contains("/proxy/") })
      #expect(try await client.get(proxied).status == 200)
    }
  }

  @Test func `a user's notes need word of boosts from the second page on`() async throws {
    try await withDemo(posts: 90, dialect: .misskey) { client in
      let user = try await notes(client, #""username":"mira""#, at: "users/show").object
      let id = try #require(user["id"] as? String)
      let first = try await notes(client, #""userId":"\#(id)","limit":2"#, at: "users/notes").ids
      let below = #""userId":"\#(id)","untilId":"\#(first[1])""#
      #expect(try await notes(client, below, at: "users/notes").status == 500)
      #expect(try await !notes(client, "\(below),\"withRenotes\":true", at: "users/notes").ids.isEmpty)
      #expect(try await notes(client, #""username":"nobody""#, at: "users/show").status == 404)
    }
  }

  @Test func `a session buys a token once, after it was allowed`() async throws {
    try await withDemo(dialect: .misskey) { client in
      let check = { try await client.post("/api/miauth/s-1/check", body: "{}", type: "application/json").object }
      #expect(try await check()["ok"] as? Bool == false)
      let page = try await client.get("/miauth/s-1?name=media&permission=read:account").text
      #expect(page.contains("read:account") && page.contains("media"))
      let fields = ["username": "mira", "permission": "read:account", "decision": "allow"]
      #expect(try await client.post("/miauth/s-1", fields.merging(["password": "no"]) { $1 }).status == 401)
      #expect(try await check()["ok"] as? Bool == false)
      #expect(try await client.post("/miauth/s-1", fields.merging(["password": "demo"]) { $1 }).status == 200)
      let token = try #require(try await check()["token"] as? String)
      #expect(try await check()["ok"] as? Bool == false)
      let bearer = ["Authorization": "Bearer \(token)"]
      let own = try await client.post("/api/i", body: "{}", type: "application/json", headers: bearer)
      #expect(own.object["username"] as? String == "mira")
      let bad = try await client.post(
        "/api/i", body: "{}", type: "application/json", headers: ["Authorization": "Bearer x"])
      #expect(bad.status == 401 && bad.text.contains("AUTHENTICATION_FAILED"))
    }
  }

  @Test func `strangers may not search, and it speaks no other API`() async throws {
    try await withDemo(dialect: .misskey) { client in
      let search = try await notes(client, #""query":"cat""#, at: "notes/search")
      #expect(search.status == 400 && search.text.contains("UNAVAILABLE"))
      let other = try await client.get("/api/v1/timelines/tag/demo")
      #expect(other.status == 404 && other.text.contains("UNKNOWN_API_ENDPOINT"))
      #expect(other["x-ratelimit-limit"] == nil)
      let nodes = try await client.get("/.well-known/nodeinfo").object
      let links = try #require(nodes["links"] as? [[String: String]])
      let about = try await client.get(try #require(links.first?["href"])).object
      #expect((about["software"] as? [String: String])?["name"] == "misskey")
    }
  }
}
