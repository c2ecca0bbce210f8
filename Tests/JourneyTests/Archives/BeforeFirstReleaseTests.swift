import Folders
import Foundation
import PostgreSQLServer
import Testing

/// A library that a program before the first release made: each command says in the same words what opens it.
@Suite(.timeLimit(.minutes(10))) struct BeforeFirstReleaseTests {
  private func expectRefused(
    _ ended: Ended, _ path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expect(
      ended, fails: 74,
      saying: "\(path) was made by a version of media before 1.0: "
        + "open it once with the program of commit 90cc6253, then again with this one",
      sourceLocation: sourceLocation)
  }

  private func bytes(_ library: String) -> Data? { FileManager.default.contents(atPath: "\(library)/media.sqlite") }

  @Test(.inFolders, arguments: [1, 24])
  func `a library in a folder is refused by every command, and no byte of it changes`(version: Int) async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "first bird")
    try await sandbox.sql("PRAGMA user_version = \(version)")
    let before = try #require(bytes(sandbox.library))
    let other = ["--library", "\(sandbox.folder)/other"]
    try #require(try await sandbox.run(["add", "another bird"] + other).status == 0)
    let commands = [
      ["list"], ["list", "--json"], ["show", "1"], ["add", "second bird"],
      ["tag", "cats", "--server", "http://127.0.0.1:9"],
      ["harvest"], ["check"], ["check", "--repair"], ["check", "--deep"], ["gc"], ["stats"],
      ["export", "--format", "ndjson"],
      ["backup", "\(sandbox.folder)/backup"], ["copy", sandbox.library, "\(sandbox.folder)/other"],
      ["copy", "\(sandbox.folder)/other", sandbox.library], ["check", "--against", sandbox.library] + other, ["serve"],
    ]
    for command in commands {
      expectRefused(try await sandbox.run(command), "\(sandbox.library)/media.sqlite")
      #expect(bytes(sandbox.library) == before, "\(command)")
    }
    let server = try sandbox.start(
      Sandbox.built("media-serve"),
      ["--folder", sandbox.library, "--configuration", sandbox.configuration, "--port", "0"])
    server.endInput()
    expectRefused(try await server.end(), "\(sandbox.library)/media.sqlite")
    #expect(bytes(sandbox.library) == before)
  }

  @Test(.inFolders) func `a backup is refused when it is verified, and the next one takes its place`() async throws {
    let sandbox = try Sandbox()
    let backup = "\(sandbox.folder)/backup"
    try await sandbox.media("add", "first bird")
    try #require(try await sandbox.media("backup", backup).status == 0)
    var there = sandbox
    there.environment["MEDIA_HOME"] = backup
    try await there.sql("PRAGMA user_version = 24")
    let before = try #require(bytes(backup))
    let verified = try await sandbox.media("backup", backup, "--verify")
    #expect(verified.status == 74 && verified.errors.contains("media: \(backup)/media.sqlite was made by a version"))
    #expect(bytes(backup) == before)
    try await sandbox.media("add", "second bird")
    let next = try await sandbox.media("backup", backup, "--verify")
    #expect(next.status == 0, "\(next.errors)")
    #expect(try await sandbox.media("list", "--json", "--library", backup).objects().count == 2)
  }

  @Test func `a library in a database is refused by every command, and keeps its version`() async throws {
    var sandbox = try Sandbox()
    let address = try PostgreSQLServer.shared().newURI("blobs=\(sandbox.folder)/pictures")
    sandbox.environment["MEDIA_HOME"] = address
    try #require(try await sandbox.media("add", "first bird").status == 0)
    try await sandbox.sql("UPDATE library SET version = 14")
    let shown = String(address.prefix { $0 != "&" })
    for command in [
      ["list"], ["add", "second bird"], ["check"], ["gc"], ["copy", address, "\(sandbox.folder)/other"],
    ] {
      expectRefused(try await sandbox.run(command), shown)
    }
    #expect(try await sandbox.sql("SELECT version FROM library") == "14\n")
    #expect(try await sandbox.sql("SELECT count(*) FROM post") == "1\n")
  }
}
