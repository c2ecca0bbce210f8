import Foundation
import PostgreSQLServer
import S3Server
import ScriptedOrigin
import Storage
import Testing

/// Every command on one library in PostgreSQL whose pictures are in an S3 service.
@Suite(.timeLimit(.minutes(10))) struct SharedCommandsTests {
  private let server: S3Server
  private let sandbox: Sandbox

  init() throws {
    server = try S3Server.shared()
    var sandbox = try Sandbox()
    sandbox.environment.merge(server.environment()) { $1 }
    sandbox.environment["MEDIA_HOME"] = try Self.address(server)
    self.sandbox = sandbox
  }

  private static func address(_ server: S3Server) throws -> String {
    try PostgreSQLServer.shared().newURI("blobs=s3://\(server.newBucket())/library")
  }

  /// Runs a command that has to succeed.
  @discardableResult
  private func media(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> Ended {
    let ended = try await sandbox.run(words)
    try #require(ended.status == 0, "\(words) \(ended.output)\(ended.errors)", sourceLocation: sourceLocation)
    return ended
  }

  private func list(_ words: String...) async throws -> [[String: any Sendable]] {
    try await sandbox.run(["list", "--json", "--limit", "500"] + words).objects()
  }

  /// The path of the first stored picture of a post.
  private static func picture(of post: [String: any Sendable]) -> String? {
    (post["attachments"] as? [[String: any Sendable]])?.first { $0["state"] as? String == "stored" }?["path"] as? String
  }

  @Test func `pulls, gaps, rechecks, repairs and garbage are those of a folder`() async throws {
    let all = Script(posts: 60).posts
    try await withOrigin(Script(posts: Array(all.dropFirst(40)))) { origin in
      let login = ["login", origin.url, "--token-stdin", "--no-browser"]
      #expect(try await sandbox.run(login, input: "scripted-token\n").status == 0)
      let pull = ["--server", origin.url, "--page-size", "10", "--pages", "1"]
      #expect(try await sandbox.run(["tag", "cats"] + pull).status == 0)
      origin.change { $0.posts = all }
      #expect(try await sandbox.run(["tag", "cats", "--new"] + pull).status == 0)
      let feed = "tag:cats@\(origin.url)"
      #expect(try await media("gaps", "--json").object()["kind"] as? String == "gap")
      try await media("gaps", feed, "--fill", "--pages", "9")
      #expect(try await media("gaps", "--json").output.isEmpty)
      #expect(try await list("--feed", feed).count >= 30)
      for words in [["user", "user1"], ["search", "e"]] {
        let ended = try await sandbox.run(words + pull)
        #expect(ended.status == 0, "\(words) \(ended.errors)")
      }
      origin.change { script in
        script.posts[0].caption = "edited since"
        script.posts[0].html = "<p>edited since</p>"
      }
      #expect(try await media("recheck", feed).output.contains("1 edited"))
      #expect(try await list("--search", "edited since").first?["revisions"] as? Int == 1)
      try await media("follow", feed, "--every", "1h")
      try await media("harvest", "--json")
      #expect(try await media("runs", "--json").objects().count { $0["kind"] as? String == "harvest" } == 1)
      #expect(try await media("follows", "--json").objects().count == 1)
      try await media("unfollow", feed)
      #expect(try await media("follows", "--json").output.isEmpty)
      #expect(try await media("check", "--deep").status == 0)

      // What the service lost is fetched again.
      let shown = try #require(try await list().first { Self.picture(of: $0) != nil })
      let lost = try #require(Self.picture(of: shown))
      let bucket = try #require(sandbox.address.firstMatch(of: /s3:\/\/([^\/]+)/)?.1)
      #expect(try server.send(.delete, "/\(bucket)/library/\(lost)", as: .owner).status == 204)
      #expect(try await sandbox.media("check").status == 1)
      let repaired = try await sandbox.media("check", "--repair")
      #expect(try await sandbox.media("check").status == 0, "\(repaired.output)\(repaired.errors)")

      for command in [["settings", "gc-grace", "119m"], ["settings", "gc-grace", "0s"]] {
        expect(
          try await sandbox.run(command), fails: 64,
          saying: "with gc-grace at \(command[2]), media gc could remove pictures that another machine is storing: "
            + "set 2h or more in a library that machines share, as by \"media settings gc-grace 24h\"")
      }
      try sandbox.configure("config.toml", "gc-grace = \"5m\"\n")
      for command in [["gc"], ["gc", "--dry-run"]] {
        expect(try await sandbox.run(command), fails: 64, saying: "with gc-grace at 5m, media gc could remove pictures")
      }
      try await media("settings", "gc-grace", "2h")
      try await sandbox.endGrace()
      try await media("delete", "\(try #require(shown["id"] as? Int))")
      let collected = try await media("gc", "--json").object()
      #expect(collected["trashed"] as? Int ?? 0 >= 1 && collected["blobs"] as? Int ?? 0 >= 1, "\(collected)")
      try await media("check", "--deep")
    }
  }

  @Test func `entries, settings, exports, imports and backups are those of a folder`() async throws {
    let picture = "\(sandbox.folder)/picture.png"
    let bytes =
      Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8))
      + Data(repeating: 1, count: 888) + Data(Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82])
    try bytes.write(to: URL(filePath: picture))
    try await media("add", "a heron", "--tag", "birds", "--attach", picture)
    try await media("plan", "Dentist", "--start", "2030-01-02 10:00", "--finish", "2030-01-02 11:00", "--tag", "health")
    try await media("edit", "1", "--text", "a grey heron", "--tag", "grey")
    #expect(try await list("--planned").first?["title"] as? String == "Dentist")
    #expect(try await media("show", "1", "--json").object()["revisions"] as? Int == 1)
    try await media("settings", "refresh", "5m")
    #expect(try await media("settings", "refresh").output == "5m\n")

    for format in ["csv", "json-feed", "atom", "opml", "activitystreams", "diary", "ics", "warc", "ndjson"] {
      let ended = try await media("export", "--format", format, "--out", "\(sandbox.folder)/out.\(format)")
      #expect(FileManager.default.fileExists(atPath: "\(sandbox.folder)/out.\(format)"), "\(format) \(ended.errors)")
    }
    try await media("export", "--format", "html", "--out", "\(sandbox.folder)/site")
    try await media("export", "--files", "\(sandbox.folder)/files")
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: "\(sandbox.folder)/files").contains { $0.hasSuffix(".png") })
    let archive = "\(sandbox.folder)/library.tar"
    try await media("export", "--raw", "--out", archive)

    var other = sandbox
    other.environment["MEDIA_HOME"] = try Self.address(server)
    let imported = try await other.media("import", archive)
    #expect(imported.status == 0, "\(imported.errors)")
    let entries = try await other.media("import", "\(sandbox.folder)/out.ics")
    #expect(entries.status == 0, "\(entries.errors)")
    try await expectEqual(other, sandbox.address)
    #expect(try await other.media("check", "--deep").status == 0)

    try await backUp(to: "\(sandbox.folder)/backup", picture: bytes)
    try await backUp(to: "s3://\(try server.newBucket())/backup", picture: bytes)
  }

  private func expectEqual(_ sandbox: Sandbox, _ library: String) async throws {
    let compared = try await sandbox.media("check", "--against", library)
    #expect(compared.status == 0, "\(compared.output)\(compared.errors)")
  }

  /// Backs up twice and verifies. A backup in a folder is read as a library.
  private func backUp(to target: String, picture: Data) async throws {
    let first = try await media("backup", target, "--json", "--verify")
    #expect(try first.objects().first?["copied"] as? Int == 1, "\(first.output)")
    try await media("add", "another")
    try await media("backup", target, "--verify")
    guard target.hasPrefix("/") else { return }
    var copy = sandbox
    copy.environment["MEDIA_HOME"] = target
    try await expectEqual(copy, sandbox.address)
    #expect(try await copy.media("check", "--deep").status == 0)
    // Whoever wrote to the backup does not lose it.
    #expect(try await copy.media("add", "in the backup").status == 0)
    let refused = try await sandbox.media("backup", target)
    #expect(refused.status != 0 && refused.errors.contains(target), "\(refused.errors)")
  }

  /// A machine whose key is refused shows everything but the bytes, and says why.
  private func refuses(_ picture: String) async throws {
    var other = try Sandbox()
    other.environment.merge(server.environment().merging(["AWS_SECRET_ACCESS_KEY": "wrong"]) { $1 }) { $1 }
    other.environment["MEDIA_HOME"] = sandbox.address
    let gallery = try await GalleryVisitor(other)
    #expect(try await gallery.get("/?tag=demo").status == 200)
    let refused = try await gallery.get("/blob/\(picture)")
    #expect(refused.status == 503 && refused.text.contains("cannot be used"), "\(refused.text)")
    gallery.serve.signal(SIGTERM)
  }

  @Test func `one machine at a time backs up into a bucket, and any number into their folders`() async throws {
    try await media("add", "a heron")
    let store = try Store.open(library: try #require(LibraryAddress(sandbox.address)))
    defer { store.close() }
    let bucket = "s3://\(try server.newBucket())/backup"
    let leases = try #require(store.leases)
    let taken = try leases.takeLeases(["backup:\(bucket)"], most: 1, as: "other:1", lasting: .seconds(60))
    let lease = try #require(taken.first)
    expect(try await sandbox.media("backup", bucket), fails: 75, saying: "another backup into \(bucket) is running")
    try await media("backup", "\(sandbox.folder)/backup")
    try leases.releaseLease(lease)
    try await media("backup", bucket)
  }

  @Test func `the gallery adds, deletes and pulls`() async throws {
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "30")
    let url = try await demo.line("http://127.0.0.1:")
    #expect(try await media("library", "make").status == 0)
    let gallery = try await GalleryVisitor(sandbox)
    let begun = try await gallery.post("/api/pull/feed", #"{"kind":"tag","value":"demo","server":"\#(url)","pages":1}"#)
    let job = try await gallery.job(begun.id)
    #expect(job["state"] as? String == "done", "\(job)")
    let posts = try await list()
    #expect(posts.count == 30)
    let picture = try #require(
      posts.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }.compactMap { $0["sha256"] as? String }
        .first)
    #expect(try await gallery.get("/blob/\(picture)").status == 200)
    #expect(try await gallery.get("/?tag=demo").status == 200)
    try await refuses(picture)
    let id = try #require(posts.first?["id"] as? Int)
    #expect(try await gallery.post("/api/delete", "{\"ids\":[\(id)]}").status == 200)
    #expect(try await list().count == 29)
    demo.signal(SIGTERM)
    gallery.serve.signal(SIGTERM)
  }
}
