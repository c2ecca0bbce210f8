import Folders
import Foundation
import ScriptedOrigin
import Testing

/// `media copy` with the built command.
@Suite(.timeLimit(.minutes(10))) struct CopyTests {
  private func other(_ sandbox: Sandbox) -> String { "\(sandbox.folder)/other" }

  private func copy(_ sandbox: Sandbox, _ from: String, _ to: String, _ more: String...) async throws -> [String: Int] {
    let ended = try await sandbox.run(["copy", from, to, "--json"] + more)
    try #require(ended.status == 0, "\(ended.output)\(ended.errors)")
    return try ended.object().compactMapValues { $0 as? Int }
  }

  private func expectEqual(_ sandbox: Sandbox, _ other: String) async throws {
    let equal = try await sandbox.media("check", "--against", other)
    #expect(equal.status == 0, "\(equal.output)\(equal.errors)")
    for library in [sandbox.library, other] {
      let check = try await sandbox.media("check", "--deep", "--json", "--library", library)
      #expect((check.status, check.output) == (0, ""), "\(check.output)\(check.errors)")
    }
  }

  @Test(.inFolders) func `a copy into a new library is equal to the first, and a repeated one writes only changes`()
    async throws
  {
    try await withOrigin(Script.each(60)) { origin in
      let sandbox = try Sandbox()
      let pull = ["tag", "cats", "--server", origin.url, "--page-size", "20"]
      try #require(try await sandbox.run(pull + ["--pages", "2"]).status == 0)
      try #require(try await sandbox.media("delete", "3").status == 0)
      let first = try await copy(sandbox, sandbox.library, other(sandbox))
      #expect(first["new"] == 40 && first["different"] == 0 && first["pictures"] ?? 0 > 0, "\(first)")
      try await expectEqual(sandbox, other(sandbox))
      let again = try await copy(sandbox, sandbox.library, other(sandbox))
      #expect(again["new"] == 0 && again["updated"] == 0 && again["unchanged"] == 40 && again["pictures"] == 0)
      try #require(try await sandbox.run(pull + ["--all"]).status == 0)
      try #require(try await sandbox.media("restore", "3").status == 0)
      let more = try await copy(sandbox, sandbox.library, other(sandbox))
      #expect(more["new"] == 20 && more["updated"] ?? 0 >= 1 && more["different"] == 0, "\(more)")
      // A pull goes on in the copy where the library stood.
      let there = try await sandbox.run(pull + ["--json", "--library", other(sandbox)])
      #expect(try there.object()["posts", "new"] == 0, "\(there.output)\(there.errors)")
    }
  }

  @Test(.inFolders) func `of what both changed the later wins, and the other wording becomes a revision`() async throws
  {
    let sandbox = try Sandbox()
    for text in ["a kingfisher", "a heron", "an owl"] { _ = try await sandbox.media("add", text) }
    _ = try await copy(sandbox, sandbox.library, other(sandbox))
    let there = ["--library", other(sandbox)]
    try #require(try await sandbox.media("edit", "1", "--text", "a kingfisher at the pond").status == 0)
    try #require(try await sandbox.run(["edit", "1", "--text", "two kingfishers"] + there).status == 0)
    try #require(try await sandbox.media("delete", "2").status == 0)
    try #require(try await sandbox.run(["delete", "3"] + there).status == 0)
    try #require(try await sandbox.media("delete", "3").status == 0)
    try #require(try await sandbox.run(["restore", "3"] + there).status == 0)
    let plan = try await copy(sandbox, sandbox.library, other(sandbox), "--dry-run")
    let merged = try await copy(sandbox, sandbox.library, other(sandbox))
    #expect(plan["updated"] == merged["updated"] && merged["new"] == 0 && merged["updated"] == 2, "\(plan) \(merged)")
    _ = try await copy(sandbox, other(sandbox), sandbox.library)
    for library in [sandbox.library, other(sandbox)] {
      let list = try await sandbox.run(["list", "--json", "--library", library]).objects()
      #expect(list.compactMap { $0["caption"] as? String }.sorted() == ["an owl", "two kingfishers"])
      let post = try await sandbox.run(["show", "1", "--library", library])
      #expect(post.output.contains("a kingfisher at the pond"), "\(post.output)")
    }
    try await expectEqual(sandbox, other(sandbox))
  }

  @Test(.inFolders) func `a copy and an import tell what they change beside posts`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a kingfisher")
    try await sandbox.media("searches", "save", "best", "tag:a")
    try await sandbox.media("rules", "add", "hidey", "has:picture", "--hide")
    let plan = try await sandbox.media("copy", sandbox.library, other(sandbox), "--dry-run")
    #expect(plan.output.hasSuffix("\nWould change: 1 saved search (best), 1 rule (hidey)\n"), "\(plan.output)")
    let copied = try await sandbox.media("copy", sandbox.library, other(sandbox), "--json").object()
    #expect(copied["marks"] as? [String: Int] == ["albums": 0, "searches": 1, "rules": 1, "hidden": 0], "\(copied)")
    try await sandbox.media("album", "create", "Winter")
    let file = "\(sandbox.folder)/library.ndjson"
    try await sandbox.media("export", "--out", file)
    let imported = try await sandbox.media("import", file, "--library", other(sandbox))
    let words = "Imported: 0 new, 0 updated, 1 unchanged\nChanged: 1 album (Winter)\n"
    #expect(imported.output == words, "\(imported.errors)")
    let again = try await sandbox.media("import", file, "--library", other(sandbox), "--json").object()
    #expect(again["marks"] as? [String: Int] == ["albums": 0, "searches": 0, "rules": 0, "hidden": 0], "\(again)")
  }

  @Test(.inFolders) func `a library is not copied into itself, and one that is absent is named`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a kingfisher")
    try FileManager.default.createSymbolicLink(atPath: other(sandbox), withDestinationPath: sandbox.library)
    expect(try await sandbox.media("copy", sandbox.library, other(sandbox)), fails: 64, saying: "are one library")
    let absent = "\(sandbox.folder)/absent"
    for command in [["copy", absent, sandbox.library], ["check", "--against", absent]] {
      let ended = try await sandbox.run(command)
      expect(ended, fails: 74)
      let cure = "check how it is spelt, or name the folder to which it has moved"
      #expect(ended.errors == "media: there is no library at \(absent): \(cure)\n")
    }
    let plan = try await sandbox.media("copy", sandbox.library, absent, "--dry-run")
    #expect(plan.output == "Would copy into \(absent): 1 new, 0 updated, 0 unchanged\n", "\(plan.errors)")
    #expect(!FileManager.default.fileExists(atPath: absent))
  }

  @Test(.inFolders) func `pictures that the first library lacks are counted, and all else is copied`() async throws {
    try await withOrigin(Script.each(9)) { origin in
      let sandbox = try Sandbox()
      try #require(try await sandbox.media("tag", "cats", "--server", origin.url).status == 0)
      let blobs = try #require(FileManager.default.enumerator(atPath: "\(sandbox.library)/blobs"))
      let names = blobs.compactMap { $0 as? String }.filter { $0.utf8.count == 65 }
      try FileManager.default.removeItem(atPath: "\(sandbox.library)/blobs/\(try #require(names.sorted().first))")
      let ended = try await sandbox.media("copy", sandbox.library, other(sandbox), "--json")
      #expect(ended.status == 1 && ended.errors.contains("1 picture could not be copied"), "\(ended.errors)")
      #expect(try ended.object()["new"] as? Int == 9)
      let check = try await sandbox.media("check", "--json", "--library", other(sandbox))
      #expect((check.status, check.output) == (0, ""), "\(check.output)\(check.errors)")
      // A disk that is not mounted has lost nothing.
      try FileManager.default.moveItem(atPath: "\(sandbox.library)/blobs", toPath: "\(sandbox.folder)/elsewhere")
      let third = "\(sandbox.folder)/third"
      expect(
        try await sandbox.media("copy", sandbox.library, third), fails: 74,
        saying: "\(sandbox.library)/blobs is missing, where the library's pictures are",
        "see whether its disk is mounted"
      )
      #expect(!FileManager.default.fileExists(atPath: third))
    }
  }
}
