import Foundation
import PropertyTesting
import Testing

/// `media import`: folders of other programs, and what a pull makes of their posts.
@Suite(.timeLimit(.minutes(10))) struct ImportTests {
  @Test func `a folder of gallery-dl is imported, and a pull of the same tag then brings nothing new`() async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "40")
    let url = try await demo.line("http://127.0.0.1:")
    let folder = try await GalleryDLFolder(at: "\(sandbox.folder)/gallery-dl", of: "demo", at: url)

    let plan = try await sandbox.media("import", folder.path, "--dry-run", "--json").object()
    #expect(plan["new"] as? Int == folder.posts)
    #expect(plan["pictures"] as? Int == folder.pictures)
    #expect(try await sandbox.media("list", "--json").output.isEmpty)

    let imported = try await sandbox.media("import", folder.path, "--json")
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(try imported.object()["new"] as? Int == folder.posts)
    #expect(try imported.object()["pictures"] as? Int == folder.pictures)
    #expect(try await sandbox.media("list", "--tag", "demo", "--json").objects().count == folder.posts)
    #expect(try await sandbox.media("gaps", "--json").output.isEmpty)

    let again = try await sandbox.media("import", folder.path, "--json").object()
    #expect([again["new"], again["unchanged"], again["pictures"]] as? [Int] == [0, folder.posts, 0])

    let pull = try await sandbox.media("tag", "demo", "--pages", "1", "--no-avatars", "--json", "--server", url)
    #expect(pull.status == 0, "\(pull.errors)")
    #expect(try pull.object()["posts", "new"] == 0)
    #expect(try pull.object()["posts", "updated"] == 0)
    #expect(try pull.object()["media", "downloaded"] == 0)
    #expect(try await sandbox.media("check", "--json").status == 0)
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  @Test(.serialized, arguments: PropertyTest.seeds(sample: 3, whole: 100))
  func `killed at any moment, the same import again brings what an undisturbed one brings`(seed: UInt64) async throws {
    let sandbox = try Sandbox()
    let folder = try GalleryDLFolder(at: "\(sandbox.folder)/downloads", madeUp: 1500)
    var chance = Dice(state: seed)
    for _ in 0..<3 {
      let running = try sandbox.begin("import", folder.path, "--json")
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...900, using: &chance)))
      running.signal(SIGKILL)
      _ = try await running.end()
    }
    let ended = try await sandbox.media("import", folder.path, "--json")
    #expect(ended.status == 0, "seed \(seed): \(ended.errors)")
    let whole = try await sandbox.media("import", folder.path, "--json").object()
    #expect([whole["new"], whole["unchanged"]] as? [Int] == [0, 1500], "seed \(seed)")
    let listed = try await sandbox.media("list", "--json", "--limit", "2000").objects()
    #expect(listed.count == 1500, "seed \(seed)")
    let states = listed.flatMap { ($0["attachments"] as? [[String: any Sendable]]) ?? [] }.map {
      $0["state"] as? String
    }
    #expect(states.count == 1500 && states.allSatisfy { $0 == "stored" }, "seed \(seed)")
    #expect(try await sandbox.media("check").status == 0, "seed \(seed)")
  }

  @Test func `an import is undone by its name, and brought back`() async throws {
    let sandbox = try Sandbox()
    let folder = try GalleryDLFolder(at: "\(sandbox.folder)/downloads", madeUp: 3)
    try await sandbox.media("import", folder.path)
    try await sandbox.media("add", "my own words")
    let deleted = try await sandbox.media("delete", "--feed", "import:downloads")
    #expect(deleted.status == 0, "\(deleted.errors)")
    #expect(deleted.errors.contains("media restore --feed import:downloads"))
    #expect(try await sandbox.media("list", "--json").objects().count == 1)
    let again = try await sandbox.media("import", folder.path, "--json").object()
    #expect([again["new"], again["deleted"]] as? [Int] == [0, 3])
    try await sandbox.media("restore", "--feed", "import:downloads")
    #expect(try await sandbox.media("list", "--json").objects().count == 4)
  }

  @Test func `what is damaged, linked or strange is counted, and the rest imported`() async throws {
    let sandbox = try Sandbox()
    let folder = try GalleryDLFolder(at: "\(sandbox.folder)/downloads", madeUp: 2)
    let files = FileManager.default
    try Data("{\"category\": \"made-up\", \"id\"".utf8).write(to: URL(filePath: "\(folder.path)/broken.jpg.json"))
    try Data("{\"category\": \"made-up\", \"id\": 9, \"num\": 1}".utf8)
      .write(to: URL(filePath: "\(folder.path)/undated.jpg.json"))
    try files.createSymbolicLink(atPath: "\(folder.path)/link.jpg", withDestinationPath: "/etc/passwd")
    try files.createSymbolicLink(atPath: "\(folder.path)/loop", withDestinationPath: ".")
    let imported = try await sandbox.media("import", folder.path, "--json")
    #expect(imported.status == 0, "\(imported.errors)")
    let object = try imported.object()
    #expect([object["new"], object["unreadable"], object["pictures"]] as? [Int] == [2, 2, 2])
    #expect((object["left_out"] as? [String: any Sendable])?["links"] as? Int == 2)
  }

  @Test func `an import of which nothing can be read says so, and ends with status 1`() async throws {
    let sandbox = try Sandbox()
    let undated = "\(sandbox.folder)/downloads"
    try FileManager.default.createDirectory(atPath: undated, withIntermediateDirectories: true)
    try Data("{\"category\": \"made-up\", \"id\": 9, \"num\": 1}".utf8)
      .write(to: URL(filePath: "\(undated)/9.jpg.json"))
    for more in [["--dry-run"], []] {
      let imported = try await sandbox.run(["import", undated] + more)
      #expect(imported.status == 1 && imported.output.contains("0 new, 1 unreadable"))
      #expect(imported.errors.contains("brought nothing: nothing in it can be read"))
    }
  }

  @Test func `what is nothing to import is refused in a sentence`() async throws {
    let sandbox = try Sandbox()
    for form in [[], ["--format", "diary"], ["--format", "ndjson"], ["--format", "gallery-dl"]] {
      let ended = try await sandbox.run(["import", "nowhere"] + form)
      expect(ended, fails: 74, saying: "there is no nowhere: check how it is spelt")
    }
    expect(try await sandbox.media("import", "/dev/null"), fails: 64, saying: "neither a file nor a folder")
    let empty = "\(sandbox.folder)/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    expect(
      try await sandbox.media("import", empty), fails: 65, saying: "nothing that can be imported", "media add --attach")
    expect(try await sandbox.media("import", "/etc", "--format", "nonsense"), fails: 64, saying: "there is no format")
  }
}
