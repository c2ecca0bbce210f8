import Foundation
import ScriptedOrigin
import Testing

/// `media export`: where it writes, and what it writes.
@Suite(.timeLimit(.minutes(10))) struct ExportJourneyTests {
  private func written(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The number of posts among the lines of an export.
  private func posts(_ sandbox: Sandbox, _ arguments: String...) async throws -> Int {
    try await sandbox.run(["export"] + arguments).lines.filter { $0.hasPrefix("{\"id\":") }.count
  }

  @Test func `every post is exported, or those that the filters of the list choose`() async throws {
    let sandbox = try Sandbox()
    for index in 1...60 { try await sandbox.media("add", "post \(index)", "--tag", index > 58 ? "late" : "early") }
    #expect(try await posts(sandbox) == 60)
    #expect(try await posts(sandbox, "--tag", "late") == 2)
    #expect(try await posts(sandbox, "--limit", "3") == 3)
    let found = try await sandbox.media("export", "--format", "csv", "--search", "post 7").output
    #expect(found.components(separatedBy: "\r\n").count == 3)
    expect(try await sandbox.media("export", "--limit", "0"), fails: 64, saying: "--limit 0 exports nothing")
    expect(try await sandbox.media("export", "--tag", " "), fails: 64, saying: "--tag is empty")
    expect(try await sandbox.media("export", "--format", "opml", "--tag", "late"), fails: 64, saying: "followed feeds")
  }

  @Test func `a file appears whole, with the permissions that the person's files have, and is not replaced unasked`()
    async throws
  {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a kingfisher")
    let path = "\(sandbox.folder)/all.csv"
    let first = try await sandbox.bash("umask 022; $MEDIA export --format csv --out '\(path)'")
    #expect(first.status == 0 && first.output.isEmpty)
    #expect(first.errors.contains("Wrote 1 post to \(path)"))
    #expect(written(path)?.contains("a kingfisher") == true)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o644)
    try await sandbox.media("add", "a heron")
    expect(try await sandbox.media("export", "--out", path), fails: 64, saying: "exists already", "--force")
    #expect(written(path)?.contains("heron") == false)
    let again = try await sandbox.media("export", "--format", "csv", "--out", path, "--force", "--json").object()
    #expect(again["items"] as? Int == 2 && again["path"] as? String == path)
    #expect(written(path)?.contains("heron") == true)
    expect(
      try await sandbox.media("export", "--out", "\(sandbox.folder)/none/x"), fails: 74, saying: "cannot be written")
    expect(try await sandbox.media("export", "--force"), fails: 64, saying: "--force goes with --out")
  }

  @Test func `what a library holds is exported as a feed, an outbox and a site, and what it follows as OPML`()
    async throws
  {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-avatars")
      try await sandbox.media("follow", "tag:cats@\(origin.url)", "--every", "2h")
      let atom = try await sandbox.media("export", "--format", "atom", "--tag", "cats").output
      #expect(atom.contains("<title>#cats</title>"))
      #expect(atom.components(separatedBy: "<entry").count == 4 && atom.hasSuffix("</feed>\n"))
      let feed = try await sandbox.media("export", "--format", "json-feed").output
      #expect(try JSONSerialization.jsonObject(with: Data(feed.utf8)) is [String: Any])
      let outbox = try await sandbox.media("export", "--format", "activitystreams").output
      #expect(outbox.contains("\"totalItems\":3"))
      try outbox.write(toFile: "\(sandbox.folder)/mine.txt", atomically: true, encoding: .utf8)
      for format in [[], ["--format", "activitystreams"]] {
        let other = ["--library", "\(sandbox.folder)/other\(format.count)", "--json"]
        let come = try await sandbox.run(["import", "\(sandbox.folder)/mine.txt"] + format + other).object()
        #expect(come["new"] as? Int == 3, "\(come)")
      }
      let opml = try await sandbox.media("export", "--format", "opml").output
      #expect(opml.contains("media:feed=\"tag:cats@\(origin.url)\" media:every=\"7200s\""))
      try opml.write(toFile: "\(sandbox.folder)/follows.opml", atomically: true, encoding: .utf8)
      let elsewhere = ["--library", "\(sandbox.folder)/other", "--json"]
      let list = ["import", "\(sandbox.folder)/follows.opml"]
      #expect(try await sandbox.run(list + elsewhere).object()["followed"] as? Int == 1)
      #expect(try await sandbox.run(list + elsewhere).object()["followed_before"] as? Int == 1)
      let follow = try await sandbox.run(["follows"] + elsewhere).object()
      #expect(follow["feed"] as? String == "tag:cats@\(origin.url)" && follow["every"] as? Int == 7200)
      let folder = "\(sandbox.folder)/site"
      let site = try await sandbox.media("export", "--format", "html", "--out", folder)
      #expect(site.status == 0 && site.errors.contains("Wrote 3 posts to \(folder)"), "\(site.errors)")
      #expect(written("\(folder)/index.html")?.contains("href=\"post/1.html\"") == true)
      let again = try await sandbox.media("export", "--format", "html", "--out", folder, "--json").object()
      #expect(again["written"] as? Int == 0)
      expect(
        try await sandbox.media("export", "--format", "html", "--out", sandbox.folder), fails: 64,
        saying: "holds files that are not of a site", "--force")
      expect(try await sandbox.media("export", "--format", "html"), fails: 64, saying: "html needs a folder")
      try await sandbox.media("add", "by hand")
      let archive = try await sandbox.media("export", "--format", "warc", "--out", "\(sandbox.folder)/x.warc", "--json")
      #expect(try archive.object()["items"] as? Int == 3, "what was made by hand has no address")
    }
  }

  @Test func `a reader that closes the pipe ends the export without an error`() async throws {
    let sandbox = try Sandbox()
    for index in 1...300 { try await sandbox.media("add", "post \(index) \(String(repeating: "words ", count: 80))") }
    let ended = try await sandbox.bash("$MEDIA export | head -n 1 > /dev/null; echo ${PIPESTATUS[0]}")
    #expect(ended.output == "0\n" && ended.errors.isEmpty)
  }

  @Test func `text that steers a terminal is not sent to one`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "bell \u{7} and \u{1B}[31mred", "--at", "2026-01-02")
    let ended = try await sandbox.bash("script -qec '$MEDIA export --format csv' /dev/null")
    #expect(ended.output.contains("bell"))
    #expect(!ended.output.contains("\u{1B}[31m") && !ended.output.contains("\u{7}"))
  }
}
