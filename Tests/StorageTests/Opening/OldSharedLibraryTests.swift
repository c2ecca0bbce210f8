import Folders
import Foundation
import Migrations
import PostgreSQL
import PostgreSQLServer
import Testing

@testable import Storage

/// Libraries in PostgreSQL as earlier versions left them, in `Fixtures`: one for each released schema, as pg_dump writes it,
/// compressed.
struct OldSharedLibraryTests {
  static let names = OldLibraryTests.names(of: "sql")

  /// The file name of the newest schema's library.
  static var newest: String { "\(Migration.postgreSQL.last?.name.prefix(4) ?? "").sql.zst" }

  @Test func `each schema since the first release is kept as a library`() {
    let kept = Migration.postgreSQL.map { "\($0.name.prefix(4)).sql.zst" }
    #expect(Self.names == kept, "Scripts/new fixture makes it, before the step is released")
  }

  @Test(arguments: names)
  func `a library of every version opens, keeps all it held, and comes to the schema of a new one`(name: String) throws
  {
    let server = try PostgreSQLServer.shared()
    let (old, new) = (try server.newDatabase(), try server.newDatabase())
    let scratch = try Scratch()
    try OldLibraryTests.unpack(name, into: scratch, as: "dump.sql")
    _ = try run("psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-d", old, "-f", "\(scratch.path)/dump.sql")
    let store = try Store.open(old, shownAs: "/old", for: .writing)
    let fresh = try Store.open(new, shownAs: "/new", for: .writing)
    defer { for store in [store, fresh] { store.close() } }
    while try store.readWords(atMost: 2) {}
    while try store.readVisibilities(atMost: 5, { _ in nil }) != nil {}
    try OldLibrary.fill(fresh)
    #expect(try OldLibrary.lines(of: store) == OldLibrary.lines(of: fresh))
    #expect(try store.posts(PostQuery(search: "edited", limit: nil)).count == 1)
    for audit in store.audits { #expect(try store.findings(of: audit) == [], "\(audit.name)") }
    #expect(try dump(old, "--schema-only") == dump(new, "--schema-only"))
  }

  @Test func `videos that were looked at without their frames are looked at again`() throws {
    let address = try PostgreSQLServer.shared().newDatabase()
    let scratch = try Scratch()
    try OldLibraryTests.unpack("p021.sql.zst", into: scratch, as: "dump.sql")
    _ = try run("psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-d", address, "-f", "\(scratch.path)/dump.sql")
    _ = try run(
      "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-d", address, "-c",
      "SET search_path TO media; \(OldLibraryTests.inspected("video/mp4"))")
    let newer = try Store.open(address, shownAs: "/l", for: .writing)
    defer { newer.close() }
    #expect(try newer.filesToInspect(for: [.hash], atMost: 9).map(\.mediaType) == ["video/mp4"])
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["MEDIA_FIXTURES"] != nil, "Scripts/new fixture asks for it"))
  func `the newest schema's library is written`() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["MEDIA_FIXTURES"])
    let address = try PostgreSQLServer.shared().newDatabase()
    let store = try Store.open(address, shownAs: "/l", for: .writing)
    try OldLibrary.fill(store)
    store.close()
    try OldLibraryTests.pack(Array(try dump(address).joined(separator: "\n").utf8), as: "\(folder)/\(Self.newest)")
  }

  /// The lines of pg_dump, without those that newer ones add for psql, which differ each time.
  private func dump(_ address: String, _ options: String...) throws -> [Substring] {
    try run(["pg_dump", "--no-owner", "--schema", "media", "-d", address] + options)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("\\restrict ") && !$0.hasPrefix("\\unrestrict ") }
  }

  private func run(_ command: String...) throws -> String { try run(command) }

  private func run(_ command: [String]) throws -> String {
    let (status, output) = try StartedProgram.run("/usr/bin/env", command)
    try #require(status == 0, "\(output)")
    return output
  }
}
