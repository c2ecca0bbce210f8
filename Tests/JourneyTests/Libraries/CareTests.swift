import Folders
import Foundation
import SQLite
import Testing

@testable import ScriptedOrigin
@testable import Storage

/// Damaging, checking, repairing and tidying a library with the built command.
@Suite(.timeLimit(.minutes(10))) struct CareTests {
  /// A sandbox that has pulled 40 posts.
  private func newSandbox(_ origin: Origin) async throws -> Sandbox {
    let sandbox = try Sandbox()
    let ended = try await sandbox.media("tag", "cats", "--server", origin.url)
    try #require(ended.status == 0, "\(ended.errors)")
    return sandbox
  }

  private func shown(_ sandbox: Sandbox) async throws -> [(post: Int, path: String, sha256: String)] {
    try await sandbox.media("list", "--json", "--limit", "1000").objects().flatMap { post in
      (post["attachments"] as? [[String: any Sendable]] ?? []).compactMap { attachment in
        guard let id = post["id"] as? Int, let path = attachment["path"] as? String,
          let hash = attachment["sha256"] as? String
        else { return nil }
        return (id, path, hash)
      }
    }
  }

  /// Writes to the store in a way that no command does.
  private func spoil(_ sandbox: Sandbox, _ sql: String) throws {
    let store = try Store.open(library: sandbox.library, now: .init(timeIntervalSince1970: 0))
    defer { store.close() }
    try store.writer.use { try $0.execute("PRAGMA foreign_keys = OFF; \(sql)") }
  }

  private func flip(_ path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count / 2] ^= 4
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  @Test(.inFolders) func `a flipped bit, a missing picture, an orphan and a wrong reference are named, and mended`()
    async throws
  {
    try await withOrigin(Script.each(40)) { origin in
      let sandbox = try await newSandbox(origin)
      let whole = try await sandbox.media("check")
      #expect((whole.status, whole.errors) == (0, ""))
      #expect(whole.output.hasPrefix("Everything is in order: 40 posts, "))
      let pictures = try await shown(sandbox)
      try flip("\(sandbox.library)/\(pictures[0].path)")
      try FileManager.default.removeItem(atPath: "\(sandbox.library)/\(pictures[1].path)")
      let stray = Picture.sha256([1, 2, 3])
      try FileManager.default.createDirectory(
        atPath: "\(sandbox.library)/blobs/\(stray.prefix(2))", withIntermediateDirectories: true)
      let orphan = "blobs/\(stray.prefix(2))/\(stray.dropFirst(2))"
      try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(sandbox.library)/\(orphan)"))
      // The check ignores files that are younger than itself.
      try await age("\(sandbox.library)/\(orphan)")
      try spoil(sandbox, "DELETE FROM blob WHERE sha256 = '\(pictures[2].sha256)'")
      let named = try await sandbox.media("check", "--json")
      #expect(named.status == 1)
      let kinds = try named.objects().map { "\($0["kind"] as? String ?? "") \($0["path"] as? String ?? "")" }
      #expect(
        Set(kinds) == [
          "blob-bytes \(pictures[0].path)", "blob-missing \(pictures[1].path)", "orphan \(orphan)", "reference ",
          // Only its row was removed.
          "orphan \(pictures[2].path)",
        ])
      #expect(try named.objects().compactMap { $0["post"] as? Int }.sorted() == pictures[0...2].map(\.post).sorted())
      expect(try await sandbox.media("check"), fails: 1, saying: "3 faults", "media check --repair", output: true)
      let before = origin.requests(to: "/media").count
      let mended = try await sandbox.media("check", "--repair")
      #expect(mended.status == 0, "\(mended.output)\(mended.errors)")
      #expect(mended.output.contains("Mended 3 faults. Everything is in order"))
      #expect(origin.requests(to: "/media").count == before + 3)
      let again = try await sandbox.media("check")
      #expect((again.status, again.errors) == (0, ""), "\(again.output)")
      for picture in try await shown(sandbox) {
        let bytes = FileManager.default.contents(atPath: "\(sandbox.library)/\(picture.path)")
        #expect(bytes.map { Picture.sha256(Array($0)) } == picture.sha256)
      }
      #expect(try await shown(sandbox).count == pictures.count)
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.library)/quarantine").count == 1)
      #expect(origin.critique.isEmpty)
      // A folder that may not be read is one fault, whatever is in it. Root reads everything, so that it becomes somebody else.
      let closed = "blobs/\(pictures[0].sha256.prefix(2))"
      let user = getuid() == 0 ? "setpriv --reuid 65534 --clear-groups env MEDIA_CONFIG=/nonexistent" : ""
      _ = try await sandbox.bash(
        "chmod 755 '\(sandbox.folder)'; [ -z '\(user)' ] || chown -R 65534 '\(sandbox.library)'; chmod 000 '\(sandbox.library)/\(closed)'"
      )
      try FileManager.default.removeItem(atPath: "\(sandbox.library)/\(pictures[3].path)")
      for repair in ["", "--repair"] {
        let found = try await sandbox.bash("\(user) $MEDIA check --json \(repair)")
        #expect(found.status == 1, "\(found.errors)")
        // What the repair before took in is shown by nothing.
        let kinds = try found.objects().map { "\($0["kind"] as? String ?? "") \($0["path"] as? String ?? "")" }
          .filter { !$0.hasPrefix("unreferenced") }
        #expect(Set(kinds) == ["blob-unreadable \(closed)", "blob-missing \(pictures[3].path)"], "\(found.output)")
        #expect(kinds.count == 2 && found.output.contains("check who owns it"), "\(found.output)")
      }
      expect(try await sandbox.bash("\(user) $MEDIA gc"), fails: 74, saying: "\(closed) may not be")
      _ = try await sandbox.bash("chmod 700 '\(sandbox.library)/\(closed)'")
      #expect(try await sandbox.media("check").status == 0)
      #expect(try await shown(sandbox).count == pictures.count)
    }
  }

  /// Waits until the file is clearly older than what starts now.
  private func age(_ path: String) async throws {
    while try Date() < mtime(path).addingTimeInterval(1.1) { try await Task.sleep(for: .milliseconds(50)) }
  }

  private func mtime(_ path: String) throws -> Date {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
  }

  @Test func `a picture that cannot be fetched anew is named, and comes with a later pull`() async throws {
    try await withOrigin(Script.each(40)) { origin in
      let sandbox = try await newSandbox(origin)
      let picture = try #require(try await shown(sandbox).first)
      try flip("\(sandbox.library)/\(picture.path)")
      origin.change { $0.troubles = [.every("/media", .gone)] }
      let ended = try await sandbox.media("check", "--repair", "--json")
      #expect(ended.status == 1)
      let lines = try ended.objects()
      #expect(lines.map { $0["kind"] as? String } == ["blob-bytes", "picture-pending"])
      #expect(lines.map { $0["repaired"] as? Bool } == [true, false])
      #expect(lines.allSatisfy { $0["post"] as? Int == picture.post })
      #expect((lines[1]["detail"] as? String)?.contains("the server answers 410") == true)
      origin.change { $0.troubles = [] }
      try await sandbox.media("tag", "cats", "--server", origin.url, "--retry-failed")
      #expect(try await shown(sandbox).first?.sha256 == picture.sha256)
      #expect(try await sandbox.media("check").status == 0)
    }
  }

  @Test func `while a pull is under way nothing is taken away, and a check finds nothing wrong`() async throws {
    var script = Script.each(80)
    script.troubles = [.nth(30, "/media", .held)]
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try await sandbox.endGrace()
      let pull = try sandbox.begin("tag", "cats", "--pages", "2", "--server", origin.url)
      try await pull.says("page 1")
      while origin.requests(to: "/media").count < 30 { try await Task.sleep(for: .milliseconds(10)) }
      expect(try await sandbox.media("gc"), fails: 75, saying: "process", "(media tag)", "try again when it is done")
      expect(try await sandbox.media("check", "--repair"), fails: 75, saying: "works on the library's pictures")
      let check = try await sandbox.media("check")
      #expect(check.status == 0, "\(check.output)\(check.errors)")
      #expect(pull.isRunning)
      origin.change { $0.troubles = [] }
      #expect(try await pull.end().status == 0)
      #expect(try await sandbox.media("gc").output == "Nothing to free.\n")
      #expect(try await sandbox.media("check").status == 0)
    }
  }

  @Test func `posts deleted long ago lose their pictures, and get them again once restored`() async throws {
    try await withOrigin(Script.each(40)) { origin in
      let sandbox = try await newSandbox(origin)
      let picture = try #require(try await shown(sandbox).first)
      try await sandbox.media("delete", "\(picture.post)")
      #expect(try await sandbox.media("gc").output == "Nothing to free.\n")
      try await sandbox.endGrace()
      let report = try await sandbox.media("gc", "--dry-run", "--json").object()
      #expect((report["trashed"] as? Int, report["dry_run"] as? Bool) == (1, true))
      #expect(FileManager.default.fileExists(atPath: "\(sandbox.library)/\(picture.path)"))
      #expect(try await sandbox.media("gc").output.hasPrefix("Freed "))
      #expect(!FileManager.default.fileExists(atPath: "\(sandbox.library)/\(picture.path)"))
      try await sandbox.media("tag", "cats", "--server", origin.url)
      #expect(try await !shown(sandbox).contains { $0.post == picture.post })
      try await sandbox.media("restore", "\(picture.post)")
      try await sandbox.media("tag", "cats", "--server", origin.url)
      #expect(try await shown(sandbox).first?.sha256 == picture.sha256)
      #expect(try await sandbox.media("check").status == 0)
    }
  }

  @Test(.inFolders) func `gc removes the thumbnails of pictures that are gone, and no others`() async throws {
    try await withOrigin(Script.each(40)) { origin in
      let sandbox = try await newSandbox(origin)
      let sha256 = try #require(try await shown(sandbox).first?.sha256)
      let thumb = { (name: String) in "\(sandbox.library)/cache/thumb/320/\(name.prefix(2))/\(name.dropFirst(2)).webp" }
      let gone = String(repeating: "ab", count: 32)
      for name in [sha256, gone] {
        let folder = URL(filePath: thumb(name)).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("RIFF".utf8).write(to: URL(filePath: thumb(name)))
      }
      #expect(try await sandbox.media("check").status == 0)
      let told = try await sandbox.media("gc", "--dry-run", "--json").object()
      #expect((told["thumbnails"] as? Int, told["bytes"] as? Int) == (1, 4))
      #expect(try await sandbox.media("gc").output == "Freed 4 B: 1 file in the cache of thumbnails.\n")
      #expect(!FileManager.default.fileExists(atPath: thumb(gone)))
      #expect(FileManager.default.fileExists(atPath: thumb(sha256)))
    }
  }

  @Test(.inFolders) func `a pull lets the avatars go that have no room, and brings them again`() async throws {
    try await withOrigin(Script.each(40)) { origin in
      let sandbox = try await newSandbox(origin)
      let avatars = "SELECT count(*) FROM author WHERE avatar_state = 'stored'"
      #expect(try count(sandbox, avatars) == 5)
      // Simulates large pictures.
      try spoil(sandbox, "UPDATE cached SET bytes = 400000; UPDATE cache_size SET bytes = 2000000")
      try await sandbox.media("settings", "cache", "1MB")
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-avatars")
      #expect(try count(sandbox, avatars) == 2)
      #expect(try await sandbox.media("check").status == 0)
      try await sandbox.media("tag", "cats", "--server", origin.url)
      #expect(try count(sandbox, avatars) == 5)
    }
  }

  private func count(_ sandbox: Sandbox, _ sql: String) throws -> Int? {
    let store = try Store.open(library: sandbox.library, for: .reading, now: .init(timeIntervalSince1970: 0))
    defer { store.close() }
    return try store.read { try $0.value(sql) as Int? }
  }

  @Test(.inFolders) func `a damaged store ends a check with 74 and names the cure`() async throws {
    let sandbox = try Sandbox()
    for number in 1...30 { try await sandbox.media("add", "bird number \(number)") }
    let path = "\(sandbox.library)/media.sqlite"
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    try (whole.prefix(4096 * 3) + Data(repeating: 0x5A, count: whole.count - 4096 * 3))
      .write(to: URL(fileURLWithPath: path))
    for flags in [[], ["--repair"], ["--json"]] as [[String]] {
      let ended = try await sandbox.run(["check"] + flags)
      expect(ended, fails: 74, saying: "damaged", "dated copy", output: true)
    }
    try whole.write(to: URL(fileURLWithPath: path))
    #expect(try await sandbox.media("check").status == 0)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"))
  func `a library on a disk that may not be written can be listed and checked`() async throws {
    let disk = try SmallDisk(bytes: 4 << 20)
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_HOME"] = "\(disk.scratch.path)/library"
    try await sandbox.media("add", "first bird")
    try disk.makeReadOnly()
    #expect(try await sandbox.media("list", "--json").lines.count == 1)
    #expect(try await sandbox.media("check").output.hasPrefix("Everything is in order: 1 post"))
    expect(try await sandbox.media("delete", "1"), fails: 74, saying: "may not be written")
  }
}

extension Script {
  /// Posts with one picture each, all with different bytes.
  static func each(_ count: Int, padding: Int = 0) -> Script {
    var script = Script(posts: count)
    for index in script.posts.indices {
      let picture = Picture(5 * index, padding: padding)
      script.posts[index].attachments = [ScriptedAttachment(id: "\(index)", picture: picture, alt: nil)]
    }
    return script
  }
}
