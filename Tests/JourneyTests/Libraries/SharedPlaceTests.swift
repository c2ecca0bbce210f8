import Foundation
import PostgreSQLServer
import S3Server
import Testing

/// Making a library on a server, and the place of its pictures.
@Suite(.timeLimit(.minutes(10))) struct SharedPlaceTests {
  private let server: S3Server
  private let bucket: String
  private let sandbox: Sandbox

  init() throws {
    server = try S3Server.shared()
    bucket = try server.newBucket()
    var sandbox = try Sandbox()
    sandbox.environment.merge(server.environment()) { $1 }
    self.sandbox = sandbox
    try Data("a text".utf8).write(to: URL(filePath: "\(sandbox.folder)/note.txt"))
  }

  private func at(_ prefix: String, _ database: String) -> String { "\(database)&blobs=s3://\(bucket)/\(prefix)" }

  private func run(_ words: [String], _ library: String) async throws -> Ended {
    try await sandbox.run(words + ["--library", library])
  }

  private func attach(_ library: String) async throws -> Ended {
    try await run(["add", "with a file", "--attach", "\(sandbox.folder)/note.txt"], library)
  }

  @Test func `pictures go nowhere but to the library's own place, also after a move`() async throws {
    let database = try PostgreSQLServer.shared().newURI()
    let made = try await run(["library", "make", "--json"], at("library", database))
    #expect(try made.object()["made"] as? Bool == true, "\(made.errors)")
    #expect(try await attach(at("library", database)).status == 0)
    let words = "s3://\(bucket)/libary cannot be used, since this library keeps its pictures in s3://\(bucket)/library"
    expect(try await attach(at("libary", database)), fails: 78, saying: words)
    for command in [["list"], ["check"], ["gc"]] {
      expect(try await run(command, at("libary", database)), fails: 78, saying: words)
    }
    let moved = try await run(["library", "move-pictures", "s3://\(bucket)/new", "--json"], at("library", database))
    #expect(try moved.object()["verified"] as? Int == 1 && moved.object()["copied"] as? Int == 1, "\(moved.errors)")
    expect(
      try await run(["list"], at("library", database)), fails: 78, saying: "keeps its pictures in s3://\(bucket)/new")
    let checked = try await run(["check", "--deep"], at("new", database))
    #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
  }

  @Test func `two libraries cannot keep their pictures in one place`() async throws {
    let databases = try (0..<2).map { _ in try PostgreSQLServer.shared().newURI() }
    #expect(try await attach(at("library", databases[0])).status == 0)
    let refused = "s3://\(bucket)/library cannot be used, since another library keeps its pictures there"
    expect(
      try await run(["library", "make"], at("library", databases[1])), fails: 78, saying: refused, output: true)
    #expect(try await run(["settings", "trash", "0s"], at("library", databases[1])).status == 0)
    for command in [["gc"], ["check", "--repair"]] {
      expect(try await run(command, at("library", databases[1])), fails: 78, saying: refused)
    }
    expect(try await attach(at("library", databases[1])), fails: 78, saying: refused)
    let backup = try await run(["backup", "s3://\(bucket)/library"], at("other", databases[1]))
    #expect(backup.status != 0 && backup.errors.contains("s3://\(bucket)/library"), "\(backup.errors)")
    #expect(try await run(["check", "--deep"], at("library", databases[0])).status == 0)
  }

  @Test func `a place among another library's pictures is refused`() async throws {
    let databases = try (0..<2).map { _ in try PostgreSQLServer.shared().newURI() }
    #expect(try await attach(at("library", databases[0])).status == 0)
    let refused = "s3://\(bucket)/library/blobs cannot be used, since the pictures of s3://\(bucket)/library are there"
    expect(
      try await run(["library", "make"], at("library/blobs", databases[1])), fails: 78, saying: refused, output: true)
    expect(
      try await run(["library", "move-pictures", "s3://\(bucket)/library/blobs"], at("library", databases[0])),
      fails: 78, saying: refused)
  }

  @Test func `a check whose service lets nobody in says so once, and nothing of each picture`() async throws {
    let library = at("library", try PostgreSQLServer.shared().newURI())
    #expect(try await attach(library).status == 0)
    var bare = sandbox
    for name in bare.environment.keys where name.hasPrefix("AWS_") { bare.environment[name] = nil }
    for words in [["check"], ["check", "--repair"]] {
      let ended = try await bare.run(words + ["--library", library])
      expect(ended, fails: 78, saying: "s3://\(bucket)/library", "no key", output: true)
      #expect(!ended.output.contains("blob"), "\(ended.output)")
    }
  }

  @Test func `pictures whose library is not known are not taken for a new library's`() async throws {
    let databases = try (0..<2).map { _ in try PostgreSQLServer.shared().newURI() }
    let pictures = "\(sandbox.folder)/lost"
    #expect(try await attach("\(databases[0])&blobs=\(pictures)").status == 0)
    try FileManager.default.removeItem(atPath: "\(pictures)/library-identity")
    let refused = "cannot be used, since pictures are there that this library does not know"
    expect(try await attach("\(databases[1])&blobs=\(pictures)"), fails: 78, saying: refused)
    let made = try await run(["library", "make"], "\(databases[1])&blobs=\(pictures)")
    expect(made, fails: 78, saying: refused, output: true)
    #expect(made.output.contains("no place for its pictures"), "\(made.output)")
    let checked = try await run(["library", "move-pictures", pictures], "\(databases[0])&blobs=\(pictures)")
    #expect(checked.status == 0, "\(checked.errors)")
  }

  @Test func `a folder with a server library's pictures does not become a library`() async throws {
    let library = "\(try PostgreSQLServer.shared().newURI())&blobs=\(sandbox.folder)/pictures"
    #expect(try await attach(library).status == 0)
    expect(
      try await run(["add", "a heron"], "\(sandbox.folder)/pictures"), fails: 74,
      saying: "a library on a server keeps its pictures in \(sandbox.folder)/pictures")
    expect(
      try await run(["library", "make"], "\(sandbox.folder)/folder"), fails: 64, saying: "the library is in a folder")
  }

  /// The guide of shared libraries, as a reader copies from it.
  @Test func `the guide's first steps let one person read and another one write`() async throws {
    let guide = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/guide/shared.md"),
      encoding: .utf8)
    let script = try #require(guide.firstMatch(of: /## One host[\s\S]*?```sql\n([\s\S]*?)```/)?.1)
    let server = try PostgreSQLServer()
    defer { server.end() }
    try Data(script.utf8).write(to: URL(filePath: "\(sandbox.folder)/first.sql"))
    let prepared = try await sandbox.start(
      "/usr/bin/env",
      [
        "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-d", server.address(of: "postgres"), "-f",
        "\(sandbox.folder)/first.sql",
      ]
    ).end()
    #expect(prepared.status == 0, "\(prepared.errors)")
    let host = try #require(server.address(of: "").firstMatch(of: /host=(\S+)/)?.1)
    let library = { (user: String) in "postgresql://\(user)@/shared?host=\(host)&blobs=s3://\(bucket)/shared" }
    expect(try await run(["list"], library("media_owner")), fails: 74, saying: "has no media library")
    #expect(guide.contains("media library make --library") && guide.contains("media library grants --run --library"))
    for command in [["library", "make"], ["library", "grants", "--run"], ["add", "of the owner"]] {
      let ended = try await run(command, library("media_owner"))
      #expect(ended.status == 0, "\(command) \(ended.errors)")
    }
    let printed = try await run(["library", "grants"], library("media_owner"))
    #expect(printed.lines.count > 8 && printed.lines.allSatisfy { $0.hasSuffix(";") }, "\(printed.output)")
    let asJSON = try await run(["library", "grants", "--json"], library("media_owner"))
    let statements = asJSON.lines.map { try? JSONDecoder().decode([String: String].self, from: Data($0.utf8)) }
    #expect(statements == printed.lines.map { ["statement": String($0.dropLast())] }, "\(asJSON.output)")
    #expect(try await attach(library("bert")).status == 0)
    for command in [["list", "--json"], ["stats"], ["check", "--deep"], ["show", "1"]] {
      let ended = try await run(command, library("cleo"))
      #expect(ended.status == 0 && !ended.output.isEmpty, "\(command) \(ended.errors)")
    }
    expect(try await run(["add", "of a reader"], library("cleo")), fails: 74, saying: "library grants")
  }
}
