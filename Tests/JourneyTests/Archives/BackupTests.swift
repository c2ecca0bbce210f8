import Folders
import Foundation
import PropertyTesting
import ScriptedOrigin
import Testing

/// `media backup` with the built command.
@Suite(.timeLimit(.minutes(20))) struct BackupTests {
  private func pull(_ sandbox: Sandbox, _ origin: Origin, pages: Int = 1) async throws {
    let ended = try await sandbox.media(
      "tag", "cats", "--pages", "\(pages)", "--page-size", "20", "--server", origin.url)
    try #require(ended.status == 0, "\(ended.errors)")
  }

  private func target(_ sandbox: Sandbox) -> String { "\(sandbox.folder)/backup" }

  @discardableResult
  private func backUp(_ sandbox: Sandbox, _ more: String...) async throws -> [String: any Sendable] {
    let ended = try await sandbox.run(["backup", target(sandbox), "--json"] + more)
    try #require(ended.status == 0, "\(ended.output)\(ended.errors)")
    return try ended.object()
  }

  /// The posts that a library lists, without what differs between folders.
  private func listed(_ sandbox: Sandbox, in library: String? = nil) async throws -> String {
    let ended = try await sandbox.run(
      ["list", "--json", "--limit", "1000"] + (library.map { ["--library", $0] } ?? []))
    try #require(ended.status == 0, "\(ended.errors)")
    return ended.output
  }

  /// The backup is a library without a fault, apart from what a kill leaves.
  private func expectWhole(_ sandbox: Sandbox, _ hint: String = "") async throws {
    let check = try await sandbox.media("check", "--deep", "--json", "--library", target(sandbox))
    #expect(check.status == 0, "\(hint): \(check.output)\(check.errors)")
    let kinds = try check.objects().compactMap { $0["kind"] as? String }
    #expect(kinds.allSatisfy { $0 == "orphan" }, "\(hint): \(kinds)")
  }

  private func files(_ folder: String) -> [String] {
    (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).sorted()
  }

  private func mode(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test(.inFolders)
  func `a backup lists what the library lists, costs nothing when nothing is new, and copies what is`()
    async throws
  {
    try await withOrigin(Script.each(60)) { origin in
      let sandbox = try Sandbox()
      try sandbox.configure("config.toml", "")
      try await pull(sandbox, origin)
      let first = try await backUp(sandbox)
      #expect(first["copied"] as? Int ?? 0 > 0)
      #expect(try await listed(sandbox) == listed(sandbox, in: target(sandbox)))
      try await expectWhole(sandbox)
      #expect(try await backUp(sandbox)["unchanged"] as? Bool == true)
      #expect(try await sandbox.media("backup", target(sandbox)).output == "\(target(sandbox)) is up to date.\n")
      try await pull(sandbox, origin, pages: 3)
      let second = try await backUp(sandbox, "--verify")
      #expect(second["unchanged"] as? Bool == false)
      #expect((1...60).contains(second["copied"] as? Int ?? 0))
      #expect(try await listed(sandbox) == listed(sandbox, in: target(sandbox)))
      for name in files(target(sandbox)) {
        let isFolder = FileManager.default.fileExists(atPath: "\(target(sandbox))/\(name)/.")
        #expect(mode("\(target(sandbox))/\(name)") == (isFolder ? 0o700 : 0o600), "\(name)")
        #expect(!name.contains("config") && !name.contains("accounts") && !name.hasPrefix("next"), "\(name)")
      }
      #expect(mode(target(sandbox)) == 0o700)
    }
  }

  @Test func `pictures that the library let go leave the backup, and those of deleted posts stay until then`()
    async throws
  {
    try await withOrigin(Script.each(20)) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin)
      try await backUp(sandbox)
      let before = files("\(target(sandbox))/blobs")
      let posts = try await sandbox.media("list", "--json", "--limit", "3").objects().compactMap { $0["id"] as? Int }
      _ = try await sandbox.run(["delete"] + posts.map(String.init))
      #expect(try await backUp(sandbox)["removed"] as? Int == 0)
      #expect(files("\(target(sandbox))/blobs") == before)
      try await sandbox.endGrace()
      try #require(try await sandbox.media("gc").status == 0)
      #expect(try await backUp(sandbox)["removed"] as? Int ?? 0 >= 1)
      #expect(files("\(target(sandbox))/blobs") == files("\(sandbox.library)/blobs"))
      try await expectWhole(sandbox)
    }
  }

  @Test(.inFolders) func `a folder that is no backup of this library is refused, and left as it is`() async throws {
    try await withOrigin(Script.each(5)) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin)
      let notes = "\(sandbox.folder)/notes"
      try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: URL(filePath: "\(notes)/a.txt"))
      expect(try await sandbox.media("backup", notes), fails: 64, saying: "no backup", "empty folder")
      #expect(files(notes) == ["a.txt"])
      expect(try await sandbox.media("backup", sandbox.library), fails: 64, saying: "in one another")
      expect(try await sandbox.media("backup", "\(sandbox.library)/copy"), fails: 64, saying: "in one another")
      expect(try await sandbox.media("backup", sandbox.folder), fails: 64, saying: "in one another")
      expect(try await sandbox.media("backup", "\(sandbox.folder)/no/such"), fails: 74, saying: "no folder", "mounted")
      try await backUp(sandbox)
      let other = "\(sandbox.folder)/other"
      try #require(try await sandbox.media("add", "Another library", "--library", other).status == 0)
      expect(
        try await sandbox.media("backup", target(sandbox), "--library", other), fails: 64, saying: "of another library")
      expect(try await sandbox.media("backup", other), fails: 64, saying: "a library of its own")
      // Its disk is not mounted.
      try FileManager.default.removeItem(atPath: target(sandbox))
      try FileManager.default.createDirectory(atPath: target(sandbox), withIntermediateDirectories: true)
      expect(try await sandbox.media("backup", target(sandbox)), fails: 74, saying: "no longer", "--new")
      #expect(files(target(sandbox)) == [])
      try await backUp(sandbox, "--new")
      try await expectWhole(sandbox)
    }
  }

  @Test func `what was written into the backup itself is not overwritten`() async throws {
    try await withOrigin(Script.each(5)) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin)
      try await backUp(sandbox)
      try #require(
        try await sandbox.media("add", "Only in the backup", "--library", target(sandbox)).status == 0)
      let before = try await listed(sandbox, in: target(sandbox))
      try await sandbox.media("add", "Only in the library")
      expect(
        try await sandbox.media("backup", target(sandbox)), fails: 74, saying: "was changed as a library", "new folder")
      #expect(try await listed(sandbox, in: target(sandbox)) == before)
    }
  }

  @Test func `while a pull writes, each backup is whole`() async throws {
    let script = Script(posts: 120, troubles: [.every("/", .slow(.milliseconds(3)))])
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin)
      let running = try sandbox.begin(
        "tag", "cats", "--pages", "12", "--page-size", "10", "--json", "--server", origin.url)
      var rounds = 0
      repeat {
        try await backUp(sandbox)
        try await expectWhole(sandbox, "round \(rounds)")
        rounds += 1
      } while running.isRunning
      #expect(try await running.end().status == 0)
      try await backUp(sandbox, "--verify")
      #expect(try await listed(sandbox) == listed(sandbox, in: target(sandbox)))
    }
  }

  @Test(.inFolders, .serialized, arguments: PropertyTest.seeds(sample: 4, whole: 100))
  func `killed at any moment, a backup leaves the earlier one, and the next brings it up to date`(seed: UInt64)
    async throws
  {
    try await withOrigin(Script.each(80)) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin)
      try await backUp(sandbox)
      let before = try await listed(sandbox)
      try await pull(sandbox, origin, pages: 4)
      let after = try await listed(sandbox)
      var chance = Chance(seed: seed)
      let running = try sandbox.begin("backup", target(sandbox))
      try await Task.sleep(for: .milliseconds(Int.random(in: 5..<150, using: &chance)))
      running.signal(SIGKILL)
      _ = try await running.end()
      try await expectWhole(sandbox, "seed \(seed)")
      let left = try await listed(sandbox, in: target(sandbox))
      #expect(left == before || left == after, "seed \(seed)")
      try await backUp(sandbox, "--verify")
      #expect(try await listed(sandbox, in: target(sandbox)) == after, "seed \(seed)")
      #expect(files("\(target(sandbox))/blobs") == files("\(sandbox.library)/blobs"), "seed \(seed)")
    }
  }

  @Test func `what is damaged in the backup is copied anew, and what the library lacks is named`() async throws {
    try await withOrigin(Script.each(10)) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin)
      try await backUp(sandbox)
      let blobs = files("\(sandbox.library)/blobs").filter { $0.count > 3 }
      try Data("wrong".utf8).write(to: URL(filePath: "\(target(sandbox))/blobs/\(blobs[0])"))
      try FileManager.default.removeItem(atPath: "\(target(sandbox))/blobs/\(blobs[1])")
      let verified = try await sandbox.media("backup", target(sandbox), "--verify")
      #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
      #expect(verified.output.contains("mended"))
      try await expectWhole(sandbox)
      try FileManager.default.removeItem(atPath: "\(sandbox.library)/blobs/\(blobs[2])")
      try FileManager.default.removeItem(atPath: "\(target(sandbox))/blobs/\(blobs[2])")
      try await sandbox.media("add", "Something new")
      // It looks only for what is new.
      try await backUp(sandbox)
      let lost = try await sandbox.media("backup", target(sandbox), "--verify")
      #expect(lost.status == 1 && lost.output.contains(blobs[2].filter { $0 != "/" }.suffix(62)), "\(lost)")
      let fresh = try await sandbox.media("backup", "\(sandbox.folder)/fresh")
      #expect(fresh.status == 1 && fresh.errors.contains("1 picture could not be copied"), "\(fresh)")
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible)) func `a full disk and a read-only one cost nothing of the earlier backup`()
    async throws
  {
    try await withOrigin(Script.each(60)) { origin in
      let sandbox = try Sandbox()
      let disk = try SmallDisk(bytes: 8 << 20)
      let folder = "\(disk.scratch.path)/backup"
      try await pull(sandbox, origin)
      try #require(try await sandbox.media("backup", folder).status == 0)
      let before = try await listed(sandbox)
      try await pull(sandbox, origin, pages: 3)
      try disk.fill(leaving: 20_000)
      expect(try await sandbox.media("backup", folder), fails: 74, saying: "the disk is full")
      #expect(try await listed(sandbox, in: folder) == before)
      try disk.empty()
      try disk.makeReadOnly()
      expect(try await sandbox.media("backup", folder), fails: 74, saying: "may not be written")
      #expect(try await listed(sandbox, in: folder) == before)
    }
  }
}
