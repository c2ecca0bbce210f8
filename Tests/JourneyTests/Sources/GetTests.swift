import Foundation
import PropertyTesting
import Testing

/// `media get`: whatever a web address shows, by sources of ours and by gallery-dl and yt-dlp from PyPI.
@Suite(.timeLimit(.minutes(10))) struct GetTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// A sandbox that finds both programs, where gallery-dl knows the demo as a server.
  private func sandbox(_ url: String) async throws -> Sandbox {
    var sandbox = try Sandbox()
    let tools = try Running(
      "/bin/bash",
      ["\(Self.root)/Scripts/lib/python-tools", "extractors", "\(Self.root)/Tests/Extractors/requirements.txt"],
      ProcessInfo.processInfo.environment, said: "\(sandbox.said)/tools")
    tools.endInput()
    let made = try await tools.end()
    try #require(made.status == 0, "\(made.errors)")
    let python = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    let folder = URL(fileURLWithPath: python).deletingLastPathComponent().path
    sandbox.environment["PATH"] = "\(folder):\(sandbox.environment["PATH"] ?? "")"
    let home = "\(sandbox.environment["HOME"] ?? "")/.config/gallery-dl"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    try #"{"extractor":{"mastodon":{"demo":{"root":"\#(url)"}}}}"#.write(
      toFile: "\(home)/config.json", atomically: true, encoding: .utf8)
    return sandbox
  }

  private func allow(_ sandbox: Sandbox) async throws {
    for setting in ["extractors", "extractor-config"] {
      #expect(try await sandbox.media("settings", setting, "yes").status == 0)
    }
  }

  @Test func `what a source of ours shows is pulled by it, and a post by itself is asked for`() async throws {
    let outer = try Sandbox()
    let demo = try outer.begin("demo", "--port", "0", "--posts", "60")
    let url = try await demo.line("http://127.0.0.1:")
    let sandbox = try Sandbox()
    let lines = try await sandbox.media("get", "--explain", "--json", "\(url)/tags/cats", "\(url)/@noa").objects()
    #expect(lines.map { $0["feed"] as? String } == ["tag:cats@\(url)", "user:noa@\(url)"])
    #expect(try await sandbox.media("list", "--json").output.isEmpty)

    let pulled = try await sandbox.media("get", "\(url)/tags/cats", "--json")
    #expect(pulled.status == 0, "\(pulled.errors)")
    #expect(try pulled.object()["posts", "new"] ?? 0 > 0)
    let posts = try await sandbox.media("list", "--tag", "cats", "--json").objects()
    let address = try #require(posts.first?["url"] as? String)

    let other = try Sandbox()
    let one = try await other.media("get", address, "--json")
    #expect(one.status == 0, "\(one.errors)")
    #expect(try one.object()["new"] as? Int == 1 && one.object()["pictures"] as? Int ?? 0 > 0)
    let stored = try #require(try await other.media("list", "--json").objects().first)
    #expect(stored["url"] as? String == address)
    let files = stored["attachments"] as? [[String: Any]] ?? []
    #expect(!files.isEmpty && files.allSatisfy { $0["state"] as? String == "stored" })
    #expect(try await other.media("get", address, "--json").object()["unchanged"] as? Int == 1)
    expect(try await other.media("get", "\(url)/@noa/1"), fails: 69, saying: "has no such post")
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  @Test func `other programs read other sites only if the person lets them`() async throws {
    let sandbox = try Sandbox()
    for address in ["oauth:mastodon:x", "r:http://site.example", "file:///etc/passwd", "http:///x"] {
      expect(try await sandbox.media("get", address), fails: 64, saying: "is not an address")
    }
    let secret = try await sandbox.media("get", "https://ann:hush@site.invalid/x")
    #expect(
      secret.status == 64 && secret.errors.contains("holds a name or password") && !secret.errors.contains("hush"))
    expect(
      try await sandbox.media("get", "--with", "gallery-dl", "https://site.invalid/x"), fails: 64,
      saying: "media settings extractors on")
    // A library that somebody passes on cannot let them.
    try FileManager.default.createDirectory(atPath: "\(sandbox.library)/config", withIntermediateDirectories: true)
    try "extractors = \"on\"\n".write(
      toFile: "\(sandbox.library)/config/config.toml", atomically: true, encoding: .utf8)
    var carried = sandbox
    carried.environment["MEDIA_CONFIG"] = nil
    let refused = try await carried.media("get", "--with", "gallery-dl", "https://site.invalid/x")
    #expect(refused.status == 64 && refused.errors.contains("extractors in \(sandbox.library)/config runs nothing"))
  }

  @Test func `gallery-dl's posts and files stream in, and what is known is passed over`() async throws {
    let outer = try Sandbox()
    let demo = try outer.begin("demo", "--port", "0", "--posts", "60")
    let url = try await demo.line("http://127.0.0.1:")
    let sandbox = try await sandbox(url)
    try await allow(sandbox)
    let get = ["get", "--with", "gallery-dl", "\(url)/tags/demo", "--json"]
    let some = try await sandbox.run(get + ["--newest", "6"])
    #expect(some.status == 0, "\(some.errors)")
    #expect(try some.object()["new"] as? Int == 6)
    let posts = try await sandbox.media("list", "--json").objects()
    #expect(posts.count == 6 && posts.allSatisfy { $0["source"] as? String == "mastodon" })
    let files = posts.flatMap { $0["attachments"] as? [[String: Any]] ?? [] }
    #expect(!files.isEmpty && files.allSatisfy { $0["state"] as? String == "stored" })

    let id = try #require(posts[1]["id"] as? Int)
    #expect(try await sandbox.media("delete", "\(id)").status == 0)
    let more = try await sandbox.run(get + ["--newest", "9"]).object()
    #expect([more["new"], more["known"]] as? [Int] == [3, 6])
    #expect(try await sandbox.media("list", "--json").objects().count == 8, "what was deleted stays deleted")

    let rest = try await sandbox.run(get)
    #expect(rest.status == 0, "\(rest.errors)")
    let again = try await sandbox.run(get).object()
    #expect([again["new"], again["known"], again["pictures"]] as? [Int] == [0, 20, 0])
    // The same posts by a source of ours are the same.
    let pull = try await sandbox.media("tag", "demo", "--pages", "2", "--server", url, "--no-avatars", "--json")
    #expect(try pull.object()["posts", "new"] == 0 && pull.object()["media", "downloaded"] == 0)
    #expect(try await sandbox.media("check").status == 0)
    let left = (try? FileManager.default.contentsOfDirectory(atPath: "\(sandbox.library)/extracting")) ?? []
    #expect(left.isEmpty)
    expect(
      try await sandbox.media("get", "--with", "gallery-dl", "\(url)/@nobody"), fails: 69, saying: "is not there")
    #expect(try await !sandbox.media("follows", "--all", "--json").output.contains("nobody"))
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  /// How many new posts, files and files left out a command brings.
  private func brought(_ words: [String], _ sandbox: Sandbox) async throws -> [Int?] {
    let got = try await sandbox.run(words)
    #expect(got.status == 0, "\(got.errors)")
    return try ["new", "pictures", "left_out"].map { try got.object()[$0] as? Int }
  }

  @Test func `files of other kinds are described by gallery-dl, not fetched, and can be had later`() async throws {
    let outer = try Sandbox()
    let demo = try outer.begin("demo", "--port", "0", "--posts", "30")
    let url = try await demo.line("http://127.0.0.1:")
    let sandbox = try await sandbox(url)
    try await allow(sandbox)
    let get = ["get", "--with", "gallery-dl", "\(url)/tags/demo", "--json", "--only"]
    let first = try await brought(get + ["video,audio"], sandbox)
    let leftOut = try #require(first[2])
    #expect(first[0] == 30 && leftOut > 10)
    let files = try await sandbox.media("list", "--json").objects().flatMap {
      $0["attachments"] as? [[String: Any]] ?? []
    }
    let skipped = files.filter { $0["state"] as? String == "skipped" }
    #expect(skipped.count == leftOut && skipped.allSatisfy { $0["kind"] as? String == "image" })
    #expect(skipped.allSatisfy { $0["skipped_for"] as? String == "not among the wanted kinds" })
    #expect(try await brought(get + ["video"], sandbox) == [0, 0, 0])
    #expect(try await brought(get + ["all"], sandbox) == [0, leftOut, 0])
    #expect(try await sandbox.media("check").status == 0)
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  @Test(.serialized, arguments: PropertyTest.seeds(sample: 1, whole: 100))
  func `killed at any moment, the same command again brings what was left`(seed: UInt64) async throws {
    var dice = Dice(state: seed)
    let outer = try Sandbox()
    let demo = try outer.begin("demo", "--port", "0", "--posts", "40")
    let url = try await demo.line("http://127.0.0.1:")
    let sandbox = try await sandbox(url)
    try await allow(sandbox)
    let get = ["get", "--with", "gallery-dl", "\(url)/tags/demo", "--json"]
    let killed = try sandbox.begin(get)
    try await Task.sleep(for: .milliseconds(200 + dice.below(1500)))
    killed.signal(SIGKILL)
    _ = try await killed.end()
    let rest = try await sandbox.run(get + ["--all"])
    #expect(rest.status == 0, "\(rest.errors)")
    let posts = try await sandbox.media("list", "--json").objects()
    let files = posts.flatMap { $0["attachments"] as? [[String: Any]] ?? [] }
    #expect(posts.count >= 40 && files.allSatisfy { $0["state"] as? String == "stored" }, "seed \(seed)")
    #expect(try await sandbox.media("check").status == 0)
    // What the killed run had started may live a little longer, and keeps its folder as long.
    while case let left = try? FileManager.default.contentsOfDirectory(atPath: "\(sandbox.library)/extracting"),
      left?.isEmpty == false
    {
      #expect(try await sandbox.run(get).status == 0)
    }
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  @Test func `yt-dlp brings a film, which is known the next time`() async throws {
    let sandbox = try await sandbox("http://127.0.0.1:1")
    try await allow(sandbox)
    let films = "\(Self.root)/Tests/DerivativesTests/Fixtures"
    let server = try sandbox.start(
      "/usr/bin/env", ["python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", films])
    let greeting = try await server.line("Serving HTTP on")
    let port = try #require(greeting.firstMatch(of: /port (\d+)/)?.1)
    let address = "http://127.0.0.1:\(port)/sound.mp4"
    let got = try await sandbox.media("get", "--with", "yt-dlp", address, "--json")
    #expect(got.status == 0, "\(got.errors)")
    #expect(try got.object()["new"] as? Int == 1)
    let post = try #require(try await sandbox.media("list", "--json").objects().first)
    let file = try #require((post["attachments"] as? [[String: Any]])?.first)
    #expect([file["kind"], file["state"]] as? [String] == ["video", "stored"])
    #expect(try await sandbox.media("get", "--with", "yt-dlp", address, "--json").object()["new"] as? Int == 0)

    let film = ["get", "--with", "yt-dlp", "http://127.0.0.1:\(port)/film.mp4", "--json", "--only"]
    expect(try await sandbox.run(film + ["audio"]), fails: 69, saying: "offers no files of the wanted kinds")
    #expect(try await brought(film + ["image"], sandbox) == [1, 0, 1], "its words are stored")
    #expect(try await brought(film + ["image"], sandbox) == [0, 0, 0], "it is known")
    #expect(try await brought(film + ["all"], sandbox) == [0, 1, 0])
    server.signal(SIGTERM)
    _ = try await server.end()
  }
}

/// Pages of other sites that harvests read, by a program in place of gallery-dl, so that the page can grow and the program can die.
@Suite(.timeLimit(.minutes(5))) struct FollowedPageTests {
  private let sandbox: Sandbox

  init() async throws {
    var sandbox = try Sandbox()
    let folder = "\(sandbox.said)/programs"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // It writes the posts from the highest number down, until it ends or is to end.
    try """
    #!/bin/bash
    most=100000
    while [ $# -gt 0 ]; do [ "$1" = --post-range ] && most=${2#1-}; shift; done
    end=$(cat \(folder)/end 2>/dev/null)
    for ((id = $(cat \(folder)/top), n = 0; id > 0 && n < most; id--, n++)); do
      [ $n = 25 ] && eval "$end"
      printf '{"category":"art","id":%d,"date":"2026-01-02 03:04:05","content":"words","extension":"jpg"}\\n' $id
      printf '{"count":0}\\n'
    done
    """.write(toFile: "\(folder)/gallery-dl", atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/gallery-dl")
    sandbox.environment["PATH"] = "\(folder):/usr/bin:/bin"
    self.sandbox = sandbox
  }

  private func show(_ top: Int, until end: String = "") throws {
    let folder = "\(sandbox.said)/programs"
    try "\(top)".write(toFile: "\(folder)/top", atomically: true, encoding: .utf8)
    try end.write(toFile: "\(folder)/end", atomically: true, encoding: .utf8)
  }

  private func posts() async throws -> Int {
    try await sandbox.media("list", "--json", "--limit", "1000").objects().count
  }

  private func gaps() async throws -> [String?] {
    try await sandbox.media("gaps", "--json").objects().map { $0["kind"] as? String }
  }

  @Test func `a harvest reads a followed page down to what it knew, also after it was stopped half way`() async throws {
    let empty = "\(sandbox.said)/site"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let server = try sandbox.start(
      "/usr/bin/env", ["python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", empty])
    let port = try #require(try await server.line("Serving HTTP on").firstMatch(of: /port (\d+)/)?.1)
    let address = "http://127.0.0.1:\(port)/cats?key=hush"
    expect(try await sandbox.media("follow", address), fails: 69, saying: "has no feed at /cats")
    #expect(try await sandbox.media("settings", "extractors", "yes").status == 0)
    expect(try await sandbox.media("follow", address, "--newest", "3"), fails: 64, saying: "--max-size bound it")
    let followed = try await sandbox.media("follow", address)
    #expect(followed.status == 0 && !followed.output.contains("hush"), "\(followed.errors)")
    server.signal(SIGTERM)
    _ = try await server.end()

    try show(100, until: "exit 1")
    #expect(try await sandbox.media("harvest").status != 0)
    #expect(try await posts() == 25)
    try show(100)
    #expect(try await sandbox.media("harvest").status == 0)
    #expect(try await posts() == 40, "the newest of a new page, also after a harvest that was stopped")
    #expect(try await gaps().isEmpty)

    try show(130, until: "echo 'error: the page changed' >&2; exit 1")
    let failed = try await sandbox.media("harvest")
    #expect(failed.status != 0 && failed.errors.contains("the page changed") && !failed.errors.contains("hush"))
    #expect(try await posts() == 65)
    #expect(try await gaps() == ["unfinished"])
    try show(130)
    #expect(try await sandbox.media("harvest").status == 0)
    #expect(try await posts() == 70, "what lay below the posts of the stopped harvest")
    #expect(try await gaps().isEmpty)

    try show(160, until: "kill -KILL $PPID; exit 1")
    #expect(try await sandbox.media("harvest").status != 0)
    try show(160)
    let filled = try await sandbox.media("gaps", "--fill")
    #expect(filled.status == 0, "\(filled.errors)")
    #expect(try await posts() == 100)
    let quiet = try await sandbox.media("harvest", "--json").object()
    #expect(quiet["posts", "new"] == 0 && quiet["posts", "unchanged"] == 20)
    for words in [["follows"], ["gaps"], ["runs"], ["doctor"]] {
      #expect(try await !sandbox.run(words).output.contains("hush"), "\(words)")
    }
    #expect(try await sandbox.media("check").status == 0)
  }

  @Test func `a followed page can be taken along, and says what it lacks`() async throws {
    try show(3)
    let page = "import:https://art.example/cats"
    #expect(try await sandbox.media("follow", page).status == 0)
    let refused = try await sandbox.media("harvest")
    #expect(refused.status == 64 && refused.errors.contains("media settings extractors on"))
    let forgotten = try await sandbox.media("unfollow", page)
    #expect(forgotten.output.contains("it never returned a post, and is removed"))
    #expect(try await sandbox.media("follow", page).status == 0)
    let file = "\(sandbox.said)/follows.opml"
    #expect(try await sandbox.media("export", "--format", "opml", "--out", file).status == 0)
    let other = try Sandbox()
    let taken = try await other.media("import", file, "--json").object()
    #expect(taken["followed"] as? Int == 1, "\(taken)")
    #expect(try await other.media("follows", "--json").object()["feed"] as? String == page)
    #expect(try await sandbox.media("settings", "extractors", "yes").status == 0)
    let without = try await sandbox.media("harvest", "--no-pictures")
    #expect(without.status == 0 && without.errors.contains("it is left alone"))
    #expect(try await sandbox.media("harvest").status == 0)
    #expect(try await posts() == 3)
  }
}
