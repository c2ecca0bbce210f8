import Foundation
import MediaLibrary
import Testing

@testable import Gallery

struct PostRoutesTests {
  private static let birds = Author(
    uri: "https://photos.example/users/birds", handle: "birds@photos.example", name: "<b>Birds</b>",
    url: "javascript:alert(1)")

  private func post(_ number: Int, _ caption: String, _ change: (inout Post) -> Void = { _ in }) -> Post {
    var post = Post(
      source: SourceName(rawValue: "mastodon"), uri: "https://photos.example/\(number)",
      url: "https://photos.example/@birds/\(number)",
      author: Self.birds, createdAt: Date(timeIntervalSince1970: 1_794_000_000 + Double(number)), caption: caption)
    change(&post)
    return post
  }

  private func save(_ posts: [Post], raw: String = "", in library: Library) throws {
    let server = try #require(Server("photos.example"))
    let items = posts.map { PageItem(id: $0.uri, content: .post($0), raw: Array(raw.utf8)) }
    try library.save(
      [Page(items: items, next: .horizon)],
      of: Feed(source: SourceName(rawValue: "mastodon"), kind: .tag, value: "birds", server: server))
  }

  private func number(_ caption: String, in library: Library) throws -> Int64 {
    try #require(try library.store.posts().first { $0.caption.hasPrefix(caption) }).id
  }

  private struct Answer: Decodable {
    struct Piece: Decodable { let kind: String?, text: String, link: String? }
    struct Edit: Decodable { let caption: [Piece]? }
    struct File: Decodable { let shownAs: String, type: String?, download: String? }
    struct Author: Decodable { let handle: String, name: String, url: String? }
    let id: Int64, heading: String, caption: [Piece], url: String?, author: Author?, isDeleted: Bool, warning: String?
    let edits: [Edit], attachments: [File], feeds: [String], tags: [String], hasRawAnswer: Bool
  }

  private func answer(_ id: Int64, _ client: RawClient) async throws -> Answer {
    let answer = try await client.get("/api/post/\(id)")
    #expect(answer.status == 200 && answer["Content-Type"] == "application/json; charset=utf-8")
    return try JSONDecoder().decode(Answer.self, from: Data(answer.body))
  }

  @Test func `a post's page says why a file was left out`() async throws {
    try await withServedLibrary { library, client in
      let sound = post(1, "Song") {
        $0.attachments = [.init(kind: .audio, url: "https://photos.example/1.mp3")]
      }
      try save([sound], in: library)
      let id = try number("Song", in: library)
      try library.store.wantFiles(ofPosts: [id], within: FileLimits(only: [.image]), now: Date())
      let page = try await client.get("/post/\(id)").text
      #expect(page.contains("Not downloaded: not among the wanted kinds"), "\(page)")
    }
  }

  @Test func `texts full of markup come out as text`() async throws {
    try await withServedLibrary { library, client in
      let evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> https://a.example/ #birds"
      let first = post(1, evil) { post in
        (post.title, post.warning, post.tags, post.language) = (evil, evil, ["birds"], "en\" onload=\"x")
        post.attachments = [Attachment(kind: .image, url: "javascript:alert(1)", alt: evil, blurhash: evil)]
        post.url = "javascript:alert(1)"
      }
      try save([first], in: library)
      let page = try await client.get("/post/1?tag=%3Cscript%3E").text
      for trick in [
        "<script>alert", "<img src=x", "\"'>", "href=\"javascript", "onload=\"x\"", "<b>Birds", "tag=<script",
      ] {
        #expect(!page.contains(trick), "\(trick)")
      }
      #expect(page.contains("<a href=\"https://a.example/\" rel=\"noopener noreferrer\" target=\"_blank\">"))
      #expect(page.contains("<a href=\"/?tag=birds\">#birds</a>"))
      #expect(page.contains("<bdi>&lt;b&gt;Birds&lt;/b&gt;</bdi>"))
      let json = try await answer(1, client)
      #expect(json.caption.map(\.text).joined() == evil && json.url == nil && json.author?.url == nil)
      #expect(json.warning == evil && json.author?.name == "<b>Birds</b>")
    }
  }

  @Test func `a page tells all that the library has of a post`() async throws {
    try await withServedLibrary { library, client in
      let files = [Sample.png, Sample.mp4, Sample.svg, Sample.mp3]
      let id = try library.add(
        caption: "four files, see https://a.example", title: "Files", tags: ["cats"], attaching: files)
      let page = try await client.get("/post/\(id)").text
      let names = files.map { BlobID(hashing: $0).hex }
      #expect(page.contains("<img src=\"/thumb/1600/\(names[0])\""))
      #expect(
        page.contains(
          "<video controls playsinline preload=\"metadata\" poster=\"/thumb/1600/\(names[1])\" src=\"/blob/\(names[1])\""
        ))
      #expect(!page.contains("src=\"/blob/\(names[2])\"") && page.contains("SVG, only to download"))
      #expect(page.contains("<audio controls preload=\"metadata\" src=\"/blob/\(names[3])\""))
      #expect(
        page.contains("<h1 dir=\"auto\">Files</h1>") && page.contains("<a href=\"/?tag=cats\" dir=\"auto\">#cats</a>"))
      let json = try await answer(id, client)
      #expect(json.attachments.map(\.shownAs) == ["picture", "video", "file", "audio"])
      #expect(json.attachments[1].type == "video/mp4" && json.attachments[2].download?.hasSuffix("-3.svg") == true)
      #expect(json.tags == ["cats"] && !json.hasRawAnswer && !json.isDeleted)
    }
  }

  @Test func `a warning hides pictures and text until it is opened`() async throws {
    try await withServedLibrary { library, client in
      try save([post(1, "spoiler") { ($0.warning, $0.sensitive) = ("the end", true) }, post(2, "plain")], in: library)
      let hidden = try await client.get("/post/\(try number("spoiler", in: library))").text
      let start = try #require(
        hidden.firstRange(of: "<details class=\"warning\"><summary><bdi>the end</bdi></summary>"))
      #expect(hidden[start.upperBound...].contains("spoiler") && !hidden.contains("<details open"))
      #expect(try await !client.get("/post/\(try number("plain", in: library))").text.contains("class=\"warning\""))
    }
  }

  @Test func `right-to-left texts keep their direction to themselves`() async throws {
    try await withServedLibrary { library, client in
      try save([post(1, "قطة جميلة https://a.example") { $0.title = "قطة" }], in: library)
      let page = try await client.get("/post/1").text
      #expect(page.contains("<h1 dir=\"auto\">قطة</h1>"))
      #expect(page.contains("<div class=\"caption\" dir=\"auto\">قطة جميلة <a href=\"https://a.example\""))
    }
  }

  @Test func `notes that others replaced stand below the one that counts`() async throws {
    try await withServedLibrary { library, client in
      try save([post(1, "a cat")], in: library)
      let person = Marker(machine: "desk", program: .command)
      for note in ["<first>", "second", "third"] {
        try library.store.mark([1], [.note(note)], by: person, now: Date(timeIntervalSince1970: 1_794_500_000))
      }
      let page = try await client.get("/post/1").text
      #expect(page.contains("2 earlier notes") && page.contains("&lt;first&gt;</div>"))
      let starts = ["second</div>", "first&gt;</div>"].map { page.range(of: $0)?.lowerBound }
      #expect(try #require(starts[0]) < #require(starts[1]))
    }
  }

  @Test func `an edit shows what it changed`() async throws {
    try await withServedLibrary { library, client in
      try save([post(1, "two grey cats") { $0.title = "Old" }], in: library)
      try save([post(1, "two black cats") { $0.editedAt = Date(timeIntervalSince1970: 1_794_500_000) }], in: library)
      let page = try await client.get("/post/1").text
      #expect(page.contains("<b>Title</b> <del>Old</del>") && !page.contains("class=&quot;"))
      #expect(page.contains("<h1 dir=\"auto\" class=\"visually-hidden\">"))
      #expect(page.contains("1 edit") && page.contains("two <del>grey</del><ins>black</ins> cats"))
      let edits = try await answer(1, client).edits
      #expect(edits.count == 1 && edits[0].caption?.map(\.kind) == ["kept", "deleted", "inserted", "kept"])
    }
  }

  @Test func `the raw answer is text, whatever it contains`() async throws {
    try await withServedLibrary { library, client in
      try save([post(1, "raw")], raw: #"{"a":"<script>alert(1)</script>","b":[1,{}]}"#, in: library)
      let answer = try await client.get("/post/1/raw")
      #expect(answer["Content-Type"] == "text/plain; charset=utf-8" && answer["X-Content-Type-Options"] == "nosniff")
      #expect(answer["Content-Security-Policy"] == "sandbox; default-src 'none'")
      #expect(answer.text == "{\n  \"a\": \"<script>alert(1)</script>\",\n  \"b\": [\n    1,\n    {}\n  ]\n}")
      let own = try library.add(caption: "by hand")
      #expect(try await client.get("/post/\(own)/raw").status == 404)
    }
  }

  @Test func `deleted posts and those gone from their server say so`() async throws {
    try await withServedLibrary { library, client in
      let id = try library.add(caption: "away")
      try library.delete([id])
      let page = try await client.get("/post/\(id)").text
      #expect(page.contains("Deleted. It stays here until it is restored.") && page.contains(" data-deleted"))
      #expect(try await answer(id, client).isDeleted)
    }
  }

  @Test func `a post that not everybody may see says so, and its row in a list, too`() async throws {
    try await withServedLibrary { library, client in
      var (one, other) = (post(1, "friends"), post(2, "all"))
      (one.visibility, other.visibility) = (.followers, .public)
      try save([other, one], raw: "{}", in: library)
      let page = try await client.get("/post/1").text + client.get("/post/2").text
      #expect(page.components(separatedBy: "Only followers of its author may see it.").count == 2)
      let rows = try await client.get("/api/list").text
      #expect(rows.contains(#""seenBy":{"1":{"#) || rows.contains(#""seenBy":{"2":{"#))
      #expect(rows.components(separatedBy: "\"mark\":").count == 2)
    }
  }

  @Test func `a page leads to the posts beside it on its list`() async throws {
    try await withServedLibrary { library, client in
      let ids = try (0..<4).map { number in
        try library.add(
          caption: "\(number)", at: Date(timeIntervalSince1970: 1_794_000_000 + Double(number)),
          tags: number == 2 ? [] : ["cats"])
      }
      let all = try await client.get("/post/\(ids[1])").text
      #expect(
        all.contains("<a rel=\"prev\" href=\"/post/\(ids[2])\">")
          && all.contains("<a rel=\"next\" href=\"/post/\(ids[0])\">"))
      let cats = try await client.get("/post/\(ids[1])?tag=cats").text
      #expect(cats.contains("<a rel=\"prev\" href=\"/post/\(ids[3])?tag=cats\">"))
      #expect(cats.contains("<a class=\"back\" href=\"/?tag=cats&amp;at=\(ids[1])\">"))
      let beside = try await client.get("/post/\(ids[2])?tag=cats").text
      #expect(
        beside.contains("<a rel=\"prev\" href=\"/post/\(ids[3])?tag=cats\">")
          && beside.contains("<a rel=\"next\" href=\"/post/\(ids[1])?tag=cats\">"))
      let first = try await client.get("/post/\(ids[3])").text
      #expect(!first.contains("rel=\"prev\""))
    }
  }

  @Test func `numbers of no post are answered with one sentence`() async throws {
    try await withServedLibrary { _, client in
      for path in ["/post/7", "/post/7/raw", "/api/post/7"] {
        let answer = try await client.get(path)
        #expect(answer.status == 404 && answer.text.contains("no post has the number 7"))
      }
      for path in ["/post/x", "/api/post/99999999999999999999", "/post/1e3"] {
        #expect(try await client.get(path).status == 404, "\(path)")
      }
    }
  }

  @Test func `a gallery for reading only offers no deleting`() async throws {
    try await withServedLibrary(readOnly: true) { library, client in
      let id = try library.add(caption: "stays")
      #expect(try await client.get("/post/\(id)").text.contains(" data-read-only"))
    }
  }
}

struct IndentedJSONTests {
  @Test(arguments: [
    ("{}", "{}"), ("[1,2]", "[\n  1,\n  2\n]"), ("{\"a\" : \"x,{:}\\\"\"}", "{\n  \"a\": \"x,{:}\\\"\"\n}"),
    ("<rss/>", "<rss/>"),
    ("", ""), ("{\"a\":", "{\n  \"a\": "), ("]", "]"), ("[[", "[\n  [\n    "),
  ])
  func `only the white space of JSON changes`(text: String, expected: String) {
    #expect(IndentedJSON.text(Array(text.utf8)) == expected)
  }

  @Test func `deep nesting does not make it much longer`() {
    let nested = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    #expect(IndentedJSON.text(nested).utf8.count < 30 * nested.count)
    let long = [UInt8](repeating: UInt8(ascii: "["), count: (1 << 20) + 1)
    #expect(IndentedJSON.text(long).utf8.count == long.count)
  }
}

struct ByteWordsTests {
  @Test func `bytes are told in units`() {
    #expect(
      [0, 999, 1000, 12_345, 999_999, 1_000_000, 52_428_800, 7_000_000_000].map(ByteWords.text) == [
        "0 B", "999 B", "1.0 kB", "12 kB", "999 kB", "1.0 MB", "52 MB", "7.0 GB",
      ])
  }
}
