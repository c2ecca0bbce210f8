import Foundation
import ScriptedOrigin
import Testing

/// `media feed` as users run it.
@Suite(.timeLimit(.minutes(10))) struct FeedJourneyTests {
  private func serve(_ numbers: [Int], _ origin: Origin, tag: String, _ edit: (inout ScriptedItem) -> Void = { _ in }) {
    let items = numbers.map { number in
      var item = ScriptedItem(number, at: origin.url)
      edit(&item)
      return item
    }
    origin.change { $0.documents["/feed"] = .rss(items, entityTag: tag) }
  }

  private func pull(_ sandbox: Sandbox, _ address: String, _ flags: String...) async throws -> [String: any Sendable] {
    let ended = try await sandbox.run(["feed", address, "--json"] + flags)
    try #require(ended.status == 0, "\(ended.errors)")
    return try ended.object()
  }

  @Test func `a feed is pulled, is not sent again, and grows; an edit is a revision`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([2, 1], origin, tag: "\"1\"")
      let first = try await pull(sandbox, "\(origin.url)/feed")
      #expect(first["feed"] as? String == "\(origin.url)/feed")
      #expect((first["posts", "new"], first["pages"] as? Int, first["complete"] as? Bool) == (2, 1, true))
      // The answer that found the feed is its first page.
      #expect((first["requests"] as? Int, origin.requests.map(\.path)) == (1, ["/feed"]))
      let again = try await pull(sandbox, "\(origin.url)/feed")
      #expect((again["posts", "new"], again["posts", "unchanged"], again["requests"] as? Int) == (0, 0, 1))
      #expect(origin.requests(to: "/feed").last?.headers["if-none-match"] == "\"1\"")
      #expect(try await pull(sandbox, "\(origin.url)/feed", "--resume")["complete"] as? Bool == true)
      serve([3, 2, 1], origin, tag: "\"2\"") { if $0.number == 1 { $0.text = "Bird 1, edited" } }
      let grown = try await pull(sandbox, "\(origin.url)/feed")
      #expect((grown["posts", "new"], grown["posts", "updated"], grown["posts", "unchanged"]) == (1, 1, 1))
      let posts = try await sandbox.media("list", "--json").objects()
      #expect(posts.map { $0["caption"] as? String } == ["Bird 3", "Bird 2", "Bird 1, edited"])
      #expect(posts.allSatisfy { $0["source"] as? String == "feed" })
      #expect(try await sandbox.sql("SELECT caption FROM revision") == "Bird 1\n")
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `a date that cannot be read is reported, and its post is not shown as new`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      let dates = ["Fri, 20 Nov 2020 09:00:00 GMT", "the day before", "Wed, 18 Nov 2020 09:00:00 GMT"]
      let items = dates.enumerated().map {
        "<item><guid>\($0)</guid><title>Bird \($0)</title><pubDate>\($1)</pubDate></item>"
      }
      let text = "<rss version=\"2.0\"><channel><title>Birds</title>\(items.joined())</channel></rss>"
      origin.change { $0.documents["/feed"] = ScriptedDocument(text) }
      let ended = try await sandbox.media("feed", "\(origin.url)/feed")
      #expect(ended.status == 0)
      #expect(ended.errors.contains("the date of 1 post cannot be read: "), "\(ended.errors)")
      let posts = try await sandbox.media("list", "--json").objects()
      #expect(posts.map { $0["title"] as? String } == ["Bird 0", "Bird 1", "Bird 2"])
      #expect((posts[1]["created_at"] as? String)?.hasPrefix("2020-11-20") == true)
      let again = try await pull(sandbox, "\(origin.url)/feed")
      #expect((again["posts", "misdated"], again["posts", "unchanged"]) == (1, 3))
      #expect(try await sandbox.media("follow", "\(origin.url)/feed").status == 0)
      let more = text.replacing("<item><guid>0", with: "<item><guid>9</guid><pubDate>now</pubDate></item><item><guid>0")
      origin.change { $0.documents["/feed"] = ScriptedDocument(more) }
      let harvest = try await sandbox.media("harvest")
      #expect(harvest.errors.contains("\(origin.url)/feed: 1 new; 2 dates cannot be read"), "\(harvest.errors)")
    }
  }

  @Test func `a post of which a part is left out is reported`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      let tags = (0..<1001).map { "<category>t\($0)</category>" }.joined()
      let picture = Data(repeating: 7, count: 3 << 20).base64EncodedString()
      let pictures = (0..<3).map { "&lt;img src=\"data:image/png;base64,\(picture)\" alt=\"\($0)\"/&gt;" }.joined()
      let items = [
        "<item><guid>1</guid><title>One</title>\(tags)</item>", "<item><guid>2</guid><title>Two</title></item>",
        "<item><guid>3</guid><title>Three</title><description>\(pictures)</description></item>",
      ]
      origin.change {
        $0.documents["/feed"] = ScriptedDocument(
          "<rss version=\"2.0\"><channel><title>Birds</title>\(items.joined())</channel></rss>")
      }
      let ended = try await sandbox.media("feed", "\(origin.url)/feed", "--no-pictures")
      #expect(ended.errors.contains("2 posts are longer than is kept, 1,000 files"), "\(ended.errors)")
      let line = try await pull(sandbox, "\(origin.url)/feed", "--no-pictures")
      #expect((line["posts", "shortened"], line["posts", "unchanged"]) == (2, 3))
    }
  }

  @Test func `ids that all change make no post double, and a deleted one stays deleted`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([3, 2, 1], origin, tag: "\"1\"")
      _ = try await pull(sandbox, "\(origin.url)/feed")
      #expect(try await sandbox.media("delete", "1").status == 0)
      serve([4, 3, 2, 1], origin, tag: "\"2\"") { $0.id = "urn:new:\($0.number)" }
      let changed = try await pull(sandbox, "\(origin.url)/feed")
      #expect((changed["posts", "new"], changed["posts", "unchanged"], changed["posts", "deleted"]) == (1, 2, 1))
      #expect(try await sandbox.media("list", "--json").lines.count == 3)
      // The new id is known from now on, whatever becomes of the rest.
      serve([4, 3, 2, 1], origin, tag: "\"3\"") {
        ($0.id, $0.link) = ("urn:new:\($0.number)", "\(origin.url)/moved/\($0.number)")
        ($0.number, $0.text) = ($0.number + 30, "other words about \($0.number)")
      }
      let moved = try await pull(sandbox, "\(origin.url)/feed")
      #expect((moved["posts", "new"], moved["posts", "updated"], moved["posts", "deleted"]) == (0, 3, 1))
    }
  }

  @Test
  func `a file without a declared length is fetched again if its item was revised and its server has other bytes`()
    async throws
  {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      let paths = ["/one.pdf", "/builds/2/one.pdf"]
      func serve(file: String, at path: String = "/one.pdf", modified hour: Int) {
        let item = """
          {"id": "1", "content_text": "One", "date_published": "2026-11-01T00:00:00Z",
           "date_modified": "2026-11-02T0\(hour):00:00Z",
           "attachments": [{"url": "\(origin.url)\(path)", "mime_type": "application/pdf"}]}
          """
        origin.change {
          $0.documents[path] = ScriptedDocument("%PDF-1.4 \(file)", type: "application/pdf")
          $0.documents["/feed"] = ScriptedDocument(
            "{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"Files\", \"items\": [\(item)]}",
            type: "application/feed+json")
        }
      }
      func pull() async throws -> (fetched: Int, asked: Int) {
        let before = paths.flatMap { origin.requests(to: $0) }
        #expect(try await sandbox.media("feed", "\(origin.url)/feed", "--quiet").status == 0)
        let after = paths.flatMap { origin.requests(to: $0) }
        let heads = after.count { $0.method == "HEAD" } - before.count { $0.method == "HEAD" }
        return (after.count - before.count - heads, heads)
      }
      serve(file: "first", modified: 1)
      #expect(try await pull() == (1, 0))
      serve(file: "first", modified: 2)
      #expect(try await pull() == (0, 1))
      serve(file: "another", modified: 2)
      #expect(try await pull() == (0, 0))
      serve(file: "another", modified: 3)
      #expect(try await pull() == (1, 1))
      #expect(try await sandbox.sql("SELECT bytes FROM picture") == "\("%PDF-1.4 another".utf8.count)\n")
      // A feed that is built anew may have the same file at another place.
      serve(file: "another", at: "/builds/2/one.pdf", modified: 4)
      #expect(try await pull() == (0, 1))
      serve(file: "a longer one", modified: 5)
      #expect(try await pull() == (1, 1))
      // What cannot be fetched takes nothing away.
      serve(file: "a third one", modified: 6)
      origin.change { $0.troubles = [Trouble.every("/one.pdf", .status(404))] }
      #expect(try await pull() == (0, 1))
      #expect(try await sandbox.sql("SELECT state FROM picture") == "stored\n")
    }
  }

  @Test func `a feed whose posts passed by between two pulls is reported by its title`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([3, 2, 1], origin, tag: "\"1\"")
      _ = try await pull(sandbox, "\(origin.url)/feed")
      serve([9, 8, 7], origin, tag: "\"2\"")
      #expect(try await pull(sandbox, "\(origin.url)/feed", "--new")["complete"] as? Bool == false)
      #expect(try await sandbox.media("gaps").output.contains("Birds of the scripted origin"))
      let gap = try await sandbox.media("gaps", "Birds of the scripted origin", "--json").object()
      #expect((gap["feed"] as? String, gap["kind"] as? String) == ("\(origin.url)/feed", "gap"))
    }
  }

  @Test func `a feed that is gone for good is reported, and its posts stay`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([1], origin, tag: "\"1\"")
      _ = try await pull(sandbox, "\(origin.url)/feed")
      origin.change { $0.troubles = [.every("/feed", .gone)] }
      let ended = try await sandbox.media("feed", "\(origin.url)/feed")
      expect(
        ended, fails: 69, saying: "has taken the feed at /feed away for good", "what came of it stays",
        output: true)
      #expect(origin.requests(to: "/feed").count == 2)
      #expect(try await sandbox.media("list", "--json").lines.count == 1)
    }
  }

  @Test func `a feed that has moved for good is followed, and known by both addresses`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([1], origin, tag: "\"1\"")
      _ = try await pull(sandbox, "\(origin.url)/feed")
      origin.change {
        $0.documents["/new"] = $0.documents["/feed"]
        $0.troubles = [.every("/feed", .status(301, headers: ["Location": "/new"]))]
      }
      for expected in [["/feed", "/new"], ["/feed", "/new"], ["/new"]] {
        let before = origin.requests.count
        #expect(try await pull(sandbox, "\(origin.url)/feed")["feed"] as? String == "\(origin.url)/feed")
        #expect(origin.requests.dropFirst(before).map(\.path) == expected)
      }
      #expect(try await pull(sandbox, "\(origin.url)/new")["feed"] as? String == "\(origin.url)/feed")
    }
  }

  @Test func `the address of a page finds the feed that it names`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([1], origin, tag: "\"1\"")
      origin.change { script in
        script.documents["/"] = .page(naming: "/feed")
        script.documents["/tags/birds"] = ScriptedDocument("<!DOCTYPE html><p>#birds</p>", type: "text/html")
        script.documents["/tags/birds.rss"] = script.documents["/feed"]
        script.documents["/none"] = ScriptedDocument("<!DOCTYPE html><p>Hello</p>", type: "text/html")
      }
      let ended = try await sandbox.media("feed", origin.url, "--json")
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(try ended.object()["feed"] as? String == "\(origin.url)/feed")
      #expect(origin.requests.map(\.path) == ["/", "/feed"])
      #expect(ended.errors.contains("the page names its feed: \(origin.url)/feed"))
      let tag = try await pull(sandbox, "\(origin.url)/tags/birds")
      #expect(tag["feed"] as? String == "\(origin.url)/tags/birds.rss")
      expect(
        try await sandbox.media("feed", "\(origin.url)/none"), fails: 65, saying: "a page that names no feed", "RSS")
    }
  }

  @Test func `an invalid address and options of other commands are refused`() async throws {
    let sandbox = try Sandbox()
    expect(try await sandbox.media("feed", "https://ada:secret@birds.example/feed"), fails: 64, saying: ".netrc")
    expect(try await sandbox.media("feed", "http://"), fails: 64, saying: "is not an address")
    expect(try await sandbox.media("tag", "cats", "--source", "feed"), fails: 64, saying: "media feed URL")
    for flags in [["--server", "birds.example"], ["--account", "ada"], ["--source", "mastodon"]] {
      #expect(try await sandbox.run(["feed", "https://birds.example/feed"] + flags).status == 64, "\(flags)")
    }
  }

  @Test func `a host that asks for patience is left alone for its other feeds`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([1], origin, tag: "\"1\"")
      origin.change { $0.documents["/other"] = $0.documents["/feed"] }
      for path in ["/feed", "/other"] { _ = try await pull(sandbox, "\(origin.url)\(path)") }
      origin.change { $0.troubles = [.every("/feed", .status(429, headers: ["Retry-After": "4000"]))] }
      let before = origin.requests.count
      let ended = try await sandbox.media("feed", "\(origin.url)/feed", "\(origin.url)/other")
      #expect(ended.status == 75, "\(ended.errors)")
      #expect(origin.requests.dropFirst(before).map(\.path) == ["/feed"])
    }
  }
}
