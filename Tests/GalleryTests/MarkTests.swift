import Blobs
import Foundation
import MediaLibrary
import Posts
import Storage
import Testing
import Web

@testable import Gallery

/// Marks in the gallery: who sees them, and who changes them.
struct MarkTests {
  private static let hostile = "\"><script>alert(1)</script>'"
  private static let marker = Marker(machine: "other", program: .command)

  private struct Answer: Decodable {
    let changed: [Int64], unknown: [Int64], changes: [Int64]
  }

  private struct Window: Decodable {
    let favourites: [Int64], seen: [Int64], ratings: [String: Int], ownTags: [String: [String]]
  }

  private struct Whole: Decodable {
    struct Marks: Decodable, Equatable {
      var favourite = false, rating = 0, note: String?, ownTags: [String] = [], albums: [String] = []
    }
    let marks: Marks?
  }

  /// Marks the gallery's only post in every way, with names that look like markup.
  private func markAll(in store: Store) throws {
    let now = Date(timeIntervalSince1970: 1_795_000_000)
    try store.mark(
      [1], [.favourite(true), .rating(4), .seen(true), .note(Self.hostile), .ownTag(Self.hostile)], by: Self.marker,
      now: now)
    try store.createAlbum(Self.hostile, by: Self.marker, now: now)
    try store.add([1], toAlbum: Self.hostile, by: Self.marker, now: now)
    try store.save(try Filter(parsing: "rating:>=4"), as: Self.hostile, by: Self.marker, now: now)
  }

  private func sent(_ answer: RawAnswer) throws -> Answer {
    #expect(answer.status == 200, "\(answer.body)")
    return try JSONDecoder().decode(Answer.self, from: Data(answer.body.utf8))
  }

  @Test func `whoever may mark sees the marks of a post, and no name becomes markup`() async throws {
    try await withGallery { gallery in
      try markAll(in: gallery.library.store)
      let cookie = try await gallery.cookie()
      let list = try await gallery.get("/api/list", cookie)
      let window = try JSONDecoder().decode(Window.self, from: Data(list.body.utf8))
      #expect(window.favourites == [1] && window.seen == [1] && window.ratings == ["1": 4])
      #expect(window.ownTags == ["1": [Self.hostile]])
      let whole = try JSONDecoder().decode(
        Whole.self, from: Data(try await gallery.get("/api/post/1", cookie).body.utf8))
      #expect(
        whole.marks
          == .init(
            favourite: true, rating: 4, note: Self.hostile, ownTags: [Self.hostile], albums: [Self.hostile]))
      for path in ["/", "/post/1"] {
        let page = try await gallery.get(path, cookie).body
        #expect(!page.contains("<script>alert"), "\(path)")
        #expect(page.contains("&quot;&gt;&lt;script&gt;alert"), "\(path)")
        let link = "/?q=\(#"in:"\"><script>alert(1)</script>'""#.queryEncoded)"
        #expect(page.contains("href=\"\(link)\""), "\(path)")
        // The link leads to the post.
        #expect(try await gallery.get(link, cookie).body.contains("id=\"post-1\""))
      }
    }
  }

  @Test func `where a picture was taken, and what a machine found, is told to whoever may mark posts alone`()
    async throws
  {
    for isReadOnly in [true, false] {
      try await withGallery(.init(isReadOnly: isReadOnly)) { gallery in
        let store = gallery.library.store
        try gallery.library.save(shot(1), with: Array("GIF89a".utf8))
        let file = try #require(try store.filesToInspect(for: [.facts], atMost: 1).first)
        var inspection = FileInspection(of: file.number)
        var facts = FileFacts()
        (facts.latitude, facts.longitude, facts.camera) = (48.137, 11.575, "NIKON <b>D90")
        facts.placeBy = "flickr"
        inspection.facts = .found(facts)
        var findings = ModelFindings()
        findings.tags = [MachineTag("c<b>at", score: 0.9)]
        inspection.model = .found(findings)
        let now = Date(timeIntervalSince1970: 1_763_640_000)
        try store.keep([inspection], by: try store.use(ModelName("m@1", dimensions: 0), now: now), now: now)
        let posts = try store.posts(PostQuery(limit: nil)).filter { $0.attachments.contains { $0.facts != nil } }
        let post = try #require(posts.first)
        let cookie = try await gallery.cookie()
        let page = try await gallery.get("/post/\(post.id)", cookie).body
        #expect(page.contains("NIKON &lt;b&gt;D90") && page.contains("48.137") == !isReadOnly)
        #expect(page.contains("(says Flickr)") == !isReadOnly)
        #expect(page.contains("~c&lt;b&gt;at") == !isReadOnly)
        for path in ["/api/post/\(post.id)", "/api/list", "/feed/all.json", "/feed/all.atom"] {
          #expect(try await gallery.get(path, cookie).body.contains("48.137") == false, "\(path)")
        }
      }
    }
  }

  @Test func `a post of two networks says so to whoever may mark posts alone, whose lists may show it once`()
    async throws
  {
    struct Listed: Decodable { let id: [Int64], folded: [String: Int] }
    for isReadOnly in [true, false] {
      try await withGallery(.init(isReadOnly: isReadOnly), isEmpty: true, folds: true) { gallery in
        for source in [SourceName.usual, SourceName(rawValue: "fl<b>ickr")] {
          try gallery.library.save([shot(1, source: source)], of: kittens)
        }
        let cookie = try await gallery.cookie()
        let list = try await gallery.get("/api/list", cookie)
        let listed = try JSONDecoder().decode(Listed.self, from: Data(list.body.utf8))
        #expect(listed.id.sorted() == (isReadOnly ? [1, 2] : [1]) && listed.folded == (isReadOnly ? [:] : ["1": 1]))
        let page = try await gallery.get("/post/1", cookie).body
        #expect(page.contains("<dt>Also at</dt>") == !isReadOnly)
        #expect(page.contains("(<a href=\"/post/2\">post 2</a>)") == !isReadOnly)
        let answer = try await gallery.get("/api/post/2", cookie).body
        #expect(answer.contains(#""elsewhere":[{"#) == !isReadOnly)
      }
    }
  }

  @Test func `text in a picture is shown as a machine's, and never as what hostile words say`() async throws {
    try await withGallery(.init(isReadOnly: true)) { gallery in
      let store = gallery.library.store
      try gallery.library.save(shot(1), with: Array("GIF89a".utf8))
      let file = try #require(try store.filesToInspect(for: [.text], again: true, atMost: 1).first)
      var inspection = FileInspection(of: file.number)
      let line = PictureText.Line("Closed <script>alert(1)</script>", box: [0, 0, 10, 10])
      inspection.text = .found(PictureText(engine: "tesseract <5>", lines: [line]))
      try store.keep([inspection], now: Date(timeIntervalSince1970: 1_763_640_000))
      let posts = try store.posts(PostQuery(limit: nil)).filter(\.hasTextInPictures)
      let post = try #require(posts.first)
      let cookie = try await gallery.cookie()
      let page = try await gallery.get("/post/\(post.id)", cookie).body
      #expect(page.contains("Closed &lt;script&gt;alert(1)") && !page.contains("<script>alert"))
      #expect(page.contains("Read by tesseract &lt;5&gt;, not written by the author."))
      #expect(try await gallery.get("/api/list?q=closed", cookie).body.contains("\"inPicture\":[\(post.id)]"))
      #expect(try await gallery.get("/api/list", cookie).body.contains("\"inPicture\":[]"))
    }
  }

  @Test func `a gallery for reading only, and a feed, tell nothing of marks`() async throws {
    let asking = [
      "is:favourite", "-is:seen", "has:note", "own:x", "in:x", "saved:x", "cats OR rating:>=4", "near:48.1,11.5,20km",
      "-near:48,11", "place:Vienna", "-country:AT", "has:gps", "-has:gps|alt", "like:1", "is:copy", "machine:cat",
    ]
    try await withGallery(.init(isReadOnly: true)) { gallery in
      try markAll(in: gallery.library.store)
      let cookie = try await gallery.cookie()
      for path in [
        "/", "/post/1", "/api/list", "/api/post/1", "/api/offers?q=own:", "/api/offers?q=in:", "/api/offers?q=saved:",
      ] {
        let answer = try await gallery.get(path, cookie)
        #expect(answer.status == 200 && !answer.body.contains("alert(1)"), "\(path)")
        #expect(!answer.body.contains("favourite\":true") && !answer.body.contains("\"favourites\":[1]"), "\(path)")
      }
      for filter in asking {
        for path in ["/", "/api/list", "/api/months", "/calendar", "/post/1"] {
          #expect(try await gallery.get("\(path)?q=\(filter.queryEncoded)", cookie).status == 403, "\(path) \(filter)")
        }
      }
      // What is finished of an unfinished filter counts, too.
      #expect(try await gallery.get("/api/list?typing=1&q=is:favourite%20(", cookie).status == 403)
      #expect(try await gallery.get("/?q=kingfisher", cookie).status == 200)
      let keys = try await gallery.get("/api/keys", cookie).body
      #expect(!keys.contains("markRating"))
      let answer = try await gallery.post("/api/mark", #"{"ids":[1],"favourite":false}"#, cookie)
      #expect(answer.status == 403)
      #expect(try gallery.library.store.post(1)?.post.marks.isFavourite == true)
    }
    try await withGallery { gallery in
      try markAll(in: gallery.library.store)
      let cookie = try await gallery.cookie()
      for filter in asking {
        #expect(try await gallery.get("/feed/all.json?q=\(filter.queryEncoded)", cookie).status == 403, "\(filter)")
        #expect(try await gallery.get("/api/list?q=\(filter.queryEncoded)", cookie).status == 200, "\(filter)")
      }
      #expect(try await !gallery.get("/feed/all.json", cookie).body.contains("alert"))
    }
  }

  @Test func `a page marks posts, puts them into albums, saves a filter, and takes it back`() async throws {
    try await withGallery { gallery in
      let store = gallery.library.store
      let cookie = try await gallery.cookie()
      func marks() throws -> PostMarks { try #require(try store.post(1)).post.marks }
      let marked = try sent(
        await gallery.post(
          "/api/mark",
          #"{"ids":[1,99],"favourite":true,"rating":5,"seen":true,"note":"Look","tags":["+Boat"]}"#, cookie))
      #expect(marked.changed == [1] && marked.unknown == [99] && marked.changes.count == 1)
      #expect(try marks().isFavourite && marks().rating == 5 && marks().seenAt != nil)
      #expect(try marks().note == "Look" && marks().ownTags == ["boat"])
      // What is so already is no change.
      #expect(try sent(await gallery.post("/api/mark", #"{"ids":[1],"rating":5}"#, cookie)).changes == [])
      // An album that does not exist is made, and goes with its undo.
      let added = try sent(
        await gallery.post("/api/album", #"{"ids":[1],"album":"Winter","adds":true}"#, cookie))
      #expect(try added.changes.count == 2 && marks().albums == ["Winter"])
      let again = try await gallery.post("/api/undo", "{\"changes\":\(added.changes)}", cookie)
      #expect(try again.status == 200 && again.body == #"{"posts":[1]}"# && store.albums().isEmpty)
      #expect(try await gallery.post("/api/undo", "{\"changes\":\(added.changes)}", cookie).status == 404)
      let search = try sent(
        await gallery.post("/api/searches", #"{"name":"good","filter":"rating:>=4  cats"}"#, cookie))
      #expect(try store.savedSearches().map(\.name) == ["good"] && search.changes.count == 1)
      let other = try await gallery.post("/api/searches", #"{"name":"GOOD","filter":"rating:5"}"#, cookie)
      #expect(other.body.contains(#""replaced":"good""#))
      #expect(try await gallery.post("/api/undo", "{\"changes\":\(marked.changes)}", cookie).status == 200)
      #expect(try marks() == PostMarks())
    }
  }

  @Test func `what was changed again since is not said to be undone`() async throws {
    try await withGallery { gallery in
      let (store, cookie) = (gallery.library.store, try await gallery.cookie())
      func change(_ path: String, _ body: String) async throws -> String {
        "{\"changes\":\(try sent(await gallery.post(path, body, cookie)).changes)}"
      }
      let rated = try await change("/api/mark", #"{"ids":[1],"rating":5,"favourite":true}"#)
      try store.mark([1], [.rating(2)], by: Self.marker, now: gallery.clock.now)
      let part = try await gallery.post("/api/undo", rated, cookie)
      #expect(part.body.contains(#""posts":[1]"#) && part.body.contains("Undone, but for what was changed again since"))
      #expect(try store.post(1)?.post.marks.isFavourite == false)
      let saved = try await change("/api/searches", #"{"name":"good","filter":"rating:5"}"#)
      try store.save(try Filter(parsing: "rating:4"), as: "good", by: Self.marker, now: gallery.clock.now)
      let kept = try await gallery.post("/api/undo", saved, cookie)
      #expect(kept.status == 409 && kept.body.contains("it was changed again since"))
      #expect(try store.post(1)?.post.marks.rating == 2 && store.savedSearches().map(\.filter) == ["rating:4"])
    }
  }

  @Test func `a delete is undone only where the post is as it left it`() async throws {
    try await withGallery { gallery in
      let (store, cookie, now) = (gallery.library.store, try await gallery.cookie(), gallery.clock.now)
      func change(_ name: String, _ body: String) async throws -> Int {
        try #require(try await gallery.post("/api/\(name)", body, cookie).object["change"] as? Int)
      }
      // One after the other.
      let deleted = try await change("delete", #"{"ids":[1]}"#)
      let restored = try await change("restore", #"{"ids":[1]}"#)
      for (name, change) in [("delete", restored), ("restore", deleted)] {
        let undone = try await gallery.post("/api/\(name)", "{\"ids\":[1],\"undoes\":\(change)}", cookie)
        #expect(undone.object["changed"] as? [Int] == [1])
        #expect(try store.post(1)?.post.isDeleted == (name == "delete"))
      }
      for isChanged in [false, true] {
        let change = try await change("delete", #"{"ids":[1]}"#)
        if isChanged {
          try store.restore([1], by: Self.marker, now: now)
          try store.delete([1], by: Self.marker, now: now)
        }
        let undone = try await gallery.post("/api/restore", "{\"ids\":[1],\"undoes\":\(change)}", cookie)
        #expect(undone.object["changed"] as? [Int] == (isChanged ? [] : [1]))
        #expect(try store.post(1)?.post.isDeleted == isChanged)
      }
    }
  }

  @Test func `only what this gallery changed is undone by it`() async throws {
    try await withGallery { gallery in
      let store = gallery.library.store
      let made = try store.mark([1], [.favourite(true)], by: Self.marker, now: gallery.clock.now)
      let change = try #require(made.change)
      let cookie = try await gallery.cookie()
      #expect(try await gallery.post("/api/undo", "{\"changes\":[\(change)]}", cookie).status == 404)
      #expect(try store.post(1)?.post.marks.isFavourite == true)
    }
  }

  @Test(arguments: [
    ("/api/mark", #"{"ids":[1],"rating":6}"#, 400, "0 to 5"), ("/api/mark", #"{"ids":[1],"rating":-1}"#, 400, "0 to 5"),
    ("/api/mark", #"{"ids":[1]}"#, 400, "favourite, rating"), ("/api/mark", #"{"ids":["x"],"rating":1}"#, 400, "JSON"),
    ("/api/mark", #"{"ids":[1],"rating":"4"}"#, 400, "JSON"), ("/api/mark", #"{"rating":4}"#, 400, "JSON"),
    ("/api/mark", #"{"ids":[1],"tags":["+"]}"#, 400, "is no name"), ("/api/mark", "[]", 400, "JSON"),
    ("/api/album", #"{"ids":[1],"album":" ","adds":true}"#, 400, "is no name"),
    ("/api/album", #"{"ids":[1],"album":"Winter","adds":false}"#, 404, "not there any more"),
    ("/api/album", #"{"ids":[1],"album":"Winter","adds":true,"existing":true}"#, 404, "not there any more"),
    ("/api/searches", #"{"name":"x","filter":"tagg:x"}"#, 400, "tagg"),
    ("/api/same", #"{"ids":[1,2],"verdict":"alike"}"#, 400, "JSON"),
    ("/api/same", #"{"ids":[1],"verdict":"same"}"#, 400, "post 1 has no picture like"),
    ("/api/same", #"{"ids":[1,2],"verdict":"same","pictures":["x"]}"#, 400, "hashes"),
    ("/api/searches", #"{"name":"","filter":"x"}"#, 400, "is no name"), ("/api/undo", #"{"change":1}"#, 400, "JSON"),
  ])
  func `what is no mark is refused with its reason`(path: String, body: String, status: Int, reason: String)
    async throws
  {
    try await withGallery { gallery in
      let answer = try await gallery.post(path, body, try await gallery.cookie())
      #expect(answer.status == status && answer.body.contains(reason), "\(answer.body)")
      #expect(try gallery.library.store.post(1)?.post.marks == PostMarks())
      #expect(try gallery.library.store.albums().isEmpty && gallery.library.store.savedSearches().isEmpty)
    }
  }

  @Test(arguments: ["/api/mark", "/api/album", "/api/searches", "/api/undo", "/api/same"])
  func `no other page changes marks`(path: String) async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let body = #"{"ids":[1],"favourite":true,"album":"a","adds":true,"name":"a","filter":"x","changes":[1]}"#
      #expect(try await gallery.post(path, body, cookie, origin: "http://evil.example").status == 403)
      #expect(try await gallery.post(path, body, cookie, origin: "").status == 403)
      #expect(try await gallery.post(path, body).status == 401)
      #expect(try await gallery.get(path, cookie).status == 404)
      #expect(try gallery.library.store.post(1)?.post.marks == PostMarks())
      #expect(try gallery.library.store.albums().isEmpty && gallery.library.store.savedSearches().isEmpty)
    }
  }

  @Test func `the gallery's own keys mark, whatever the terminal does with them`() {
    let table = [
      KeyBinding(action: "rate", group: "Keys", keys: ["3"], shown: "3", help: "rate"),
      KeyBinding(action: "down", group: "Keys", keys: ["j"], shown: "j", help: "next post"),
    ]
    let keys = KeyBinding.ofGallery(table, isReadOnly: false)
    #expect(keys.filter { $0.keys.contains("3") }.map(\.action) == ["markRating"])
    #expect(KeyBinding.ofGallery(table, isReadOnly: true).map(\.action) == ["down", "slideshow", "compare"])
  }
}
