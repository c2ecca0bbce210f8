import Folders
import Foundation
import PropertyTesting
import ScriptedOrigin
import Testing

/// `media backup` with the built command.
@Suite(.timeLimit(.minutes(20))) struct BackupTests {
  private func pull(_ house: Household, _ origin: Origin, pages: Int = 1) async throws {
    let ended = try await house.media(
      "tag", "cats", "--pages", "\(pages)", "--page-size", "20", "--server", origin.url)
    try #require(ended.status == 0, "\(ended.errors)")
  }

  private func target(_ house: Household) -> String { "\(house.folder)/backup" }

  @discardableResult
  private func backUp(_ house: Household, _ more: String...) async throws -> [String: any Sendable] {
    let ended = try await house.run(["backup", target(house), "--json"] + more)
    try #require(ended.status == 0, "\(ended.output)\(ended.errors)")
    return try ended.object()
  }

  /// The posts that a library lists, without what differs between folders.
  private func listed(_ house: Household, in library: String? = nil) async throws -> String {
    let ended = try await house.run(
      ["list", "--json", "--limit", "1000"] + (library.map { ["--library", $0] } ?? []))
    try #require(ended.status == 0, "\(ended.errors)")
    return ended.output
  }

  /// The backup is a library without a fault, apart from what a kill leaves.
  private func expectWhole(_ house: Household, _ hint: String = "") async throws {
    let check = try await house.media("check", "--deep", "--json", "--library", target(house))
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
      let house = try Household()
      try house.configure("config.toml", "")
      try await pull(house, origin)
      let first = try await backUp(house)
      #expect(first["copied"] as? Int ?? 0 > 0)
      #expect(try await listed(house) == listed(house, in: target(house)))
      try await expectWhole(house)
      #expect(try await backUp(house)["unchanged"] as? Bool == true)
      #expect(try await house.media("backup", target(house)).output == "\(target(house)) is up to date.\n")
      try await pull(house, origin, pages: 3)
      let second = try await backUp(house, "--verify")
      #expect(second["unchanged"] as? Bool == false)
      #expect((1...60).contains(second["copied"] as? Int ?? 0))
      #expect(try await listed(house) == listed(house, in: target(house)))
      for name in files(target(house)) {
        let isFolder = FileManager.default.fileExists(atPath: "\(target(house))/\(name)/.")
        #expect(mode("\(target(house))/\(name)") == (isFolder ? 0o700 : 0o600), "\(name)")
        #expect(!name.contains("config") && !name.contains("accounts") && !name.hasPrefix("next"), "\(name)")
      }
      #expect(mode(target(house)) == 0o700)
    }
  }

  @Test func `pictures that the library let go leave the backup, and those of deleted posts stay until then`()
    async throws
  {
    try await withOrigin(Script.each(20)) { origin in
      let house = try Household()
      try await pull(house, origin)
      try await backUp(house)
      let before = files("\(target(house))/blobs")
      let posts = try await house.media("list", "--json", "--limit", "3").objects().compactMap { $0["id"] as? Int }
      _ = try await house.run(["delete"] + posts.map(String.init))
      #expect(try await backUp(house)["removed"] as? Int == 0)
      #expect(files("\(target(house))/blobs") == before)
      try await house.endGrace()
      try #require(try await house.media("gc").status == 0)
      #expect(try await backUp(house)["removed"] as? Int ?? 0 >= 1)
      #expect(files("\(target(house))/blobs") == files("\(house.library)/blobs"))
      try await expectWhole(house)
    }
  }

  @Test(.inFolders) func `a folder that is no backup of this library is refused, and left as it is`() async throws {
    try await withOrigin(Script.each(5)) { origin in
      let house = try Household()
      try await pull(house, origin)
      let notes = "\(house.folder)/notes"
      try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: URL(filePath: "\(notes)/a.txt"))
      expect(try await house.media("backup", notes), fails: 64, saying: "no backup", "empty folder")
      #expect(files(notes) == ["a.txt"])
      expect(try await house.media("backup", house.library), fails: 64, saying: "in one another")
      expect(try await house.media("backup", "\(house.library)/copy"), fails: 64, saying: "in one another")
      expect(try await house.media("backup", house.folder), fails: 64, saying: "in one another")
      expect(try await house.media("backup", "\(house.folder)/no/such"), fails: 74, saying: "no folder", "mounted")
      try await backUp(house)
      let other = "\(house.folder)/other"
      try #require(try await house.media("add", "Another library", "--library", other).status == 0)
      expect(
        try await house.media("backup", target(house), "--library", other), fails: 64, saying: "of another library")
      expect(try await house.media("backup", other), fails: 64, saying: "a library of its own")
      // Its disk is not mounted.
      try FileManager.default.removeItem(atPath: target(house))
      try FileManager.default.createDirectory(atPath: target(house), withIntermediateDirectories: true)
      expect(try await house.media("backup", target(house)), fails: 74, saying: "no longer", "--new")
      #expect(files(target(house)) == [])
      try await backUp(house, "--new")
      try await expectWhole(house)
    }
  }

  @Test func `what was written into the backup itself is not overwritten`() async throws {
    try await withOrigin(Script.each(5)) { origin in
      let house = try Household()
      try await pull(house, origin)
      try await backUp(house)
      try #require(
        try await house.media("add", "Only in the backup", "--library", target(house)).status == 0)
      let before = try await listed(house, in: target(house))
      try await house.media("add", "Only in the library")
      expect(
        try await house.media("backup", target(house)), fails: 74, saying: "was changed as a library", "new folder")
      #expect(try await listed(house, in: target(house)) == before)
    }
  }

  @Test func `while a pull writes, each backup is whole`() async throws {
    let script = Script(posts: 120, troubles: [.every("/", .slow(.milliseconds(3)))])
    try await withOrigin(script) { origin in
      let house = try Household()
      try await pull(house, origin)
      let running = try house.begin(
        "tag", "cats", "--pages", "12", "--page-size", "10", "--json", "--server", origin.url)
      var rounds = 0
      repeat {
        try await backUp(house)
        try await expectWhole(house, "round \(rounds)")
        rounds += 1
      } while running.isRunning
      #expect(try await running.end().status == 0)
      try await backUp(house, "--verify")
      #expect(try await listed(house) == listed(house, in: target(house)))
    }
  }

  @Test(.inFolders, .serialized, arguments: PropertyTest.seeds(sample: 4, whole: 100))
  func `killed at any moment, a backup leaves the earlier one, and the next brings it up to date`(seed: UInt64)
    async throws
  {
    try await withOrigin(Script.each(80)) { origin in
      let house = try Household()
      try await pull(house, origin)
      try await backUp(house)
      let before = try await listed(house)
      try await pull(house, origin, pages: 4)
      let after = try await listed(house)
      var chance = Chance(seed: seed)
      let running = try house.begin("backup", target(house))
      try await Task.sleep(for: .milliseconds(Int.random(in: 5..<150, using: &chance)))
      running.signal(SIGKILL)
      _ = try await running.end()
      try await expectWhole(house, "seed \(seed)")
      let left = try await listed(house, in: target(house))
      #expect(left == before || left == after, "seed \(seed)")
      try await backUp(house, "--verify")
      #expect(try await listed(house, in: target(house)) == after, "seed \(seed)")
      #expect(files("\(target(house))/blobs") == files("\(house.library)/blobs"), "seed \(seed)")
    }
  }

  @Test func `what is damaged in the backup is copied anew, and what the library lacks is named`() async throws {
    try await withOrigin(Script.each(10)) { origin in
      let house = try Household()
      try await pull(house, origin)
      try await backUp(house)
      let blobs = files("\(house.library)/blobs").filter { $0.count > 3 }
      try Data("wrong".utf8).write(to: URL(filePath: "\(target(house))/blobs/\(blobs[0])"))
      try FileManager.default.removeItem(atPath: "\(target(house))/blobs/\(blobs[1])")
      let verified = try await house.media("backup", target(house), "--verify")
      #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
      #expect(verified.output.contains("mended"))
      try await expectWhole(house)
      try FileManager.default.removeItem(atPath: "\(house.library)/blobs/\(blobs[2])")
      try FileManager.default.removeItem(atPath: "\(target(house))/blobs/\(blobs[2])")
      try await house.media("add", "Something new")
      // It looks only for what is new.
      try await backUp(house)
      let lost = try await house.media("backup", target(house), "--verify")
      #expect(lost.status == 1 && lost.output.contains(blobs[2].filter { $0 != "/" }.suffix(62)), "\(lost)")
      let fresh = try await house.media("backup", "\(house.folder)/fresh")
      #expect(fresh.status == 1 && fresh.errors.contains("1 picture could not be copied"), "\(fresh)")
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible)) func `a full disk and a read-only one cost nothing of the earlier backup`()
    async throws
  {
    try await withOrigin(Script.each(60)) { origin in
      let house = try Household()
      let disk = try SmallDisk(bytes: 8 << 20)
      let folder = "\(disk.scratch.path)/backup"
      try await pull(house, origin)
      try #require(try await house.media("backup", folder).status == 0)
      let before = try await listed(house)
      try await pull(house, origin, pages: 3)
      try disk.fill(leaving: 20_000)
      expect(try await house.media("backup", folder), fails: 74, saying: "the disk is full")
      #expect(try await listed(house, in: folder) == before)
      try disk.empty()
      try disk.makeReadOnly()
      expect(try await house.media("backup", folder), fails: 74, saying: "may not be written")
      #expect(try await listed(house, in: folder) == before)
    }
  }
}
