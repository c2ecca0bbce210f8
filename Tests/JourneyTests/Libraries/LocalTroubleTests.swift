import Folders
import Foundation
import Harvest
import Migrations
import Posts
import ScriptedOrigin
import Testing

@testable import Storage

/// Exit code 74: the disk or the library is unusable.
@Suite(.timeLimit(.minutes(10))) struct LocalTroubleTests {
  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"))
  func `a full disk ends with 74, and what came stays`() async throws {
    try await withOrigin(Script(posts: 120, padding: 50_000)) { origin in
      let disk = try SmallDisk(bytes: 4 << 20)
      var sandbox = try Sandbox()
      sandbox.environment["MEDIA_HOME"] = "\(disk.scratch.path)/library"
      let ended = try await sandbox.media("tag", "cats", "--pages", "3", "--json", "--server", origin.url)
      expect(ended, fails: 74, saying: "the disk is full, \(sandbox.library)", "free some space", output: true)
      let summary = try ended.object()
      #expect(summary["media", "downloaded"] ?? 0 > 0)
      let listed = try await sandbox.media("list", "--json", "--limit", "1000").objects()
      #expect(listed.count == summary["posts", "new"])
      let stored = listed.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
        .filter { $0["state"] as? String == "stored" }
      #expect(Set(stored.compactMap { $0["path"] as? String }).count == summary["media", "downloaded"])
      for picture in stored {
        let bytes = FileManager.default.contents(atPath: "\(sandbox.library)/\(picture["path"] as? String ?? "")")
        #expect(bytes.map { Picture.sha256(Array($0)) } == picture["sha256"] as? String)
      }
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"))
  func `on a full disk what reads reads, what writes says that the disk is full, and gc frees space`() async throws {
    // The garbage must exceed what a transaction needs: the pictures of three posts do.
    let script = Script.each(26, padding: 60_000)
    try await withOrigin(script) { origin in
      // Twenty posts are pulled, with a gap among them.
      origin.change { $0.posts.removeFirst(10) }
      origin.change { $0.documents["/feed"] = .rss([ScriptedItem(1, at: origin.url)], entityTag: "\"1\"") }
      let disk = try SmallDisk(bytes: 16 << 20)
      var sandbox = try Sandbox()
      sandbox.environment["MEDIA_HOME"] = "\(disk.scratch.path)/library"
      sandbox.environment["MEDIA_CONFIG"] = nil
      try await sandbox.media("tag", "cats", "--server", origin.url)
      let token = ["login", origin.url, "--token-stdin"]
      #expect(try await sandbox.run(token, input: "scripted-token\n").status == 0)
      origin.change { $0.posts = script.posts }
      try await sandbox.media("tag", "cats", "--new", "--pages", "1", "--page-size", "4", "--server", origin.url)
      for setting in ["trash", "gc-grace"] { try await sandbox.media("settings", setting, "0s") }
      try await sandbox.media("delete", "1", "2", "3")
      try await sandbox.media("follow", "cats@\(origin.url)", "--unchecked")
      try disk.fill(leaving: 0)
      for command in [
        ["list"], ["list", "--json"], ["show", "5"], ["stats"], ["gaps"], ["runs"], ["follows"], ["settings"],
        ["check"], ["accounts"], ["gc", "--dry-run"],
      ] {
        let ended = try await sandbox.run(command)
        #expect(ended.status == 0, "\(command): \(ended.errors)")
      }
      #expect(try await sandbox.media("list", "--json").lines.count == 17)
      let following = try sandbox.begin("list", "--follow", "--json")
      try await following.says("\"listed\"")
      following.signal(SIGINT)
      #expect(try await following.end().status == 130)
      for command in [
        ["add", "second bird"], ["delete", "5"], ["restore", "1"], ["follow", "dogs@\(origin.url)", "--unchecked"],
        ["settings", "view", "grid"], ["tag", "cats", "--server", origin.url], ["recheck"], ["harvest"],
        ["feed", "\(origin.url)/feed"], ["user", "user2", "--server", origin.url],
        ["search", "river", "--server", origin.url], ["unfollow", "cats@\(origin.url)"], ["gaps", "--fill"],
        ["check", "--repair"],
      ] {
        let ended = try await sandbox.run(command)
        expect(ended, fails: 74, saying: "the disk is full, \(sandbox.library)", "free some space")
        #expect(ended.status == 74, "\(command)")
      }
      expect(
        try await sandbox.run(token, input: "scripted-token\n"), fails: 74,
        saying: "the disk is full, \(sandbox.library)/config", "free some space")
      expect(
        try await sandbox.media("logout", origin.url), fails: 74,
        saying: "the disk is full, \(sandbox.library)/config", "free some space")
      let freed = try await sandbox.media("gc", "--json")
      #expect(freed.status == 0, "\(freed.errors)")
      let object = try freed.object()
      #expect(object["trashed"] as? Int == 3)
      #expect(object["blobs"] as? Int == 3)
      #expect(object["bytes"] as? Int ?? 0 > 0)
      #expect(try await sandbox.media("check").status == 0)
      #expect(try await sandbox.media("list", "--json").lines.count == 17)
      #expect(try await sandbox.media("add", "second bird").status == 0)
    }
  }

  @Test(
    .enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"),
    .enabled(if: Tmux.isThere, "tmux is not installed"), arguments: [true, false])
  func `the list says of each write that the disk is full, and shows what it has`(isFullBefore: Bool) async throws {
    let disk = try SmallDisk(bytes: 4 << 20)
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_HOME"] = "\(disk.scratch.path)/library"
    for number in 1...2 { try await sandbox.media("add", "bird number \(number)") }
    if isFullBefore { try disk.fill(leaving: 0) }
    try await withTmux(sandbox) { tmux in
      try await tmux.enter("$MEDIA list --no-animation; echo status $?")
      try await tmux.shows("bird number 2")
      if !isFullBefore { try disk.fill(leaving: 0) }
      try await tmux.press("d")
      try await tmux.shows("the disk is full")
      try await tmux.shows("bird number 2")
      try await tmux.press("Down")
      try await tmux.shows("the disk is full", gone: true)
      try await tmux.type("a")
      try await tmux.type("one more bird on the roof")
      try await tmux.press("Enter")
      try await tmux.shows("the disk is full")
      try await tmux.press("Escape")
      try await tmux.press("q")
      try await tmux.shows("status 0")
    }
    #expect(try await sandbox.media("list", "--json").lines.count == 2)
    try disk.empty()
    #expect(try await sandbox.media("check").status == 0)
  }

  @Test(.inFolders, arguments: [true, false])
  func `a pull goes on in its library when the folder is renamed`(isTaken: Bool) async throws {
    var script = Script.each(60)
    script.troubles = [.nth(20, "/media", .held)]
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      let pull = try sandbox.begin("tag", "cats", "--page-size", "40", "--pages", "2", "--server", origin.url)
      while origin.requests(to: "/media").count < 20, pull.isRunning { try await Task.sleep(for: .milliseconds(5)) }
      let moved = "\(sandbox.folder)/moved"
      #expect(rename(sandbox.library, moved) == 0)
      // Another library replaces the first one.
      if isTaken { try await sandbox.media("add", "first bird") }
      origin.change { $0.troubles = [] }
      let ended = try await pull.end()
      #expect(ended.status == 0, "\(ended.errors)")
      let listed = try await sandbox.media("list", "--json", "--limit", "1000", "--library", moved).objects()
      let pictures = listed.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
      #expect(listed.count == 60)
      #expect(pictures.allSatisfy { $0["state"] as? String == "stored" })
      #expect(try await sandbox.media("check", "--library", moved).status == 0)
      #expect(FileManager.default.fileExists(atPath: sandbox.library) == isTaken)
      #expect(!FileManager.default.fileExists(atPath: "\(sandbox.library)/blobs"))
      #expect(try await sandbox.media("list", "--json").lines.count == (isTaken ? 1 : 0))
    }
  }

  @Test(.inFolders) func `a harvest takes its locks in its library when the folder is renamed`() async throws {
    var script = Script.each(3)
    script.troubles = [.every("/api/v1/timelines/tag", .held)]
    for index in script.posts.indices { script.posts[index].tags.append("dogs") }
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      for tag in ["cats", "dogs"] { try await sandbox.media("follow", "\(tag)@\(origin.url)", "--unchecked") }
      let harvest = try sandbox.begin("harvest", "--no-pictures")
      let timelines = "/api/v1/timelines/tag"
      while origin.requests(to: timelines).isEmpty, harvest.isRunning { try await Task.sleep(for: .milliseconds(5)) }
      let moved = "\(sandbox.folder)/moved"
      #expect(rename(sandbox.library, moved) == 0)
      try await sandbox.media("add", "first bird")
      let first = try #require(origin.requests(to: timelines).first?.path.hasSuffix("cats") == true ? "cats" : "dogs")
      let second = first == "cats" ? "dogs" : "cats"
      origin.change { $0.troubles = [.every("\(timelines)/\(second)", .held)] }
      while origin.requests(to: "\(timelines)/\(second)").isEmpty, harvest.isRunning {
        try await Task.sleep(for: .milliseconds(5))
      }
      let feed = Feed(source: .mastodon, kind: .tag, value: second, server: try #require(Server(origin.url)))
      #expect(FeedLocks(library: moved).isHeld(feed))
      #expect(!FeedLocks(library: sandbox.library).isHeld(feed))
      origin.change { $0.troubles = [] }
      let ended = try await harvest.end()
      #expect(ended.status == 0, "\(ended.errors)")
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"))
  func `a disk that may not be written ends a pull with 74`() async throws {
    let disk = try SmallDisk(bytes: 4 << 20)
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_HOME"] = "\(disk.scratch.path)/library"
    try await sandbox.media("add", "first bird")
    try disk.makeReadOnly()
    expect(try await sandbox.media("add", "second bird"), fails: 74, saying: "\(sandbox.library)", "may not be written")
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func `a folder of somebody else's ends with 74`() async throws {
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_HOME"] = "/usr/media"
    expect(
      try await sandbox.media("add", "first bird"), fails: 74, saying: "/usr/media may not be written", "--library")
  }

  @Test(.inFolders) func `commands that only read need no OpenSSL, and others say that it is missing`() async throws {
    var sandbox = try Sandbox()
    try await sandbox.media("add", "first bird")
    let broken = try Scratch()
    for version in 1...9 { try Data().write(to: URL(filePath: "\(broken.path)/libcrypto.so.\(version)")) }
    sandbox.environment["LD_LIBRARY_PATH"] = broken.path
    #expect(try await sandbox.media("list").output.contains("first bird"))
    let ended = try await sandbox.media("tag", "cats", "--server", "http://127.0.0.1:9")
    expect(ended, fails: 74, saying: "libcrypto", "install it again")
  }

  @Test(.inFolders) func `a library of a newer version ends with 74 and stays as it is`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "first bird")
    let future =
      Migration.all + [Migration(to: 900, name: "v900_future", sql: "CREATE TABLE future (id INTEGER) STRICT;")]
    _ = try Store.open(
      library: sandbox.library, for: .writing, migrations: future, now: .init(timeIntervalSince1970: 0))
    for command in [["list"], ["add", "second bird"], ["tag", "cats", "--server", "http://127.0.0.1:9"]] {
      expect(try await sandbox.run(command), fails: 74, saying: "made by a newer version of media", "update media")
    }
  }

  @Test(.inFolders) func `a file that is not a library ends with 74 and stays as it is`() async throws {
    let sandbox = try Sandbox()
    let text = "Dear diary, this is a text that is longer than the head of a library."
    try FileManager.default.createDirectory(atPath: sandbox.library, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(sandbox.library)/media.sqlite"))
    for command in [["list"], ["add", "first bird"], ["stats", "--json"]] {
      expect(try await sandbox.run(command), fails: 74, saying: "is not a media library", "--library")
    }
    let left = FileManager.default.contents(atPath: "\(sandbox.library)/media.sqlite")
    #expect(left.map { String(decoding: $0, as: UTF8.self) } == text)
  }

  @Test(.inFolders) func `a damaged library ends with 74 and says so`() async throws {
    let sandbox = try Sandbox()
    for number in 1...30 { try await sandbox.media("add", "bird number \(number)") }
    let path = "\(sandbox.library)/media.sqlite"
    let whole = try #require(FileManager.default.contents(atPath: path))
    let damaged = whole.prefix(200) + Data(repeating: 0x5A, count: whole.count - 200)
    try damaged.write(to: URL(fileURLWithPath: path))
    for command in [["list"], ["add", "second bird"], ["stats"]] {
      expect(try await sandbox.run(command), fails: 74, saying: path, "damaged")
    }
  }

  @Test(.inFolders) func `--library goes before MEDIA_HOME`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "first bird", "--library", "\(sandbox.folder)/other")
    #expect(try await sandbox.media("list", "--json").output.isEmpty)
    #expect(try await sandbox.media("list", "--json", "--library", "\(sandbox.folder)/other").lines.count == 1)
    #expect(!FileManager.default.fileExists(atPath: sandbox.library))
  }

  @Test(.inFolders) func `a library that is a file ends with 74`() async throws {
    let sandbox = try Sandbox()
    try Data("x".utf8).write(to: URL(fileURLWithPath: sandbox.library))
    expect(try await sandbox.media("add", "first bird"), fails: 74, saying: sandbox.library)
  }
}
