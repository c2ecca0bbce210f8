import Folders
import Foundation
import ScriptedOrigin
import Testing

/// `media copy` with the built command.
@Suite(.timeLimit(.minutes(10))) struct CopyTests {
  private func other(_ house: Household) -> String { "\(house.folder)/other" }

  private func copy(_ house: Household, _ from: String, _ to: String, _ more: String...) async throws -> [String: Int] {
    let ended = try await house.run(["copy", from, to, "--json"] + more)
    try #require(ended.status == 0, "\(ended.output)\(ended.errors)")
    return try ended.object().compactMapValues { $0 as? Int }
  }

  private func expectEqual(_ house: Household, _ other: String) async throws {
    let equal = try await house.media("check", "--against", other)
    #expect(equal.status == 0, "\(equal.output)\(equal.errors)")
    for library in [house.library, other] {
      let check = try await house.media("check", "--deep", "--json", "--library", library)
      #expect((check.status, check.output) == (0, ""), "\(check.output)\(check.errors)")
    }
  }

  @Test(.inFolders) func `a copy into a new library is equal to the first, and a repeated one writes only changes`()
    async throws
  {
    try await withOrigin(Script.each(60)) { origin in
      let house = try Household()
      let pull = ["tag", "cats", "--server", origin.url, "--page-size", "20"]
      try #require(try await house.run(pull + ["--pages", "2"]).status == 0)
      try #require(try await house.media("delete", "3").status == 0)
      let first = try await copy(house, house.library, other(house))
      #expect(first["new"] == 40 && first["different"] == 0 && first["pictures"] ?? 0 > 0, "\(first)")
      try await expectEqual(house, other(house))
      let again = try await copy(house, house.library, other(house))
      #expect(again["new"] == 0 && again["updated"] == 0 && again["unchanged"] == 40 && again["pictures"] == 0)
      try #require(try await house.run(pull + ["--all"]).status == 0)
      try #require(try await house.media("restore", "3").status == 0)
      let more = try await copy(house, house.library, other(house))
      #expect(more["new"] == 20 && more["updated"] ?? 0 >= 1 && more["different"] == 0, "\(more)")
      // A pull goes on in the copy where the library stood.
      let there = try await house.run(pull + ["--json", "--library", other(house)])
      #expect(try there.object()["posts", "new"] == 0, "\(there.output)\(there.errors)")
    }
  }

  @Test(.inFolders) func `of what both changed the later wins, and the other wording becomes a revision`() async throws
  {
    let house = try Household()
    for text in ["a kingfisher", "a heron", "an owl"] { _ = try await house.media("add", text) }
    _ = try await copy(house, house.library, other(house))
    let there = ["--library", other(house)]
    try #require(try await house.media("edit", "1", "--text", "a kingfisher at the pond").status == 0)
    try #require(try await house.run(["edit", "1", "--text", "two kingfishers"] + there).status == 0)
    try #require(try await house.media("delete", "2").status == 0)
    try #require(try await house.run(["delete", "3"] + there).status == 0)
    try #require(try await house.media("delete", "3").status == 0)
    try #require(try await house.run(["restore", "3"] + there).status == 0)
    let plan = try await copy(house, house.library, other(house), "--dry-run")
    let merged = try await copy(house, house.library, other(house))
    #expect(plan["updated"] == merged["updated"] && merged["new"] == 0 && merged["updated"] == 2, "\(plan) \(merged)")
    _ = try await copy(house, other(house), house.library)
    for library in [house.library, other(house)] {
      let list = try await house.run(["list", "--json", "--library", library]).objects()
      #expect(list.compactMap { $0["caption"] as? String }.sorted() == ["an owl", "two kingfishers"])
      let post = try await house.run(["show", "1", "--library", library])
      #expect(post.output.contains("a kingfisher at the pond"), "\(post.output)")
    }
    try await expectEqual(house, other(house))
  }

  @Test(.inFolders) func `a library is not copied into itself, and one that is absent is named`() async throws {
    let house = try Household()
    try await house.media("add", "a kingfisher")
    try FileManager.default.createSymbolicLink(atPath: other(house), withDestinationPath: house.library)
    expect(try await house.media("copy", house.library, other(house)), fails: 64, saying: "are one library")
    let absent = "\(house.folder)/absent"
    expect(try await house.media("copy", absent, house.library), fails: 74, saying: "no library at")
    let plan = try await house.media("copy", house.library, absent, "--dry-run")
    #expect(plan.output == "Would copy into \(absent): 1 new, 0 updated, 0 unchanged\n", "\(plan.errors)")
    #expect(!FileManager.default.fileExists(atPath: absent))
  }

  @Test(.inFolders) func `pictures that the first library lacks are counted, and all else is copied`() async throws {
    try await withOrigin(Script.each(9)) { origin in
      let house = try Household()
      try #require(try await house.media("tag", "cats", "--server", origin.url).status == 0)
      let blobs = try #require(FileManager.default.enumerator(atPath: "\(house.library)/blobs"))
      let names = blobs.compactMap { $0 as? String }.filter { $0.utf8.count == 65 }
      try FileManager.default.removeItem(atPath: "\(house.library)/blobs/\(try #require(names.sorted().first))")
      let ended = try await house.media("copy", house.library, other(house), "--json")
      #expect(ended.status == 1 && ended.errors.contains("1 picture could not be copied"), "\(ended.errors)")
      #expect(try ended.object()["new"] as? Int == 9)
      let check = try await house.media("check", "--json", "--library", other(house))
      #expect((check.status, check.output) == (0, ""), "\(check.output)\(check.errors)")
      // A disk that is not mounted has lost nothing.
      try FileManager.default.moveItem(atPath: "\(house.library)/blobs", toPath: "\(house.folder)/elsewhere")
      let third = "\(house.folder)/third"
      expect(
        try await house.media("copy", house.library, third), fails: 74,
        saying: "\(house.library)/blobs is missing, where the library's pictures are", "see whether its disk is mounted"
      )
      #expect(!FileManager.default.fileExists(atPath: third))
    }
  }
}
