import Foundation
import Testing

@testable import Gallery

@Suite(.timeLimit(.minutes(5))) struct ListServingTests {
  private var options: GalleryServer.Options {
    var options = GalleryServer.Options()
    options.keys = [
      KeyBinding(action: "delete", group: "Keys", keys: ["d", "Delete"], shown: "d Delete", help: "delete the post"),
      KeyBinding(action: "suspend", group: "Keys", keys: ["Control+z"], shown: "Ctrl-Z", help: "to the shell"),
    ]
    return options
  }

  @Test func `keys are served for scripts and shown to people`() async throws {
    try await withGallery(options) { gallery in
      let cookie = try await gallery.cookie()
      let keys = try await gallery.get("/api/keys", cookie)
      #expect(keys.status == 200)
      let list = try #require(try JSONSerialization.jsonObject(with: Data(keys.body.utf8)) as? [[String: Any]])
      #expect(list.count == 1 + KeyBinding.marking.count + KeyBinding.looking.count)
      #expect(list[0]["action"] as? String == "delete" && list[0]["keys"] as? [String] == ["d", "Delete"])
      #expect(try await gallery.get("/help", cookie).body.contains("delete the post"))
    }
  }

  @Test func `months, deleted posts and windows answer as JSON`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let months = try await gallery.get("/api/months?tag=birds", cookie).object
      #expect(months["count"] as? [Int] == [1])
      let id = try #require((try await gallery.get("/api/list", cookie).object["id"] as? [Int])?.first)
      #expect(try await gallery.get("/api/deleted", cookie).object["ids"] as? [Int] == [])
      #expect(try await gallery.post("/api/delete", "{\"ids\":[\(id)]}", cookie).status == 200)
      #expect(try await gallery.get("/api/deleted?tag=birds", cookie).object["ids"] as? [Int] == [id])
      #expect(try await gallery.get("/api/list?deleted=1", cookie).object["id"] as? [Int] == [id])
      #expect(try await gallery.get("/api/list?date=yesterday", cookie).status == 400)
    }
  }

  @Test func `an unchanged script is not sent again, and a browser that can gets it small`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let plain = try await gallery.get("/assets/grid.js", cookie)
      let tag = try #require(plain["etag"])
      #expect(plain.status == 200 && plain["content-encoding"] == nil)
      #expect(try await gallery.get("/assets/grid.js", cookie, "If-None-Match: \(tag)").status == 304)
      let small = try await gallery.get("/assets/grid.js", cookie, "Accept-Encoding: gzip, zstd")
      #expect(small["content-encoding"] == "zstd" && small["vary"] == "Accept-Encoding")
      let sizes = [plain, small].compactMap { $0["content-length"].flatMap { Int($0) } }
      #expect(sizes.count == 2 && sizes[1] * 2 < sizes[0])
    }
  }

  @Test func `the icon and what makes a program of the page are for everybody`() async throws {
    try await withGallery { gallery in
      for (path, type) in [
        ("/favicon.ico", "image/png"), ("/assets/icon.svg", "image/svg+xml"), ("/assets/icon-512.png", "image/png"),
      ] {
        let answer = try await gallery.get(path)
        #expect(answer.status == 200 && answer["content-type"] == type, "\(path)")
      }
      let manifest = try await gallery.get("/assets/media.webmanifest")
      #expect(manifest["content-type"] == "application/manifest+json")
      let icons = try #require(manifest.object["icons"] as? [[String: String]])
      for icon in icons { #expect(try await gallery.get(try #require(icon["src"])).status == 200) }
      let page = try await gallery.get("/sign-in")
      #expect(
        page.body.contains(#"<link rel="manifest" href="/assets/media.webmanifest" crossorigin="use-credentials">"#))
      #expect(page["content-security-policy"]?.contains("manifest-src 'self'") == true)
      // Who is not signed in is not told whose library it is.
      #expect(!page.body.contains("class=\"library\""))
      #expect(try await gallery.get("/tags", gallery.cookie()).body.contains("<bdi>library</bdi>"))
    }
  }

  // What people see once takes a share of its own: help, settings, forms, icons. A list loads about half.
  @Test func `all scripts are sent as at most 66 KB, all styles as at most 12 KB`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      for (ending, most) in [(".js", 66_000), (".css", 12_000)] {
        var bytes = 0
        for name in AssetRoutes.names where name.hasSuffix(ending) {
          let answer = try await gallery.get("/assets/\(name)", cookie, "Accept-Encoding: zstd")
          bytes += try #require(answer["content-length"].flatMap { Int($0) })
        }
        #expect(bytes > most / 2 && bytes <= most, "\(ending): \(bytes) bytes")
      }
    }
  }
}
