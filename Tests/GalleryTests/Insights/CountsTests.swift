import Blobs
import Foundation
import MediaLibrary
import Storage
import Testing
import Wording

@testable import Gallery

struct CountsTests {
  @Test func `the pages of tags show each tag once with its number of posts, however they are ordered`() async throws {
    try await InsightServer.run { server in
      // 130 tags of one post, and one of all.
      let posts = (0..<130).map { shot($0, tags: ["all", "tag\($0)"]) }
      try server.library.save(posts, of: kittens)
      for order in ["", "by=name"] {
        var (names, counts): ([String], [String: String]) = ([], [:])
        var path: String? = "/tags?\(order)"
        while let next = path {
          let page = try await server.page(next)
          for row in page.all(from: "<li><a href=\"/?tag=", to: "</li>") {
            let name = try #require(row.all(from: "<bdi>#", to: "</bdi>").first)
            names.append(name)
            counts[name] = row.all(from: "post\(row.contains("posts") ? "s" : "")\">", to: "</span>").first
          }
          path = page.all(from: "rel=\"next\" href=\"", to: "\"").first?.replacingOccurrences(of: "&amp;", with: "&")
        }
        // The feed's own tag counts, too.
        #expect(names.count == 132)
        #expect(Set(names).count == 132)
        #expect(counts["all"] == "130")
        #expect(counts["tag7"] == "1")
        if order.isEmpty {
          #expect(Set(names.prefix(2)) == ["all", "kittens"])
        } else {
          #expect(names == names.sorted())
        }
      }
    }
  }

  @Test func `a cover is the newest picture of its list that may be seen at once, and sounds have none`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      let (cookie, library) = (try await gallery.cookie(), gallery.library)
      try library.add(caption: "older", at: servedAt - 400, tags: ["birds"], attaching: [Sample.png])
      try library.add(caption: "newer", at: servedAt - 300, tags: ["birds"], attaching: [Sample.jpeg])
      try library.add(caption: "a song", at: servedAt - 200, tags: ["birds"], attaching: [Sample.mp3])
      try library.add(caption: "words alone", at: servedAt - 100, tags: ["birds", "words"])
      let cover = try await gallery.get("/cover?tag=birds", cookie)
      #expect(cover.status == 302)
      #expect(cover["location"] == "/thumb/320/\(BlobID(hashing: Sample.jpeg).hex)")
      #expect(try await gallery.get("/cover?tag=words", cookie).status == 404)
      let page = try await gallery.get("/tags", cookie)
      #expect(page.body.contains("<img class=\"face\" src=\"/cover?tag=birds\""))
    }
  }

  @Test func `tags and authors are found by any part of their names`() async throws {
    try await InsightServer.run { server in
      try server.library.save(
        [shot(1, by: "Ada", tags: ["cats"]), shot(2, by: "Bob", tags: ["catfish", "dogs"]), shot(3, by: "Ada")],
        of: kittens)
      let tags = try await server.page("/tags?q=CAT")
      #expect(Set(tags.all(from: "<bdi>#", to: "</bdi>")) == ["cats", "catfish"])
      #expect(try await server.page("/tags?q=fish").all(from: "<bdi>#", to: "</bdi>") == ["catfish"])
      let authors = try await server.page("/authors?q=ad")
      #expect(authors.contains("href=\"/?user=ada@photos.example\""))
      #expect(authors.contains("2 posts"))
      #expect(!authors.contains("bob@"))
      let none = try await server.page("/tags?q=zebra")
      #expect(none.contains("None contains “zebra”."))
    }
  }

  @Test func `each count is that of the list that it leads to, and what is planned stands beside it`() async throws {
    try await InsightServer.run { server in
      try server.library.add(caption: "a robin", at: servedAt - 60, tags: ["birds"])
      try server.library.add(caption: "count the birds", at: servedAt + 86_400, tags: ["birds"])
      try server.library.add(caption: "a far day", at: servedAt + 90 * 86_400, tags: ["birds"])
      let list = try await server.get("/api/list?tag=birds")
      #expect(list.text.contains("\"total\":1,"))
      for path in ["/tags", "/statistics"] {
        let page = try await server.page(path)
        #expect(
          page.contains("<span class=\"number\" title=\"1 post\">1 <span class=\"soft\">and 2 planned</span></span>"),
          "\(path)")
      }
      #expect(try await server.page("/statistics").contains("3 posts, 2 of them planned</p>"))
      for number in 1...2 { try server.library.add(caption: "a cat \(number)", at: servedAt - 60, tags: ["cats"]) }
      let tags = try await server.page("/tags").all(from: "<bdi>#", to: "</bdi>")
      #expect(tags == ["cats", "birds"], "in the order of the numbers that are shown")
    }
  }

  @Test func `numbers leave out what is hidden as the lists do, and names of which nothing is left`() async throws {
    try await InsightServer.run { server in
      try server.library.save(
        [shot(1, by: "Ada", tags: ["cats"]), shot(2, by: "Ada", tags: ["cats"]), shot(3, by: "Bob", tags: ["dogs"])],
        of: kittens)
      let store = server.library.store
      let ids = try store.posts(PostQuery()).map { ($0.remoteID ?? "", $0.id) }
      let marker = Marker(machine: "desk", program: .gallery)
      try store.hide(ids.filter { !$0.0.hasSuffix("1") }.map(\.1), by: marker, now: servedAt)
      #expect(try await server.get("/api/list?tag=cats").text.contains("\"total\":1,"))
      for path in ["/tags", "/authors", "/statistics"] {
        let page = try await server.page(path)
        #expect(page.contains("<span class=\"number\" title=\"1 post\">1</span>"), "\(path)")
        #expect(!page.contains("title=\"2 posts\"") && !page.contains("posts are hidden"), "\(path)")
      }
      #expect(try await server.page("/tags").all(from: "<bdi>#", to: "</bdi>") == ["kittens", "cats"])
      #expect(try await !server.page("/authors").contains("bob@"))
    }
  }

  @Test(arguments: [["/", "/api/months", "/calendar"], ["/calendar", "/api/months"]])
  func `the calendar counts what is planned and a list does not, whichever is asked first`(_ paths: [String])
    async throws
  {
    try await InsightServer.run { server in
      try server.library.add(caption: "a robin", at: servedAt - 60)
      try server.library.add(caption: "a far day", at: servedAt + 90 * 86_400)
      for path in paths {
        let answer = try await server.get(path)
        switch path {
        case "/calendar":
          let months = try #require(answer.text.components(separatedBy: "class=\"years\"").last)
          #expect(
            months.all(from: "<ul class=\"months\">", to: "</ul>").joined().all(from: " <span>", to: "</span>") == [
              "1", "1",
            ])
        case "/api/months": #expect(answer.text.contains("\"count\":[1]"))
        default: #expect(answer.status == 200)
        }
      }
    }
  }

  @Test func `names from outside are text on every page`() async throws {
    try await InsightServer.run { server in
      let evil = "\"><script>alert(1)</script>\u{202E}&\u{301}"
      var post = shot(1, at: servedAt - 3600, caption: evil, tags: ["a\"\u{301}onload=x", "<b>"], title: evil)
      post.author?.name = evil
      try server.library.save([post], of: kittens)
      try server.library.store.follow(
        Follow(
          feed: kittens, every: nil,
          schedule: .init(
            interval: .seconds(60), dueAt: servedAt, state: .failing, failingSince: servedAt - 60, failures: 2,
            failure: evil)),
        now: servedAt)
      let day = MomentText().day(servedAt - 3600)
      for path in ["/tags", "/authors", "/calendar?day=\(day)", "/status", "/statistics", "/tags?q=%22%3E%3Cscript%3E"]
      {
        let page = try await server.page(path)
        #expect(!page.contains("<script>alert"), "\(path)")
        #expect(!page.contains("<b>\""), "\(path)")
        #expect(!page.unicodeScalars.contains("\u{0}"))
        #expect(page.contains("&lt;script&gt;") || page.contains("&lt;b&gt;"), "\(path)")
        #expect(!page.contains(" style="), "\(path)")
      }
    }
  }

  @Test(arguments: [
    "/tags?by=size", "/tags?after=x", "/calendar?month=2026-13", "/calendar?day=2026-02-30", "/calendar?month=26",
    "/status?days=0", "/statistics?from=x", "/statistics?from=2026-02-02&to=2026-02-01", "/statistics?by=hour",
    "/statistics.csv", "/statistics.csv?part=all",
  ])
  func `a parameter that is not what it must be is refused with a sentence`(path: String) async throws {
    try await InsightServer.run { server in
      let answer = try await server.get(path)
      #expect(answer.status == 400)
      #expect(answer.text.contains("must be"))
    }
  }
}
