import Foundation
import PostgreSQLServer
import ScriptedOrigin
import Testing

/// Commands on a library in PostgreSQL, from several machines.
@Suite(.timeLimit(.minutes(10))) struct SharedLibraryTests {
  private func user(of library: String) throws -> Sandbox {
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_HOME"] = library
    return sandbox
  }

  /// A machine of a user with this library, and another one's.
  private func machines() throws -> (Sandbox, Sandbox) {
    var (one, other) = (try Sandbox(), try Sandbox())
    let address = try PostgreSQLServer.shared().newURI("blobs=\(one.folder)/pictures")
    one.environment["MEDIA_HOME"] = address
    other.environment["MEDIA_HOME"] = address
    return (one, other)
  }

  @Test func `what one machine pulls, another one lists, shows, finds and deletes`() async throws {
    let (one, other) = try machines()
    try await withOrigin(Script(posts: 30)) { origin in
      let pulled = try await one.media("tag", "cats", "--pages", "2", "--server", origin.url)
      #expect(pulled.status == 0, "\(pulled.errors)")
    }
    let posts = try await one.media("list", "--json", "--limit", "100").objects()
    #expect(!posts.isEmpty)
    let listed = try await other.media("list", "--json", "--limit", "100")
    #expect(try listed.objects().compactMap { $0["id"] as? Int } == posts.compactMap { $0["id"] as? Int })
    let picture = try #require(
      posts.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }.first {
        $0["state"] as? String == "stored"
      })
    let path = try #require(picture["path"] as? String)
    #expect(FileManager.default.fileExists(atPath: "\(one.folder)/pictures/\(path)"))
    let first = try #require(posts.first?["id"] as? Int)
    #expect(try await other.media("show", "\(first)").status == 0)
    #expect(try await other.media("delete", "\(first)").status == 0)
    let left = try await one.media("list", "--json", "--limit", "100").objects()
    #expect(left.compactMap { $0["id"] as? Int } == posts.dropFirst().compactMap { $0["id"] as? Int })
    #expect(try await one.media("restore", "\(first)").status == 0)
    #expect(try await other.media("list", "--json", "--limit", "100").objects().count == posts.count)
    #expect(try await other.media("gaps", "--json").status == 0)
    let checked = try await other.media("check")
    #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
    let collected = try await one.media("gc")
    #expect(collected.status == 0, "\(collected.errors)")
  }

  @Test func `a database without a library is no empty one, and nothing that looks or tidies makes one`() async throws {
    let (one, other) = try machines()
    for command in [
      ["list"], ["stats"], ["check"], ["check", "--repair"], ["gc"], ["delete", "1"], ["list", "--follow"],
    ] {
      expect(
        try await one.run(command), fails: 74,
        saying: "has no media library: \"media library make\" with the login that owns the database makes one")
    }
    #expect(try await one.media("settings", "view", "grid").status == 0)
    #expect(try await one.media("list", "--json").output.isEmpty)
    #expect(try await one.media("add", "the first").status == 0)
    #expect(try await other.media("list", "--json").objects().count == 1)
  }

  @Test func `a server with pgvector compares embeddings once it is told to, and one without says what it lacks`()
    async throws
  {
    let (plain, _) = try machines()
    #expect(try await plain.media("library", "make").status == 0)
    expect(try await plain.run(["library", "meaning"]), fails: 74, saying: "has no pgvector 0.7 or newer: install it")
    var able = try Sandbox()
    able.environment["MEDIA_HOME"] = try PostgreSQLServer.sharedWithVectors().newURI("blobs=\(able.folder)/pictures")
    #expect(try await able.media("library", "make").status == 0)
    let first = try await able.media("library", "meaning")
    #expect(first.output.contains(" compares embeddings from now on."), "\(first.errors)")
    #expect(first.errors.contains("some minutes"))
    let second = try await able.media("library", "meaning")
    #expect(second.output.contains(" compares embeddings already.") && second.errors.isEmpty, "\(second.errors)")
    #expect(try await able.media("library", "meaning", "--json").object()["made"] as? Bool == false)
    #expect(try await able.media("add", "the first", "--quiet").status == 0)
    for command in [["check"], ["backup", "\(able.folder)/copy"], ["doctor"]] {
      let ended = try await able.run(command)
      #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
    }
  }

  @Test func `a doctor tells how database and pictures answer, and once why they do not`() async throws {
    let (one, _) = try machines()
    let without = try await one.media("doctor")
    #expect(without.status == 74, "\(without.output)")
    let told = without.output.split(separator: "\n").count { $0.contains("has no media library") }
    #expect(told == 1, "\(without.output)")
    try await one.media("add", "the first", "--quiet")
    let ended = try await one.media("doctor")
    #expect(ended.status == 0, "\(ended.output)")
    #expect(ended.output.matches(of: /ok       services .* answers within \d+ ms\n/).count == 2, "\(ended.output)")
    #expect(ended.output.contains("1 post, "), "\(ended.output)")
  }

  @Test func `a post made by hand is found by its words on another machine`() async throws {
    let (one, other) = try machines()
    let made = try await one.media("add", "a grey heron by the canal", "--tag", "birds", "--json")
    #expect(made.status == 0, "\(made.errors)")
    let found = try await other.media("list", "--search", "Heron can", "--json")
    #expect(try found.objects().compactMap { $0["caption"] as? String } == ["a grey heron by the canal"])
    #expect(try await other.media("list", "--tag", "birds", "--json").objects().count == 1)
    #expect(try await other.media("stats", "--json").status == 0)
  }

  @Test func `without the keys of the S3 service everything works that needs no bytes`() async throws {
    let sandbox = try user(of: try PostgreSQLServer.shared().newURI("blobs=s3://nowhere/pictures"))
    #expect(try await sandbox.media("add", "a heron", "--tag", "birds").status == 0)
    try await withOrigin(Script(posts: 3)) { origin in
      let flags = ["--no-pictures", "--no-avatars"]
      let pulled = try await sandbox.run(["tag", "cats", "--server", origin.url] + flags)
      #expect(pulled.status == 0, "\(pulled.errors)")
      let harvested = try await sandbox.media("follow", "tag:cats@\(origin.url)", "--unchecked")
      #expect(harvested.status == 0, "\(harvested.errors)")
      #expect(try await sandbox.run(["harvest"] + flags).status == 0)
      let refused = try await sandbox.media("tag", "cats", "--server", origin.url)
      expect(refused, fails: 78, saying: "s3://nowhere/pictures", "no key", "set AWS_ACCESS_KEY_ID")
    }
    for arguments in [
      ["list"], ["show", "1"], ["stats"], ["settings"], ["gaps"], ["runs"], ["follows"], ["delete", "1"],
      ["restore", "1"], ["edit", "1", "--text", "a grey heron"], ["export", "--format", "ndjson"],
    ] {
      let ended = try await sandbox.run(arguments)
      #expect(ended.status == 0, "\(arguments) \(ended.errors)")
    }
    let list = try sandbox.begin("list", "--follow", "--json")
    try await list.says("a grey heron")
    list.signal(SIGTERM)
    _ = try await list.end()
    try Data("a text".utf8).write(to: URL(filePath: "\(sandbox.folder)/file.txt"))
    for arguments in [["add", "with a file", "--attach", "\(sandbox.folder)/file.txt"], ["gc"]] {
      expect(
        try await sandbox.run(arguments), fails: 78, saying: "no key for the S3 service is known: set AWS_ACCESS_KEY_ID"
      )
    }
    #expect(try await sandbox.media("list", "--json").objects().count == 4)
  }

  @Test func `a backup that cannot hold a record says so, and is not taken for whole`() async throws {
    let (one, _) = try machines()
    for text in ["a heron", "a kingfisher"] { #expect(try await one.media("add", text).status == 0) }
    let database = one.address.replacing(/&blobs=.*/, with: "")
    let damaged = try await one.bash(
      "psql -X -q '\(database)' -c \"UPDATE media.post SET updated_at = 'never' WHERE caption = 'a heron'\"")
    #expect(damaged.status == 0, "\(damaged.errors)")
    for _ in 1...2 {
      let ended = try await one.media("backup", "\(one.folder)/backup")
      #expect(ended.status == 1 && ended.errors.contains("1 record cannot be stored"), "\(ended.output)\(ended.errors)")
    }
  }

  @Test func `an address without a folder for pictures is refused`() async throws {
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_HOME"] = "postgresql://nobody@localhost/library"
    let ended = try await sandbox.media("list")
    #expect(ended.status == 64)
    #expect(ended.errors.contains("blobs="))
  }

  @Test func `a server that does not answer is named, without the password`() async throws {
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_HOME"] =
      "postgresql://me:secretword@localhost:1/library?blobs=\(sandbox.folder)/pictures"
    let ended = try await sandbox.media("list", "--json")
    #expect(ended.status == 75)
    #expect(ended.errors.contains("localhost:1"))
    #expect(!ended.errors.contains("secretword") && !ended.output.contains("secretword"))
  }

  @Test func `a library in a folder is copied into a shared one, and taken out again`() async throws {
    let (one, _) = try machines()
    let sandbox = try Sandbox()
    try await withOrigin(Script(posts: 30)) { origin in
      let pulled = try await sandbox.media("tag", "cats", "--server", origin.url)
      #expect(pulled.status == 0, "\(pulled.errors)")
    }
    #expect(try await sandbox.media("add", "a note", "--tag", "notes").status == 0)
    #expect(try await sandbox.media("delete", "2").status == 0)
    let address = try #require(one.environment["MEDIA_HOME"])
    let original = sandbox.address
    let copied = try await sandbox.media("copy", original, address)
    #expect(copied.status == 0, "\(copied.output)\(copied.errors)")
    let there = try await one.media("list", "--json", "--limit", "100").objects().compactMap {
      $0["caption"] as? String
    }
    let here = try await sandbox.media("list", "--json", "--limit", "100").objects().compactMap {
      $0["caption"] as? String
    }
    #expect(there == here && !here.isEmpty)
    #expect(try await one.media("check", "--deep").status == 0)
    let again = try await sandbox.media("copy", address, "\(sandbox.folder)/back")
    #expect(again.status == 0, "\(again.output)\(again.errors)")
    var back = sandbox
    back.environment["MEDIA_HOME"] = "\(sandbox.folder)/back"
    let equal = try await back.media("check", "--against", original)
    #expect(equal.status == 0, "\(equal.output)\(equal.errors)")
    #expect(try await back.media("check", "--deep").status == 0)
  }

  @Test(.inFolders) func `a laptop's library says how many changes wait while the shared one is away`() async throws {
    let server = try PostgreSQLServer.shared()
    let (laptop, desktop) = (try Sandbox(), try Sandbox())
    let address = try server.newURI("blobs=\(laptop.folder)/pictures")
    let text = "[libraries]\nlab = \"\(address.replacing("media@", with: "media:secretword@"))\"\n"
    for sandbox in [laptop, desktop] { try sandbox.configure("config.toml", text) }
    let shown = String(address.prefix { $0 != "&" })
    func waiting() async throws -> Int? {
      (try await laptop.media("stats", "--json").object()["waiting"] as? [String: any Sendable])?[shown] as? Int
    }
    func expectWaits(_ words: String) async throws {
      try server.setOpen(false, address)
      let ended = try await laptop.media("copy", laptop.library, "lab")
      #expect(ended.status != 0 && ended.errors.contains("\(words) to be sent to \(shown)\n"), "\(ended.errors)")
      #expect(!(ended.output + ended.errors).contains("secretword"))
      try server.setOpen(true, address)
    }
    for number in 1...3 { #expect(try await laptop.media("add", "note \(number)").status == 0) }
    try await expectWaits("3 changes wait")
    #expect(try await waiting() == nil)
    #expect(try await laptop.media("copy", laptop.library, "lab").status == 0)
    #expect(try await waiting() == 0)

    for command in [["add", "note 4"], ["edit", "1", "--text", "the first"], ["delete", "2"], ["restore", "2"]] {
      #expect(try await laptop.run(command).status == 0)
    }
    try await expectWaits("3 changes wait")
    #expect(try await waiting() == 3)
    #expect(try await laptop.media("stats").output.contains("3 changes to be sent to \(shown)"))
    let gallery = try await GalleryVisitor(laptop)
    let status = try await gallery.get("/status")
    #expect(status.text.contains("3 changes wait to be sent to \(shown)<"), "\(status.text)")
    gallery.serve.signal(SIGTERM)
    // What is only planned sends nothing.
    #expect(try await laptop.media("copy", laptop.library, "lab", "--dry-run").status == 0)
    #expect(try await waiting() == 3)
    #expect(try await laptop.media("copy", laptop.library, "lab").status == 0)
    #expect(try await waiting() == 0)

    // What comes from there need not be sent back.
    #expect(try await desktop.media("add", "from the desktop", "--library", "lab").status == 0)
    #expect(try await desktop.media("delete", "3", "--library", "lab").status == 0)
    let back = try await laptop.media("copy", "lab", laptop.library, "--json")
    #expect(try back.object()["new"] as? Int == 1, "\(back.errors)")
    #expect(try await waiting() == 0)
    #expect(try await laptop.media("add", "note 5").status == 0)
    try await expectWaits("1 change waits")
    // Nothing is taken for sent that came along with what was not.
    #expect(try await desktop.media("add", "more", "--library", "lab").status == 0)
    #expect(try await laptop.media("copy", "lab", laptop.library).status == 0)
    #expect(try await waiting() == 2)

    let marks = "\(laptop.library)/copies.json"
    #expect(try String(contentsOfFile: marks, encoding: .utf8).contains("secretword") == false)
    let mode = try FileManager.default.attributesOfItem(atPath: marks)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    // What it says instead of marks counts for nothing.
    try Data("[1]".utf8).write(to: URL(filePath: marks))
    #expect(try await waiting() == nil)
    #expect(try await laptop.media("copy", laptop.library, "lab").status == 0)
    #expect(try await waiting() == 0)
  }

  @Test func `a shared library has workers in place of a schedule`() async throws {
    let (one, _) = try machines()
    let ended = try await one.media("schedule", "install")
    #expect(ended.status == 64)
    #expect(ended.errors.contains("media harvest --workers 4"))
  }
}
