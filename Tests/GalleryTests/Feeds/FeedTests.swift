import FeedDocuments
import Foundation
import Markup
import MediaLibrary
import Posts
import Storage
import Testing

@testable import Gallery
@testable import Services

struct FeedTests {
  private let hostile =
    "<script>alert(1)</script> & \"quotes\" \u{0}\u{8}\u{B}\u{FFFE} ]]> &#0; <\u{338}p>\n\nsecond <b>part\nline"

  private func document(_ answer: InsightServer.Answer, _ server: InsightServer) throws -> FeedDocument {
    try FeedDocument.read(Array(answer.body), contentType: answer.headers["content-type"], at: server.address)
  }

  @Test(arguments: ["atom", "json"])
  func `the product's own reader reads a feed back as it is stored`(format: String) async throws {
    try await InsightServer.run { server in
      try server.library.save(
        [shot(3, tags: ["kittens", "red panda"], title: "A title"), shot(2, caption: "one\ntwo"), shot(1, by: "Bob")],
        of: kittens)
      try server.library.add(
        caption: "by hand", at: servedAt - 3 * 86_400, tags: ["own"], attaching: [Array("plain words".utf8)])
      let answer = try await server.get("/feed/all.\(format)")
      #expect(answer.status == 200)
      let feed = try document(answer, server)
      // Nobody has published what was made by hand.
      let own = try #require(try server.library.store.posts().first(where: \.isManual))
      let stored = try server.library.store.posts().filter { !$0.isManual }
      #expect(feed.title == "All posts")
      #expect(feed.entries.map(\.id) == stored.map(\.uri))
      #expect(feed.entries.map(\.link) == stored.map { $0.url ?? "\(server.address)/post/\($0.id)" })
      #expect(feed.entries.map { Caption.plainText(html: $0.html ?? "") } == stored.map(\.caption))
      #expect(feed.entries.map(\.published) == stored.map(\.createdAt))
      #expect(feed.entries.map(\.tags) == stored.map(\.tags))
      #expect(feed.entries.compactMap { $0.author?.name }.prefix(3) == ["Ada", "Ada", "Bob"])
      #expect(feed.entries.first?.title == "A title")
      let blob = try #require(own.attachments.first?.blob)
      #expect(try await server.get("/blob/\(blob.hex)").text == "plain words")
      #expect(try await server.get("/feed/blob/\(blob.hex)").status == 404)
    }
  }

  @Test func `a feed has only what everybody may see, page by page`() async throws {
    try await InsightServer.run { server in
      let all: [Visibility?] = [.followers, .public, .direct, nil, .local, .unlisted, .pending]
      let posts = all.enumerated().map { number, visibility in
        var post = shot(number + 1)
        post.visibility = visibility
        return post
      }
      try server.library.save(posts.reversed(), of: kittens)
      let feed = try document(try await server.get("/feed/all.atom?count=2"), server)
      #expect(feed.entries.map(\.id) == [6, 4].map { posts[$0 - 1].uri })
      let rest = try document(
        try await server.get(try #require(feed.next?.dropFirst(server.address.count)).description), server)
      #expect(rest.entries.map(\.id) == [posts[1].uri])
    }
  }

  @Test func `a feed is well-formed whatever posts contain, and its text is escaped`() async throws {
    try await InsightServer.run { server in
      var post = shot(1, caption: hostile, tags: ["a\"\u{301}<b>\u{1}"], title: hostile)
      post.author?.name = hostile
      post.language = "\"><x"
      post.url = "javascript:alert(1)"
      try server.library.save([post, shot(2, caption: "")], of: kittens)
      let answer = try await server.get("/feed/all.atom?tag=%3Cb%3E%22&tag=kittens&q=")
      #expect(answer.text.xmlFault == nil)
      let all = try await server.get("/feed/all.atom")
      #expect(all.text.xmlFault == nil)
      #expect(!all.text.contains("<script"))
      #expect(!all.text.contains("javascript:"))
      let entry = try #require(try document(all, server).entries.first { $0.html?.contains("second") == true })
      // As a reader shows it, the script is text.
      #expect(entry.html?.contains("<script") == false)
      #expect(Caption.plainText(html: entry.html ?? "").hasPrefix("<script>alert(1)</script> & \"quotes\""))
      let other = try document(try await server.get("/feed/all.json"), server)
      #expect(other.entries.allSatisfy { $0.html?.contains("<script") == false })
    }
  }

  @Test(arguments: ["atom", "json"])
  func `paging loses no post and doubles none while others arrive and go`(format: String) async throws {
    try await InsightServer.run { server in
      try server.library.save((0..<95).reversed().map { shot($0) }, of: kittens)
      let before = try server.library.store.posts(PostQuery(limit: nil)).map(\.uri)
      var (seen, path): ([String], String?) = ([], "/feed/all.\(format)?count=10&token=secret")
      var round = 0
      while let next = path {
        let feed = try document(try await server.get(next), server)
        seen += feed.entries.compactMap(\.id)
        path = feed.next
        if let path { #expect(path.contains("token=secret") && path.contains("count=10")) }
        // Newer posts arrive above, and the edge of the page goes.
        try server.library.save([shot(1000 + round, at: servedAt + Double(round))], of: kittens)
        if round == 3,
          let edge = try server.library.store.posts(PostQuery(limit: nil)).first(where: { $0.uri == seen.last })
        {
          try server.library.delete([edge.id])
        }
        round += 1
      }
      #expect(seen == before)
    }
  }

  @Test func `an unchanged feed is answered without a body, and a changed one anew`() async throws {
    try await InsightServer.run { server in
      try server.library.save([shot(1)], of: kittens)
      let first = try await server.get("/feed/all.atom")
      let tag = try #require(first.headers["etag"])
      #expect(first.headers["last-modified"]?.hasSuffix(" GMT") == true)
      #expect(first.headers["content-type"] == "application/atom+xml; charset=utf-8")
      for field in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
        let again = try await server.get("/feed/all.atom", ["If-None-Match": field])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(again.headers["etag"] == tag)
      }
      #expect(try await server.get("/feed/all.atom", ["If-None-Match": "\"other\""]).status == 200)
      let head = try await server.get("/feed/all.atom", method: "HEAD")
      #expect(head.status == 200)
      #expect(head.headers["etag"] == tag)
      #expect(head.body.isEmpty)
      // A deletion counts, although no date is newer after it.
      try server.library.delete(try server.library.store.posts().map(\.id))
      let empty = try await server.get("/feed/all.atom", ["If-None-Match": tag])
      #expect(empty.status == 200)
      #expect(empty.text.xmlFault == nil)
    }
  }

  @Test func `a feed has the posts of its list alone`() async throws {
    try await InsightServer.run { server in
      try server.library.save([shot(1, tags: ["cats"]), shot(2, by: "Bob")], of: kittens)
      func ids(_ query: String) async throws -> [String] {
        try document(try await server.get("/feed/all.atom?\(query)"), server).entries.compactMap(\.id)
      }
      #expect(try await ids("tag=cats") == ["https://photos.example/posts/1"])
      #expect(try await ids("user=bob@photos.example") == ["https://photos.example/posts/2"])
      #expect(try await ids("tag=dogs") == [])
      #expect(try await server.get("/feed/all.atom?feed=nope").status == 404)
    }
  }

  @Test func `pictures that their author hid are linked, not shown`() async throws {
    try await InsightServer.run { server in
      let id = try server.library.save(
        shot(1, caption: "x"), with: [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xD9])
      let feed = try await server.get("/feed/all.atom?token=t%26k")
      #expect(feed.text.contains("rel=\"enclosure\" type=\"image/jpeg\""))
      #expect(feed.text.contains("?token=t%26k\""))
      let request = try FeedRequest(.init(form: "token=t%26k"), .atom, origin: "http://h")
      let post = try #require(try server.library.store.posts(numbered: [id]).first)
      let open = FeedItem(post: post, request: request)
      #expect(FeedContent.html(of: open).markup.contains("<img src=\"http://h/feed/blob/"))
      let hidden = FeedItem(post: post.hidden(by: "spiders"), request: request)
      #expect(FeedContent.html(of: hidden).markup == "<p><strong>spiders</strong></p><p>x</p>")
      #expect(hidden.files.count == 1)
    }
  }

  private struct Made: Decodable { let id: Int, atom, json: String }

  @Test func `an address that is made reads a list and its pictures without a cookie until it is revoked`() async throws
  {
    try await InsightServer.run { server in
      try server.library.save([shot(2, tags: ["red panda"]), shot(1)], of: kittens)
      _ = try server.library.save(shot(3, tags: ["red panda"]), with: Array("plain words".utf8))
      let answer = try await server.post("/api/feeds", #"{"name":"<my> reader","list":"tag=red%20panda"}"#)
      let made = try JSONDecoder().decode(Made.self, from: answer.body)
      for link in [made.atom, made.json] {
        let feed = try document(try await server.send(link), server)
        #expect(feed.title == "#red panda")
        #expect(feed.entries.count == 2)
        let picture = try #require(feed.entries.first?.media.first?.url)
        #expect(try await server.send(picture).text == "plain words")
        // Its token opens nothing else.
        let token = try #require(link.components(separatedBy: "token=").last)
        #expect(try await server.send("/api/list?token=\(token)").status == 401)
        #expect(try await server.send("/blob/\(picture.all(from: "/feed/blob/", to: "?")[0])").status == 401)
      }
      let page = try await server.page("/feeds?tag=red%20panda")
      #expect(page.contains("&lt;my&gt; reader"))
      #expect(page.contains("data-feed=\"tag=red%20panda\""))
      #expect(try await server.send("/feed/all.atom").status == 401)
      #expect(try await server.post("/api/feeds/revoke", #"{"id":\#(made.id)}"#).text == #"{"revoked":true}"#)
      #expect(try await server.send(made.atom).status == 401)
      #expect(try await server.post("/api/feeds/revoke", #"{"id":\#(made.id)}"#).text == #"{"revoked":false}"#)
    }
  }

  @Test(arguments: [#"{"name":" ","list":""}"#, #"{"name":"x","list":"day=x"}"#, "[]", "{"])
  func `an address that cannot be is not made`(body: String) async throws {
    try await InsightServer.run { server in
      let answer = try await server.post("/api/feeds", body)
      #expect(answer.status == 400)
      let tokens = try await server.signIns.readTokens()
      #expect(tokens.isEmpty)
    }
  }

  @Test func `a place that is no key is refused`() async throws {
    try await InsightServer.run { server in
      let answer = try await server.get("/feed/all.atom?around=x")
      #expect(answer.status == 400)
    }
  }

  @Test func `dates of HTTP are written as its RFC writes them`() {
    #expect(FieldDate.text(Date(timeIntervalSince1970: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
  }
}

extension StoredPost {
  /// The same with a content warning.
  fileprivate func hidden(by warning: String) -> StoredPost {
    var post = self
    (post.warning, post.sensitive) = (warning, true)
    return post
  }
}
