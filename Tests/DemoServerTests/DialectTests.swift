import Foundation
import Testing

@testable import DemoServer

extension Dialect {
  /// Those whose servers speak Mastodon's API.
  static let ofMastodon = allCases.filter { $0.api == .mastodon }
}

/// What other servers answer differently, each difference by itself.
@Suite(.timeLimit(.minutes(2))) struct DialectTests {
  private let tag = "/api/v1/timelines/tag/demo?limit=40"

  private func token(_ client: Client) async throws -> [String: String] {
    let paste = "urn:ietf:wg:oauth:2.0:oob"
    let app = try await client.post(
      "/api/v1/apps", ["client_name": "editor", "redirect_uris": paste, "scopes": "write"])
    var fields = ["redirect_uri": paste]
    fields["client_id"] = app.object["client_id"] as? String
    let consent = fields.merging(
      [
        "response_type": "code", "scope": "write", "username": "mira", "password": AuthorizeRoutes.password,
        "decision": "approve",
      ]
    ) { $1 }
    let page = try await client.post("/oauth/authorize", consent).text
    fields["code"] = String(try #require(page.firstMatch(of: /id="code">([^<]+)</)).1)
    fields["client_secret"] = app.object["client_secret"] as? String
    fields["grant_type"] = "authorization_code"
    let answer = try await client.post("/oauth/token", fields)
    return ["Authorization": "Bearer \(try #require(answer.object["access_token"] as? String))"]
  }

  /// Changes mira's newest post; its id before, and the post as it is answered.
  private func edit(_ client: Client) async throws -> (id: String, after: Client.Answer) {
    let own = try await client.get("/api/v1/accounts/1001/statuses?exclude_reblogs=1").ids
    let id = try #require(own.first)
    let body = #"{"status":"edited since #demo #otters"}"#
    let after = try await client.put(
      "/api/v1/statuses/\(id)", body: body, type: "application/json", headers: try await token(client))
    return (id, after)
  }

  @Test(arguments: Dialect.ofMastodon)
  func `an edit keeps a post's place and uri, and its id where the dialect does`(dialect: Dialect) async throws {
    try await withDemo(dialect: dialect) { client in
      let before = try await client.get(tag)
      let (id, after) = try await edit(client)
      #expect(after.status == 200, "\(after.text)")
      let later = try #require(after.object["id"] as? String)
      #expect((later == id) != dialect.renumbersEdits)
      let now = try await client.get(tag)
      let index = try #require(before.ids.firstIndex(of: id))
      #expect(now.ids.firstIndex(of: later) == index)
      #expect(now.list[index]["uri"] as? String == before.list[index]["uri"] as? String)
      #expect((now.list[index]["content"] as? String)?.contains("edited since") == true)
      // Either id leads to the post and to the page below it.
      for known in [id, later] {
        #expect(try await client.get("/api/v1/statuses/\(known)").object["id"] as? String == later)
        #expect(try await client.get("\(tag)&max_id=\(known)").ids.first == before.ids[index + 1])
      }
      #expect(try await client.get("/api/v1/timelines/tag/otters").ids == [later])
      #expect(try await client.get("/api/v1/statuses/\(later)/history").list.count == 2)
    }
  }

  @Test func `nobody edits a post of somebody else's, or without a token for it`() async throws {
    try await withDemo { client in
      let other = try #require(try await client.get("/api/v1/accounts/1002/statuses?exclude_reblogs=1").ids.first)
      let path = "/api/v1/statuses/\(other)"
      let headers = try await token(client)
      #expect(try await client.put(path, body: "status=x", type: "application/x-www-form-urlencoded").status == 401)
      for (status, body) in [(404, "status=x"), (404, "")] {
        let type = "application/x-www-form-urlencoded"
        #expect(try await client.put(path, body: body, type: type, headers: headers).status == status)
      }
    }
  }

  @Test(arguments: Dialect.ofMastodon)
  func `links, lists of posts and min_id are as the dialect has them`(dialect: Dialect) async throws {
    try await withDemo(dialect: dialect) { client in
      let page = try await client.get(tag)
      #expect((page["link"] != nil) == dialect.sendsLinks)
      let list = try await client.get("/api/v1/statuses?id[]=\(page.ids[0])")
      #expect(list.status == (dialect.listsStatuses ? 200 : 404))
      let above = try await client.get("/api/v1/timelines/tag/demo?limit=2&min_id=\(page.ids[9])").ids
      #expect(above == Array(dialect.minIDGivesNewest ? page.ids[0..<2] : page.ids[7..<9]))
    }
  }

  @Test(arguments: Dialect.ofMastodon)
  func `times are valid, and out of order where posts come late`(dialect: Dialect) async throws {
    try await withDemo(dialect: dialect) { client in
      let texts = try await client.get(tag).list.compactMap { $0["created_at"] as? String }
      #expect(texts.count == 40)
      let forms = Set(texts.map { $0.replacing(/\d/, with: "0") })
      let usual = "0000-00-00T00:00:00.000Z"
      let mixed = ["0000-00-00T00:00:00Z", "0000-00-00T00:00:00.000000Z", "0000-00-00T00:00:00.000+00:00", usual]
      #expect(forms == (dialect.dates == .mixed ? Set(mixed) : [usual]))
      #expect(texts.allSatisfy { $0.hasSuffix(".000Z") } == (dialect.dates == .wholeSeconds))
      let days = texts.map { $0.prefix(19) }
      #expect((days[0] < days[1]) == dialect.bringsLatePosts)
    }
  }

  @Test(arguments: Dialect.ofMastodon)
  func `a search goes on below an id, or repeats itself`(dialect: Dialect) async throws {
    try await withDemo(posts: 90, dialect: dialect) { client in
      let search = "/api/v2/search?q=demo&type=statuses&limit=30"
      func ids(_ more: String = "") async throws -> [String] {
        let found = try await client.get(search + more).object["statuses"] as? [[String: Any]]
        return try #require(found).compactMap { $0["id"] as? String }
      }
      let first = try await ids()
      let second = try await ids("&max_id=\(try #require(first.last))")
      #expect(first.count == (dialect.repeatsSearches ? 40 : 30))
      #expect((second == first) == dialect.repeatsSearches)
      #expect(try await ids("&offset=30") == second)
    }
  }

  @Test func `a script that is spoken of has its < escaped, and nothing else`() async throws {
    try await withDemo(dialect: .snac) { client in
      let texts = try await client.get(tag).list.compactMap { $0["content"] as? String }
      #expect(texts.contains { $0.hasSuffix("<p>&lt;script>alert(1)&lt;/script></p>") })
    }
  }

  @Test func `pictures have a limit of their own, which is stated, and ends`() async throws {
    let clock = Clockwork()
    let limit = try #require(Dialect.gotosocial.pictureLimit)
    var window = PictureWindow(limit: limit)
    for left in (0..<limit).reversed() {
      let fields = try window.record(at: clock.now)
      #expect(fields[.rateRemaining] == "\(left)")
    }
    do {
      _ = try window.record(at: clock.now)
      Issue.record("one more than the limit was not refused")
    } catch {
      #expect(error.status == .tooManyRequests)
      #expect(error.headers[.rateReset] == clock.now.addingTimeInterval(300).wire)
    }
    clock.pass(300)
    let fields = try window.record(at: clock.now)
    #expect(fields[.rateRemaining] == "\(limit - 1)")
    try await withDemo(dialect: .gotosocial) { client in
      let picture = try await client.get("/emoji/blobcat.png")
      #expect((picture["x-ratelimit-limit"], picture["x-ratelimit-remaining"]) == ("\(limit)", "\(limit - 1)"))
      let reset = try #require(picture["x-ratelimit-reset"])
      #expect(reset.hasSuffix("Z"))
    }
    try await withDemo { client in
      let picture = try await client.get("/emoji/blobcat.png")
      #expect(picture["x-ratelimit-limit"] == nil)
    }
  }
}
