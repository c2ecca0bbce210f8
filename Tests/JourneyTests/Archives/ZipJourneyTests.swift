import Foundation
import PostgreSQLServer
import S3Server
import ScriptedOrigin
import Testing

/// `media export --format zip` with the built command, read by other programs.
@Suite(.timeLimit(.minutes(10))) struct ZipJourneyTests {
  private func names(_ sandbox: Sandbox, _ path: String) async throws -> [String] {
    let script =
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(*z.namelist(), sep='\\n')"
    let ended = try await sandbox.bash("python3 -c \"\(script)\" '\(path)'")
    try #require(ended.status == 0, "\(ended.errors)")
    return ended.output.split(separator: "\n").map(String.init)
  }

  @Test func `a zip has the files that an export of files writes, byte for byte, and other programs accept it`()
    async throws
  {
    try await withOrigin(Script.each(20)) { origin in
      let sandbox = try Sandbox()
      try #require(try await sandbox.media("tag", "cats", "--server", origin.url).status == 0)
      let path = "\(sandbox.folder)/cats.zip"
      let line = try await sandbox.media("export", "--format", "zip", "--out", path, "--json").object()
      let files = try await sandbox.media("export", "--files", "\(sandbox.folder)/files", "--json").object()
      #expect(line["format"] as? String == "zip" && line["path"] as? String == path)
      #expect((line["written"] as? Int ?? 0) > 0 && line["written"] as? Int == files["written"] as? Int)
      #expect(try await names(sandbox, path).count == line["written"] as? Int)
      let read = try await sandbox.bash(
        "cd '\(sandbox.folder)' && unzip -tq cats.zip && unzip -q cats.zip -d out && diff -r -x .media-files files out")
      #expect(read.status == 0, "\(read.output)\(read.errors)")
      let piped = try await sandbox.bash("$MEDIA export --format zip --out - | cmp - '\(path)'")
      #expect(piped.status == 0, "\(piped.output)\(piped.errors)")
      expect(try await sandbox.media("export", "--format", "zip", "--out", path), fails: 64, saying: "exists already")
    }
  }

  @Test func `names come from the template, and a damaged picture is left out`() async throws {
    let sandbox = try Sandbox()
    for (name, text) in [("a.txt", "one"), ("b.txt", "two"), ("c.txt", "three")] {
      try text.write(toFile: "\(sandbox.folder)/\(name)", atomically: true, encoding: .utf8)
      try await sandbox.media("add", "../x", "--attach", "\(sandbox.folder)/\(name)")
    }
    let path = "\(sandbox.folder)/x.zip"
    let words = ["export", "--format", "zip", "--name", "{caption}.{ext}", "--out", path]
    #expect(try await sandbox.run(words).status == 0)
    #expect(Set(try await names(sandbox, path)) == ["_._x.txt", "_._x~2.txt", "_._x~3.txt"])
    let hash = Picture.sha256(Array("two".utf8))
    let blob = "\(sandbox.library)/blobs/\(hash.prefix(2))/\(hash.dropFirst(2))"
    _ = try await sandbox.bash("chmod u+w '\(blob)' && printf twO > '\(blob)'")
    let damaged = try await sandbox.run(words + ["--force"])
    #expect(damaged.status == 1 && damaged.errors.contains("1 picture could not be copied: run \"media check\""))
    #expect(try await names(sandbox, path).sorted() == ["_._x.txt", "_._x~3.txt", "left out.txt"])
  }

  @Test
  func `of pictures in an S3 service, the command and the gallery make the same zip, and leave out what is lost there`()
    async throws
  {
    let server = try S3Server.shared()
    let bucket = try server.newBucket()
    var sandbox = try Sandbox()
    sandbox.environment.merge(server.environment()) { $1 }
    sandbox.environment["MEDIA_HOME"] = try PostgreSQLServer.shared().newURI("blobs=s3://\(bucket)/lab")
    // One is so long that it is read twice, and one is lost.
    let long = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    var words = ["add", "three files", "--tag", "kept", "--json"]
    for (name, bytes) in [("small.txt", Data("one".utf8)), ("long.bin", long), ("lost.txt", Data("two".utf8))] {
      try bytes.write(to: URL(filePath: "\(sandbox.folder)/\(name)"))
      words += ["--attach", "\(sandbox.folder)/\(name)"]
    }
    let added = try await sandbox.run(words)
    try #require(added.status == 0, "\(added.errors)")
    let hash = Picture.sha256(Array("two".utf8))
    let removed = try server.send(.delete, "/\(bucket)/lab/blobs/\(hash.prefix(2))/\(hash.dropFirst(2))", as: .owner)
    #expect(removed.status == 204)
    // What this machine wrote it kept.
    let cleared = try await sandbox.bash("find \"$HOME\" -type d -path '*/cache/s3' -print -exec rm -r {} +")
    #expect(!cleared.output.isEmpty)

    let path = "\(sandbox.folder)/x.zip"
    let exported = try await sandbox.media("export", "--format", "zip", "--name", "{n}.{ext}", "--out", path)
    #expect(exported.status == 1 && exported.errors.contains("1 picture could not be copied"), "\(exported.errors)")
    #expect(try await names(sandbox, path) == ["1.txt", "2.bin", "left out.txt"])
    let same = try await sandbox.bash("unzip -p '\(path)' 2.bin | cmp - '\(sandbox.folder)/long.bin'")
    #expect(same.status == 0, "\(same.output)\(same.errors)")
    let (visitor, saved) = (try await GalleryVisitor(sandbox), "\(sandbox.folder)/saved.zip")
    let download = try await sandbox.bash(
      "curl -sf -H 'Cookie: \(visitor.cookies)' -o '\(saved)' '\(visitor.base)/download?tag=kept'")
    #expect(download.status == 0, "\(download.errors)")
    let names = try await names(sandbox, saved)
    #expect(names.count == 3 && names.last == "left out.txt")
    visitor.serve.signal(SIGTERM)
    _ = try await visitor.serve.end()
  }

  @Test func `what makes no sense is refused in words`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a heron")
    expect(try await sandbox.media("export", "--format", "zip"), fails: 64, saying: "zip needs a file")
    expect(
      try await sandbox.media("export", "--name", "{id}"), fails: 64,
      saying: "--name goes with --files and --format zip")
    expect(
      try await sandbox.media("export", "--format", "zip", "--out", "x.zip", "--link"), fails: 64,
      saying: "--sidecars and --link go with --files")
    let terminal = try await sandbox.bash("script -qec '$MEDIA export --format zip --out -' /dev/null")
    #expect(terminal.output.contains("a zip is no text for a terminal"))
  }
}
