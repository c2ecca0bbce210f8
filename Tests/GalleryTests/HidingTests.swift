import Foundation
import MediaLibrary
import Posts
import Testing

@testable import Gallery

/// Hiding posts, authors and tags from where one sees them, by forms of their own.
struct HidingTests {
  @Test func `what is seen is hidden by its page, counted, listed and shown again`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      try gallery.library.save([shot(1), shot(2)], of: kittens)
      let cookie = try await gallery.cookie()
      let own = [cookie, "Origin: http://\(gallery.host)", "Sec-Fetch-Site: same-origin"]
      func form(_ body: String, _ lines: [String]) async throws -> RawAnswer {
        try await gallery.send(
          "POST /hidden HTTP/1.1", ["Host: \(gallery.host)", "Content-Length: \(body.utf8.count)"] + lines, body: body)
      }
      let id = try #require(try gallery.library.store.posts(PostQuery()).first).id
      let page = try await gallery.get("/post/\(id)", cookie)
      #expect(page.body.contains("name=\"post\" value=\"\(id)\"") && page["referrer-policy"] == "same-origin")
      let hidden = try await form("post=\(id)", own)
      #expect(hidden.status == 303 && hidden["location"] == "/hidden")
      let list = try await gallery.get("/", cookie).body
      #expect(list.contains("1 post hidden") && !list.contains("/post/\(id)\""))
      #expect(try await gallery.get("/post/\(id)", cookie).body.contains("Show this post again"))
      #expect(try await form("tag=kittens", own).status == 303)
      let names = try await gallery.get("/hidden", cookie).body
      #expect(names.contains("Show #kittens again") && names.contains("2 posts in all"))
      #expect(try await form("tag=kittens&show=1", own).status == 303)
      #expect(try await form("post=\(id)&show=1", own).status == 303)
      // A page that stays hides likewise, and undoes it as it does marks.
      let answer = try await gallery.post("/api/hide", #"{"tag":"Kittens"}"#, cookie)
      let shown = try await gallery.get("/post/\(id)", cookie).body
      #expect(shown.contains("Hidden with #kittens: lists leave it out.") && shown.contains("Show #kittens again"))
      #expect(try await gallery.post("/api/undo", answer.body, cookie).status == 200)
      #expect(try await !gallery.get("/post/\(id)", cookie).body.contains("Hidden with"))
      for body in ["{}", "[]", #"{"by":"nobody"}"#] {
        #expect(try await gallery.post("/api/hide", body, cookie).status == 400)
      }
      #expect(try gallery.library.store.hiddenNames().isEmpty)
      #expect(try gallery.library.store.hiddenPosts(of: PostListQuery().listed(at: .now)) == .exactly(0))
      for (body, lines, status) in [
        ("by=nobody", own, 400), ("", own, 400), ("post=\(id)", [cookie, "Origin: http://evil.example"], 403),
        ("post=\(id)", Array(own.dropFirst()), 401),
      ] { #expect(try await form(body, lines).status == status, "\(body)") }
    }
    try await withGallery(.init(isReadOnly: true)) { gallery in
      let cookie = try await gallery.cookie()
      try gallery.library.store.hide(
        [], [.tag("birds")], by: Marker(machine: "desk", program: .command), now: gallery.library.now())
      #expect(try await gallery.get("/hidden", cookie).status == 403)
      #expect(
        try await gallery.post("/hidden", "tag=birds&show=1", cookie, type: "application/x-www-form-urlencoded").status
          == 403)
      #expect(try await !gallery.get("/", cookie).body.contains("hidden</a>"))
      #expect(try await gallery.get("/?q=is:hidden", cookie).status == 403)
    }
  }
}
