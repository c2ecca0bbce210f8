import Blobs
import Folders
import Foundation
import GRDB
import Migrations
import Testing

@testable import Storage

/// Libraries as earlier versions left them, in `Fixtures`: one for each schema that was released, compressed.
struct OldLibraryTests {
  static let folder = Bundle.module.resourcePath.map { "\($0)/Fixtures" } ?? ""
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".sqlite.zst") }.sorted()

  /// The name under which the newest schema's library is kept.
  static var newest: String { "\(Migration.all.last?.name.prefix(4) ?? "").sqlite.zst" }

  @Test func `the newest schema is kept as a library`() {
    #expect(Self.names.contains(Self.newest), "Scripts/new-fixture makes it, before the step is released")
  }

  @Test(arguments: names)
  func `a library of every version opens and keeps all it held`(name: String) throws {
    let scratch = try Scratch()
    try Self.unpack(name, into: scratch)
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    let fresh = try Store(DatabaseQueue())
    try OldLibrary.fill(fresh)
    #expect(try OldLibrary.lines(of: store) == OldLibrary.lines(of: fresh))
    for audit in Store.audits { #expect(try store.findings(of: audit) == [], "\(audit.name)") }
    let isOlder = name != Self.newest
    #expect(scratch.names.contains { $0.hasPrefix("media-before-") } == isOlder)
  }

  @Test(arguments: names)
  func `a library of every version comes to the schema of a new one`(name: String) throws {
    let scratch = try Scratch()
    try Self.unpack(name, into: scratch)
    let schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    let old = try Store.open(library: scratch.path, now: noon).read { try rows(schema, in: $0) }
    #expect(try old == Store(DatabaseQueue()).read { try rows(schema, in: $0) })
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["MEDIA_FIXTURES"] != nil, "Scripts/new-fixture asks for it"))
  func `the newest schema's library is written`() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["MEDIA_FIXTURES"])
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    try OldLibrary.fill(store)
    try store.writer.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    store.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/media.sqlite"))
    try Data(try RawCompressor().compress(Array(bytes))).write(to: URL(fileURLWithPath: "\(folder)/\(Self.newest)"))
  }

  private static func unpack(_ name: String, into scratch: Scratch) throws {
    let frame = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    let bytes = try #require(RawBytes.decompress(Array(frame)))
    try Data(bytes).write(to: URL(fileURLWithPath: "\(scratch.path)/media.sqlite"))
  }
}
