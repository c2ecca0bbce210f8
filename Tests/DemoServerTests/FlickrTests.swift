import Foundation
import Testing

@testable import DemoServer

/// The demo as a server of Flickr's API.
@Suite(.timeLimit(.minutes(2))) struct FlickrTests {
  private static let key = "&api_key=\(FlickrLogins.key)"

  private func call(_ client: Client, _ method: String, _ query: String = "") async throws -> [String: Any] {
    let answer = try await client.get("/services/rest/?method=flickr.\(method)&format=json\(query)")
    #expect(answer.status == 200, "\(answer.text)")
    return answer.object
  }

  private func photos(_ client: Client, _ query: String) async throws -> [[String: Any]] {
    let answer = try await call(client, "photos.search", "&\(query)\(Self.key)")
    return (answer["photos"] as? [String: Any])?["photo"] as? [[String: Any]] ?? []
  }

  private func seconds(_ photos: [[String: Any]]) -> [Int] {
    photos.compactMap { ($0["dateupload"] as? String).flatMap { Int($0) } }
  }

  @Test func `a query is bounded by seconds, which several photos share, and its pages repeat beyond the last`()
    async throws
  {
    try await withDemo(posts: 90, dialect: .flickr) { client in
      let all = try await photos(client, "tags=demo&per_page=500")
      let times = seconds(all)
      #expect(times == times.sorted(by: >) && Set(times).count < times.count && all.count > 60)
      let shared = try #require(times.first { time in times.count { $0 == time } > 1 })
      let one = try await photos(client, "tags=demo&min_upload_date=\(shared)&max_upload_date=\(shared)")
      #expect(one.count == times.count { $0 == shared })
      #expect(try await photos(client, "tags=demo&per_page=7&page=2").count == 7)
      #expect(try await photos(client, "tags=demo&per_page=7&page=99").isEmpty)
    }
    try await withDemo(posts: 5200, dialect: .flickr) { client in
      let ids = { (page: Int) in
        try await photos(client, "tags=demo&per_page=500&page=\(page)").compactMap { $0["id"] as? String }
      }
      let last = try await ids(8)
      #expect(last.count == 500)
      #expect(try await ids(9) == last)
    }
  }

  @Test func `photos have one file, the original where there is one, and tags without spaces`() async throws {
    try await withDemo(posts: 90, dialect: .flickr) { client in
      let all = try await photos(client, "tags=demo&per_page=500")
      #expect(
        all.allSatisfy { ($0["url_o"] != nil) == ($0["pathalias"] is String) && ($0["url_o"] ?? $0["url_l"]) != nil })
      let stars = try await photos(client, "tags=Night%20Sky")
      #expect(!stars.isEmpty && stars.allSatisfy { ($0["tags"] as? String)?.contains("nightsky") == true })
      #expect(try await photos(client, "tags=demo,-nightsky&per_page=500").count == all.count - stars.count)
      let id = try #require(all.first?["id"] as? String)
      let info = try await call(client, "photos.getInfo", "&photo_id=\(id)\(Self.key)")["photo"] as? [String: Any]
      #expect((info?["dates"] as? [String: Any])?["posted"] as? String == all.first?["dateupload"] as? String)
      let sizes = try await call(client, "photos.getSizes", "&photo_id=\(id)\(Self.key)")["sizes"] as? [String: Any]
      #expect((sizes?["size"] as? [[String: Any]])?.count == 2)
      #expect(try await client.get("/7/buddyicons/1001@N00.jpg").status == 302)
    }
  }

  @Test func `users are found by address and by name, and errors have status 200`() async throws {
    try await withDemo(dialect: .flickr) { client in
      func id(_ answer: [String: Any]) -> String? { (answer["user"] as? [String: Any])?["id"] as? String }
      #expect(id(try await call(client, "urls.lookupUser", "&url=https://x/photos/mira\(Self.key)")) == "1001@N00")
      #expect(
        id(try await call(client, "people.findByUsername", "&username=mira%20sandqvist\(Self.key)")) == "1001@N00")
      for (method, query, code) in [
        ("photos.search", "&tags=demo", 100), ("photos.search", "&tags=demo&api_key=x", 100),
        ("photos.search", Self.key, 3),
        ("photos.search", "&user_id=9@N00\(Self.key)", 2), ("nothing", Self.key, 112),
        ("urls.lookupUser", "&url=/nobody\(Self.key)", 1), ("photos.getInfo", "&photo_id=1\(Self.key)", 1),
      ] {
        let answer = try await call(client, method, query)
        #expect((answer["stat"] as? String, answer["code"] as? Int) == ("fail", code), "\(method) \(query)")
      }
    }
  }

  @Test func `what is not signed rightly is refused`() async throws {
    try await withDemo(dialect: .flickr) { client in
      #expect(try await client.post("/services/oauth/request_token", [:]).status == 401)
      #expect(try await client.post("/services/oauth/access_token", [:]).status == 401)
      let forged = [
        "Authorization": "OAuth oauth_consumer_key=\"demo-api-key\", oauth_signature=\"x\", oauth_token=\"x\""
      ]
      #expect(
        try await client.post("/services/oauth/request_token", body: "", type: "text/plain", headers: forged).status
          == 401)
      let change = "/services/rest/?method=flickr.photos.delete&photo_id=1"
      #expect(try await client.post("\(change)\(Self.key)", [:]).object["code"] as? Int == 99)
      #expect(
        try await client.post(change, body: "", type: "text/plain", headers: forged).object["code"] as? Int == 98)
      let page = try await client.get("/services/oauth/authorize?oauth_token=x&perms=read").text
      #expect(page.contains("read") && page.contains("mira"))
      let fields = ["oauth_token": "x", "username": "mira", "decision": "allow"]
      #expect(
        try await client.post("/services/oauth/authorize", fields.merging(["password": "no"]) { $1 }).status == 401)
      #expect(
        try await client.post("/services/oauth/authorize", fields.merging(["password": "demo"]) { $1 }).status == 400)
    }
  }
}
