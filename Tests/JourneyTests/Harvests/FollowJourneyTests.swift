import Foundation
import ScriptedOrigin
import Testing

/// Following feeds as users do.
@Suite(.timeLimit(.minutes(10))) struct FollowJourneyTests {
  @Test func `a followed feed is listed with its interval, and following it again changes that`() async throws {
    let sandbox = try Sandbox()
    #expect(try await sandbox.media("follows").errors.contains("Nothing is followed yet"))
    let first = try await sandbox.media("follow", "cats@a.example", "--unchecked")
    #expect((first.status, first.errors) == (0, ""))
    #expect(
      first.output == """
        tag:cats@a.example is followed, as often as it brings something (now every 1 h): "media harvest" pulls it

        """)
    let again = try await sandbox.media("follow", "#Cats@a.example")
    #expect(again.output.contains("is followed already"))
    let changed = try await sandbox.media("follow", "cats", "--every", "15m")
    #expect((changed.status, changed.output) == (0, "tag:cats@a.example is followed, now every 15 m\n"))
    let report = try await sandbox.media("follows")
    #expect(
      report.lines.last?.split(separator: " ").joined(separator: " ")
        == "tag:cats@a.example 15 m never now not looked at yet")
    let line = try await sandbox.media("follows", "--json").object()
    #expect((line["feed"] as? String, line["every"] as? Int) == ("tag:cats@a.example", 900))
    #expect(line["last"] is NSNull)
    #expect(try await sandbox.media("unfollow", "cats").status == 0)
    expect(try await sandbox.media("unfollow", "cats"), fails: 64, saying: "\"cats\" is not followed", "media follows")
    #expect(try await sandbox.media("follows", "--json").output.isEmpty)
  }

  @Test func `feeds that are not followed are shown with what of them is complete`() async throws {
    try await withOrigin(Script(posts: 6)) { origin in
      let sandbox = try Sandbox()
      #expect(try await sandbox.media("follows", "--all").errors.contains("Nothing is followed yet"))
      try await sandbox.media("tag", "cats", "--all", "--no-pictures", "--no-avatars", "--server", origin.url)
      #expect(try await sandbox.media("follows", "--json").output.isEmpty)
      let line = try await sandbox.media("follows", "--all", "--json").object()
      #expect(line["feed"] as? String == "tag:cats@\(origin.url)")
      #expect((line["followed"] as? Bool, line["gaps"] as? Int) == (false, 0))
      let complete = try #require(line["complete"] as? [[String: any Sendable]])
      #expect(complete.count == 1 && complete[0]["from"] == nil && complete[0]["to"] is String)
      let table = try await sandbox.bash("COLUMNS=80 $MEDIA follows --all")
      let words = table.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.hasSuffix("complete from the beginning"), "\(table.output)")
      try await sandbox.media("follow", "tag:cats@\(origin.url)")
      let lines = try await sandbox.media("follows", "--all", "--json").objects()
      #expect(lines.count == 1 && lines[0]["followed"] == nil)
    }
  }

  @Test(arguments: ["", " ", "cats", "search:red panda"])
  func `a text without feed or server is refused with an example that works`(text: String) async throws {
    let sandbox = try Sandbox()
    let isBlank = text.allSatisfy { $0 == " " }
    expect(
      try await sandbox.media("follow", text), fails: 64, saying: isBlank ? "no feed is named" : "no server is named",
      "write one such as cats@mastodon.social, or an address")
    if isBlank { expect(try await sandbox.media("unfollow", text), fails: 64, saying: "no feed is named") }
  }

  @Test(arguments: [
    ("user:birds@photos.example", "user:birds@photos.example"),
    ("search:red panda@a.example", "search:red panda@a.example"),
    ("tag:cats@http://127.0.0.1:9", "tag:cats@http://127.0.0.1:9"),
    ("cats@http://127.0.0.1:9", "tag:cats@http://127.0.0.1:9"),
    ("tag:cats@instagram+http://127.0.0.1:9", "tag:cats@instagram+http://127.0.0.1:9"),
  ])
  func `feeds are named as everywhere`(text: String, name: String) async throws {
    let sandbox = try Sandbox()
    let ended = try await sandbox.media("follow", text, "--json", "--unchecked")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(try ended.object()["feed"] as? String == name)
  }

  @Test func `an address is that of a feed, or of a page that names one`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      origin.change {
        $0.documents["/"] = .page(naming: "\(origin.url)/feed")
        $0.documents["/feed"] = .rss([ScriptedItem(1, at: origin.url)])
      }
      let ended = try await sandbox.media("follow", origin.url, "--json")
      #expect(try ended.object()["feed"] as? String == "\(origin.url)/feed")
      #expect(try await sandbox.media("harvest", "--json").object()["posts", "new"] == 1)
    }
  }

  @Test(.inFolders) func `wrong arguments are refused`() async throws {
    let sandbox = try Sandbox()
    expect(try await sandbox.media("follow", "cats"), fails: 64, saying: "no server is named")
    expect(
      try await sandbox.media("follow", "cats@a.example", "--every", "soon"), fails: 64,
      saying: "--every soon is not a time"
    )
    expect(try await sandbox.media("follow", "cats@a.example", "--every", "30s"), fails: 64, saying: "60s or more")
    expect(
      try await sandbox.media("follow", "cats@a.example", "--source", "myspace"), fails: 64, saying: "is not a source")
    expect(try await sandbox.media("unfollow", "dogs"), fails: 64, saying: "\"dogs\" is not followed")
    #expect(!FileManager.default.fileExists(atPath: sandbox.library))
    for server in ["a.example", "b.example"] { try await sandbox.media("follow", "cats@\(server)", "--unchecked") }
    expect(try await sandbox.media("follow", "cats"), fails: 64, saying: "may mean 2 feeds", "tag:cats@a.example")
    expect(try await sandbox.media("unfollow", "cats"), fails: 64, saying: "may mean 2 feeds")
  }

  @Test func `a first pull that reaches no server leaves nothing behind`() async throws {
    let sandbox = try Sandbox()
    let feed = "dmeo@http://127.0.0.1:1"
    expect(
      try await sandbox.media("tag", "dmeo", "--server", "http://127.0.0.1:1"), fails: 69, saying: "refused",
      output: true
    )
    let run = try await sandbox.media("runs", "--json").object()
    #expect(run["kind"] as? String == "pull" && run["code"] as? Int == 69 && run["feeds", "failed"] == 1)
    #expect(run["feed"] as? String == "tag:\(feed)")
    #expect(try await sandbox.media("runs").output.contains("by hand, failed: tag:\(feed)"))
    let verbose = try await sandbox.media("runs", "--verbose", "--limit", "5")
    #expect(verbose.errors == "Nothing was harvested yet.\n", "\(verbose.output)")
    #expect(try await sandbox.media("runs", "1").output.contains("dmeo"))
    #expect(try await sandbox.media("runs", "--last").errors == "Nothing was harvested yet.\n")
    #expect(try await sandbox.media("gaps", "--fill").errors.contains("Nothing is known to be missing"))
    #expect(try await sandbox.media("follows", "--all", "--json").output.isEmpty)
    expect(try await sandbox.media("unfollow", feed), fails: 64, saying: "is not followed")
    // A name in short means no feed of a server that never answered.
    expect(try await sandbox.media("follow", "dmeo"), fails: 64, saying: "no server is named")
    #expect(try await sandbox.media("harvest", feed, "--quiet").status == 69)
    #expect(try await sandbox.media("runs", "--json").objects().map { $0["kind"] as? String } == ["harvest", "pull"])
    #expect(try await sandbox.media("follows", "--all", "--json").output.isEmpty)
  }

  @Test func `a followed feed that never returned a post is removed when it is no longer followed`() async throws {
    let sandbox = try Sandbox()
    let feed = "cats@http://127.0.0.1:9"
    try await sandbox.media("follow", feed, "--unchecked")
    #expect(try await sandbox.media("harvest", "--quiet").status == 69)
    #expect(try await sandbox.media("gaps").errors.contains("Nothing is known to be missing"))
    let line = try await sandbox.media("follows", "--json").object()
    #expect(line["last"] is NSNull && line["failed_at"] is String)
    let row = try await sandbox.media("follows").lines.last?.split(separator: " ")
    #expect(row?.contains("never") == false, "it was tried: \(row ?? [])")
    let ended = try await sandbox.media("unfollow", feed)
    #expect(ended.output == "tag:\(feed) is no longer followed, it never returned a post, and is removed\n")
  }

  @Test func `gaps names what forgets a feed that never answered`() async throws {
    let later = Trouble.every("/api/v1/timelines", .status(429, headers: ["Retry-After": "4000"]))
    try await withOrigin(Script(troubles: [later])) { origin in
      let sandbox = try Sandbox()
      let feed = "tag:cats@\(origin.url)"
      #expect(try await sandbox.media("tag", "cats@\(origin.url)").status == 75)
      let gaps = try await sandbox.media("gaps")
      #expect(gaps.output.contains("unfinished"))
      #expect(gaps.errors.contains("\(feed) never answered: \"media unfollow \(feed)\" forgets it."), "\(gaps.errors)")
      #expect(try await sandbox.media("unfollow", feed).output == "\(feed): it never returned a post, and is removed\n")
      #expect(try await sandbox.media("gaps").errors.contains("Nothing is known to be missing"))
    }
  }

  @Test func `a server is asked once whether it has what is to be followed`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try Sandbox()
      let unknown = "user:nobody@\(origin.url)"
      expect(try await sandbox.media("follow", unknown), fails: 69, saying: "or no longer", "spelt", "--unchecked")
      let bare = origin.url.dropFirst("http://".count)
      expect(
        try await sandbox.media("follow", "cats@\(bare)"), fails: 69, saying: "does not speak https", origin.url)
      expect(try await sandbox.media("follow", "cats@http://127.0.0.1:1"), fails: 69, saying: "refused", "--unchecked")
      #expect(try await sandbox.media("follows", "--json").output.isEmpty)
      let before = origin.requests(to: "/api").count
      #expect(try await sandbox.media("follow", "cats@\(origin.url)").status == 0)
      #expect(origin.requests(to: "/api").count == before + 1)
      #expect(try await sandbox.media("follow", "cats", "--every", "1h").status == 0)
      #expect(try await sandbox.media("follow", unknown, "--unchecked").status == 0)
      #expect(origin.requests(to: "/api").count == before + 1)
      origin.change { $0.requiresToken = true }
      expect(try await sandbox.media("follow", "birds@\(origin.url)"), fails: 77, saying: "media login", "--unchecked")
      origin.change { $0.troubles = [.every("/api", .status(429, headers: ["Retry-After": "4000"]))] }
      let busy = try await sandbox.media("follow", "dogs@\(origin.url)")
      #expect((busy.status, busy.errors.contains("it is followed unasked")) == (0, true), "\(busy.errors)")
    }
  }

  @Test(arguments: ["", "/feed"])
  func `what a server showed when it was asked is pulled if it has no time for more`(page: String) async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try Sandbox()
      let items = (1...3).map { "<item><guid>\($0)</guid><title>Bird \($0)</title></item>" }.joined()
      origin.change {
        $0.documents["/feed"] = ScriptedDocument("<rss version=\"2.0\"><channel>\(items)</channel></rss>")
      }
      if page.isEmpty { try await sandbox.media("login", origin.url, "--token-stdin", input: "scripted-token\n") }
      let feed = page.isEmpty ? "cats@\(origin.url)" : origin.url + page
      #expect(try await sandbox.media("follow", feed).status == 0)
      let kept = try await sandbox.bash(
        "cd \(sandbox.folder); find . -path '*/cache/answers/*' -printf '%m\\n' -exec grep -F scripted-token {} +")
      #expect(kept.output == "600\n", "\(kept.output)\(kept.errors)")
      origin.change {
        $0.troubles = [.every(page.isEmpty ? "/api" : page, .status(429, headers: ["Retry-After": "3000"]))]
      }
      let harvest = try await sandbox.media("harvest", "--json")
      #expect(harvest.status == 0, "\(harvest.errors)")
      #expect(try await sandbox.media("list", "--json").objects().count == 3)
      // It was the answer of one pull.
      try await sandbox.media("follow", feed, "--every", "1m")
      #expect(try await sandbox.sql("UPDATE follow SET due_at = '2000-01-01T00:00:00.000Z'") == "")
      #expect(try await sandbox.media("harvest").status == 75)
    }
  }

  @Test func `a name with an unknown kind is told the kinds there are`() async throws {
    let sandbox = try Sandbox()
    expect(
      try await sandbox.media("follow", "foo:bar@a.example"), fails: 64, saying: "no kind of feed named \"foo\"",
      "tag:, user: or search:")
  }

  @Test func `a failing feed that another command reads fails no longer, and a new interval is its next try`()
    async throws
  {
    try await withOrigin(Script(posts: 50)) { origin in
      let sandbox = try Sandbox()
      let feed = "cats@\(origin.url)"
      func state() async throws -> [String: any Sendable] { try await sandbox.media("follows", "--json").object() }
      try await sandbox.media("follow", feed)
      origin.change { $0.troubles = [.every("/api", .status(404, body: "{\"error\":\"no\"}"))] }
      #expect(try await sandbox.media("harvest", "--quiet").status == 69)
      #expect(try await state()["state"] as? String == "failing")
      let whole = try await sandbox.media("follows").output
      #expect(whole.contains("tag:\(feed)") && whole.contains("check how it is spelt"), "\(whole)")
      let far = try #require(try await state()["next"] as? String)
      try await sandbox.media("follow", feed, "--every", "1m")
      let near = try #require(try await state()["next"] as? String)
      #expect(near < far)
      origin.change { $0.troubles = [] }
      #expect(try await sandbox.media("tag", feed, "--no-pictures", "--no-avatars").status == 0)
      let well = try await state()
      #expect((well["state"] as? String, well["failures"] as? Int) == ("new", 0))
      #expect(try await sandbox.media("harvest", "--due", "--quiet", "--no-pictures").status == 0)
      #expect(try await state()["state"] as? String == "well")
    }
  }

  @Test(.inFolders) func `a feed that is being pulled is not forgotten`() async throws {
    let sandbox = try Sandbox()
    let feed = "cats@http://127.0.0.1:9"
    #expect(try await sandbox.media("tag", feed).status != 0)
    try await sandbox.sql(
      """
      INSERT INTO feed (name, source, kind, value, server)
      VALUES ('tag:\(feed)', 'mastodon', 'tag', 'cats', 'http://127.0.0.1:9')
      """)
    let locked = "exec 9<>\"$1\"; flock 9; \"$MEDIA\" unfollow '\(feed)'"
    let locks = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.library)/locks")
    let lock = try #require(locks.first { $0.hasPrefix("feed-") })
    let ended = try await sandbox.bash(locked.replacing("$1", with: "\(sandbox.library)/locks/\(lock)"))
    #expect(ended.status == 64)
    #expect(try await sandbox.media("unfollow", feed).status == 0)
  }

  @Test func `a feed that brought something stays known when it is followed no longer`() async throws {
    try await withOrigin(Script(posts: 50)) { origin in
      let sandbox = try Sandbox()
      let feed = "cats@\(origin.url)"
      try await sandbox.media("tag", feed, "--pages", "1", "--no-pictures")
      let gaps = try await sandbox.media("gaps", "--json").output
      expect(try await sandbox.media("unfollow", feed), fails: 64, saying: "is not followed")
      try await sandbox.media("follow", feed)
      let ended = try await sandbox.media("unfollow", feed, "--json").object()
      #expect((ended["unfollowed"] as? String, ended["forgotten"] as? Bool) == ("tag:\(feed)", false))
      #expect(try await sandbox.media("gaps", "--json").output == gaps)
    }
  }

  @Test func `Instagram is looked at every twenty hours, whatever was wished`() async throws {
    let sandbox = try Sandbox()
    let feed = "tag:cats@instagram+http://127.0.0.1:9"
    let ended = try await sandbox.media("follow", feed, "--every", "3d", "--unchecked")
    #expect(ended.output.contains("every 20 h"))
    #expect(ended.errors.contains("every 20 h at least"))
  }
}
