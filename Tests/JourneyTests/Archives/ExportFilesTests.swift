import Foundation
import ScriptedOrigin
import Testing

/// `media export --files` with the built command.
@Suite(.timeLimit(.minutes(10))) struct ExportFilesTests {
  private func newSandbox(_ origin: Origin) async throws -> Sandbox {
    let sandbox = try Sandbox()
    let ended = try await sandbox.media("tag", "cats", "--server", origin.url)
    try #require(ended.status == 0, "\(ended.errors)")
    return sandbox
  }

  private func export(_ sandbox: Sandbox, _ more: String...) async throws -> [String: any Sendable] {
    let ended = try await sandbox.run(["export", "--files", folder(sandbox), "--json"] + more)
    try #require(ended.status == 0, "\(ended.errors)")
    return try ended.object()
  }

  private func folder(_ sandbox: Sandbox) -> String { "\(sandbox.folder)/pictures" }

  private func files(_ folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { !FileManager.default.fileExists(atPath: "\(folder)/\($0)/.") && $0 != ".media-files" }
      .sorted()
  }

  private func hash(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { Picture.sha256(Array($0)) }
  }

  private func attachments(_ sandbox: Sandbox) async throws -> [(post: Int, sha256: String, createdAt: String)] {
    try await sandbox.media("list", "--json", "--limit", "1000").objects().flatMap { post in
      (post["attachments"] as? [[String: any Sendable]] ?? []).compactMap { attachment in
        guard let id = post["id"] as? Int, let hash = attachment["sha256"] as? String,
          let time = post["created_at"] as? String
        else { return nil }
        return (id, hash, time)
      }
    }
  }

  @Test func `each picture has its bytes, its name and its post's time, and a second export writes only what is new`()
    async throws
  {
    try await withOrigin(Script.each(20)) { origin in
      let sandbox = try await newSandbox(origin)
      let all = try await attachments(sandbox)
      #expect(try await export(sandbox)["written"] as? Int == all.count)
      let names = files(folder(sandbox))
      #expect(names.count == all.count && names.allSatisfy { $0.hasPrefix("mastodon/") })
      for attachment in all {
        let name = try #require(names.first { $0.contains("/\(attachment.post)_") })
        let time = try FileManager.default.attributesOfItem(atPath: "\(folder(sandbox))/\(name)")[.modificationDate]
        let wanted = try Date(attachment.createdAt, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        #expect(abs((time as? Date ?? .distantPast).timeIntervalSince(wanted)) < 0.01)
      }
      #expect(Set(names.map { hash("\(folder(sandbox))/\($0)") }) == Set(all.map(\.sha256)))
      let again = try await export(sandbox)
      #expect((again["written"] as? Int, again["left"] as? Int) == (0, all.count))
      // Without the index, the bytes tell.
      try FileManager.default.removeItem(atPath: "\(folder(sandbox))/.media-files")
      try FileManager.default.removeItem(atPath: "\(folder(sandbox))/\(names[0])")
      let third = try await export(sandbox)
      #expect((third["written"] as? Int, third["left"] as? Int) == (1, all.count - 1))
      #expect(files(folder(sandbox)) == names)
    }
  }

  @Test func `files of one name get numbers, and a file of somebody else is left`() async throws {
    try await withOrigin(Script.each(6)) { origin in
      let sandbox = try await newSandbox(origin)
      let all = try await attachments(sandbox)
      try FileManager.default.createDirectory(atPath: folder(sandbox), withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: URL(filePath: "\(folder(sandbox))/CAT.JPG"))
      #expect(try await export(sandbox, "--name", "cat.jpg")["written"] as? Int == Set(all.map(\.sha256)).count)
      let names = files(folder(sandbox))
      #expect(names.contains("CAT.JPG") && names.contains("cat~2.jpg") && !names.contains("cat.jpg"))
      #expect(Set(names.map { $0.lowercased() }).count == names.count)
      #expect(
        String(decoding: FileManager.default.contents(atPath: "\(folder(sandbox))/CAT.JPG") ?? Data(), as: UTF8.self)
          == "mine")
      #expect(try await export(sandbox, "--name", "cat.jpg")["written"] as? Int == 0)
      #expect(files(folder(sandbox)) == names)
    }
  }

  @Test func `a link in the folder is not followed`() async throws {
    try await withOrigin(Script.each(3)) { origin in
      let sandbox = try await newSandbox(origin)
      let outside = "\(sandbox.folder)/outside"
      for path in [outside, folder(sandbox)] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      }
      try FileManager.default.createSymbolicLink(atPath: "\(folder(sandbox))/mastodon", withDestinationPath: outside)
      #expect(try await export(sandbox)["written"] as? Int ?? 0 > 0)
      #expect(files(outside) == [])
      #expect(files(folder(sandbox)).contains { $0.hasPrefix("mastodon~2/") })
    }
  }

  @Test func `links share the bytes and keep their time, and say so`() async throws {
    try await withOrigin(Script.each(3)) { origin in
      let sandbox = try await newSandbox(origin)
      let ended = try await sandbox.media("export", "--files", folder(sandbox), "--link")
      #expect(ended.status == 0 && ended.errors.contains("shares its bytes"))
      for name in files(folder(sandbox)) {
        let facts = try FileManager.default.attributesOfItem(atPath: "\(folder(sandbox))/\(name)")
        #expect(facts[.referenceCount] as? Int ?? 0 > 1)
        #expect((facts[.modificationDate] as? Date ?? .distantPast).timeIntervalSinceNow > -86_400)
      }
      #expect(try await sandbox.media("check").status == 0)
    }
  }

  @Test func `sidecars stand beside their file, and one that somebody changed is kept`() async throws {
    try await withOrigin(Script.each(3)) { origin in
      let sandbox = try await newSandbox(origin)
      let first = try await export(sandbox, "--sidecars", "xmp,json,hydrus")
      let names = files(folder(sandbox))
      let count = first["written"] as? Int ?? 0
      #expect(count > 0 && first["sidecars"] as? Int == 4 * count)
      let picture = try #require(names.first { $0.hasSuffix(".json") }).dropLast(5)
      for ending in ["", ".xmp", ".txt", ".urls.txt"] { #expect(names.contains(picture + ending)) }
      let json = try #require(FileManager.default.contents(atPath: "\(folder(sandbox))/\(picture).json"))
      #expect(try JSONSerialization.jsonObject(with: json) as? [String: any Sendable] != nil)
      let other = ["--library", "\(sandbox.folder)/other", "--json", "--limit", "100"]
      let come = try await sandbox.run(["import", folder(sandbox), "--json"] + other.prefix(2)).object()
      let (posts, stored) = (
        try await sandbox.media("list", "--json").objects(), try await sandbox.run(["list"] + other)
      )
      let attachments = try stored.objects().flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
      #expect(attachments.count { $0["state"] as? String == "stored" } == count, "\(come)")
      let kept = Dictionary(try stored.objects().map { ($0["url"] as? String, $0) }) { $1 }
      for post in posts where post["attachments"] as? [any Sendable] != nil {
        guard let copy = kept[post["url"] as? String] else { continue }
        #expect(copy["caption"] as? String == post["caption"] as? String)
        #expect(copy["created_at"] as? String == post["created_at"] as? String)
      }
      #expect(kept.count > 1, "\(come)")
      try Data("mine".utf8).write(to: URL(filePath: "\(folder(sandbox))/\(picture).txt"))
      let again = try await export(sandbox, "--sidecars", "hydrus,json,xmp")
      #expect((again["sidecars"] as? Int, again["kept"] as? Int) == (0, 1))
      expect(
        try await sandbox.media("export", "--files", folder(sandbox), "--sidecars", "exif"), fails: 64, saying: "exif")
      expect(
        try await sandbox.media("export", "--files", folder(sandbox), "--name", "../{id}"), fails: 64,
        saying: "leads out")
      expect(try await sandbox.media("export", "--link"), fails: 64, saying: "go with --files")
    }
  }
}
