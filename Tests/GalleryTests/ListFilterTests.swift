import Foundation
import MediaLibrary
import Posts
import Testing
import Web

@testable import Gallery

/// Filters in the field of a list.
@Suite(.timeLimit(.minutes(5))) struct ListFilterTests {
  /// A gallery with a post of Ada's about a red kite, one of Bob's about a red cat, and one that only followers see.
  private func withPosts(_ body: @Sendable (InsightServer) async throws -> Void) async throws {
    try await InsightServer.run { server in
      var secret = shot(3, caption: "a red secret")
      secret.visibility = .followers
      let posts = [
        secret, shot(2, caption: "a red cat", by: "Bob", tags: ["kittens", "cats"]), shot(1, caption: "a red kite"),
      ]
      try server.library.save([sheet(posts, isLast: true)], of: kittens)
      try await body(server)
    }
  }

  private func captions(_ path: String, _ server: InsightServer) async throws -> [String] {
    try #require(try await object(path, server)["caption"] as? [String])
  }

  private func object(_ path: String, _ server: InsightServer) async throws -> [String: Any] {
    let answer = try await server.get(path)
    #expect(answer.status == 200, "\(answer.text)")
    return try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
  }

  @Test(arguments: [
    ("red", ["a red secret", "a red cat", "a red kite"]), ("kite", ["a red kite"]),
    ("-by:bob%20red%20-is:private", ["a red kite"]),
    ("tag:cats", ["a red cat"]), ("kite%20OR%20tag:cats", ["a red cat", "a red kite"]),
    ("%22red%20kite%22", ["a red kite"]),
    ("is:deleted", []),
  ])
  func `a list takes words and filters`(filter: String, found: [String]) async throws {
    try await withPosts { server in
      #expect(try await captions("/api/list?q=\(filter)", server) == found)
      let months = try await object("/api/months?q=\(filter)", server)
      #expect((months["count"] as? [Int])?.reduce(0, +) == found.count)
    }
  }

  @Test func `a filter narrows the rest of the list`() async throws {
    try await withPosts { server in
      let found = try await captions("/api/list?user=bob&q=red%20-tag:dogs", server)
      #expect(found == ["a red cat"])
      #expect(try await captions("/api/list?user=bob&q=tag:dogs", server) == [])
    }
  }

  @Test(arguments: [
    "/api/list", "/api/months", "/api/deleted", "/feed/all.atom", "/feed/all.json", "/post/1", "/calendar",
  ])
  func `a filter that cannot be read is 400 with what is wrong`(path: String) async throws {
    try await withPosts { server in
      let answer = try await server.get("\(path)?q=tagg:cats")
      #expect(answer.status == 400)
      let text = answer.text.replacing("\\\"", with: "\"").replacing("&quot;", with: "\"")
      #expect(text.contains("\"tagg\" is no key of a filter") && text.contains("did you mean tag:?"), "\(answer.text)")
      for hostile in ["q=%00", "q=\(String(repeating: "a%20", count: 500))", "q=\(String(repeating: "(", count: 100))"]
      {
        #expect(try await server.get("\(path)?\(hostile)").status == 400, "\(hostile.prefix(20))")
      }
    }
  }

  @Test func `a page says beside the field what is wrong, and keeps the text and the list`() async throws {
    try await withPosts { server in
      let answer = try await server.get("/?q=kind:%3Cb%3E%22")
      #expect(answer.status == 400)
      #expect(answer.text.contains("name=\"q\" value=\"kind:&lt;b&gt;&quot;\""))
      #expect(answer.text.contains("aria-describedby=\"mistake\" aria-invalid=\"true\""))
      #expect(answer.text.contains("role=\"alert\">kind: knows no &quot;&lt;b&gt;&quot;: "))
      #expect(answer.text.contains("a red kite") && !answer.text.contains("kind:<b>"))
      let fine = try await server.page("/?q=kite")
      #expect(!fine.contains("aria-invalid") && fine.contains("role=\"alert\"></p>"))
    }
  }

  @Test func `a saved search that names what is gone is what is wrong with the filter`() async throws {
    try await withPosts { server in
      let (store, person) = (server.library.store, Marker(machine: "desk", program: .command))
      try store.createAlbum("Keep", by: person, now: server.library.now())
      try store.save(try Filter(parsing: "in:Keep"), as: "keep", by: person, now: server.library.now())
      try store.deleteAlbum("Keep", by: person, now: server.library.now())
      for path in ["/api/list", "/api/months", "/"] {
        let answer = try await server.get("\(path)?q=-saved:keep")
        let text = answer.text.replacing("\\\"", with: "\"").replacing("&quot;", with: "\"")
        #expect(answer.status == 400 && text.contains("there is no album \"Keep\""), "\(path) \(answer.text)")
      }
      let page = try await server.get("/?q=-saved:keep")
      #expect(page.text.contains("value=\"-saved:keep\"") && page.text.contains("a red kite"))
    }
  }

  @Test func `each term is a link to the list without it`() async throws {
    try await withPosts { server in
      let page = try await server.page("/?tag=kittens&q=RED%20%20by:bob%20(kite%20OR%20tag:cats)")
      let terms = try #require(page.all(from: "<ul class=\"terms\"", to: "</ul>").first)
      #expect(terms.all(from: "<bdi>", to: "</bdi>") == ["\"RED\"", "by:bob", "kite OR tag:cats"].map(\.escaped))
      let links = terms.all(from: "href=\"", to: "\"").map { $0.replacing("&amp;", with: "&") }
      #expect(links.count == 3 && links.allSatisfy { $0.hasPrefix("/?tag=kittens&q=") })
      // Without Bob, there is Ada's kite.
      #expect(try await captions("/api/list\(links[1].dropFirst())", server) == ["a red cat", "a red kite"])
      let last = try await server.page("/?q=tag:cats")
      #expect(last.contains("<a href=\"/\" aria-label=\"Remove tag:cats\">"))
      #expect(try await server.page("/").contains("<ul class=\"terms\" aria-label=\"Filter\"></ul>"))
    }
  }

  @Test func `what is typed is never markup`() async throws {
    try await withPosts { server in
      let page = try await server.page(
        "/?q=%3Cscript%3Ealert(1)%3C/script%3E%20tag:%22%3E%3Cimg%3E%22".replacing("(1)", with: "1"))
      #expect(!page.contains("<script>alert") && !page.contains("<img>"))
      #expect(page.contains("tag:&gt;&lt;img&gt;") || page.contains("tag:\"&gt;&lt;img&gt;\"".escaped))
    }
  }

  @Test func `while a filter is typed, what is finished counts`() async throws {
    try await withPosts { server in
      let typed = try await object("/api/list?tag=kittens&q=by:bob%20kind:vi&typing=1", server)
      #expect(typed["caption"] as? [String] == ["a red cat"])
      #expect(typed["query"] as? String == "tag=kittens&q=by:bob")
      #expect((typed["terms"] as? [[String: String]])?.map { $0["term"] } == ["by:bob"])
      let whole = try await object("/api/list?q=kite&typing=1", server)
      #expect(whole["query"] as? String == "q=kite")
      #expect(try await server.get("/api/list?q=kind:vi").status == 400)
      #expect(try await server.get("/api/list?q=tagg:x%20y&typing=1").status == 400)
    }
  }

  @Test func `keys and the library's names complete a filter`() async throws {
    try await withPosts { server in
      func offers(_ text: String) async throws -> [String] {
        let all = try await object("/api/offers?q=\(text)", server)["offers"] as? [[String: String]]
        return try #require(all).compactMap { $0["text"] }
      }
      let keys = try await offers("red%20-kin")
      #expect(keys == ["red -kind:"])
      #expect(try await offers("tag:ca") == ["tag:cats"])
      #expect(try await offers("(by:b") == ["(by:bob@photos.example"])
      #expect(try await offers("source:") == ["source:manual", "source:mastodon"])
      for hostile in ["tag:%00", "tag:%22%00", "%FF%FE:", String(repeating: "(", count: 5000)] {
        let found = try await offers(hostile)
        #expect(found.isEmpty || hostile.hasPrefix("("), "\(hostile.prefix(20))")
      }
      #expect(try await server.send("/api/offers?q=tag:").status == 401)
    }
  }

  @Test func `no filter brings into a feed what is not public`() async throws {
    try await withPosts { server in
      try server.library.add(caption: "a red note")
      let (token, _) = try await server.signIns.newReadToken(named: "reader")
      for filter in [
        "red", "is:private", "visibility:followers", "-is:private%20OR%20is:private", "is:manual",
        "is:planned%20OR%20red",
      ] {
        let answer = try await server.send("/feed/all.json?q=\(filter)&token=\(token)")
        #expect(answer.status == 200)
        #expect(!answer.text.contains("secret") && !answer.text.contains("a red note"), "\(filter)")
      }
      #expect(try await server.send("/feed/all.json?q=by:ada&token=\(token)").text.contains("a red kite"))
      // Nor does it complete what the library holds.
      #expect(try await server.send("/api/offers?q=by:&token=\(token)").status == 401)
    }
  }
}

extension String {
  /// As it stands in a page.
  fileprivate var escaped: String { HTML(self).markup }
}
