import Blobs
import Folders
import Foundation
import Migrations
import SQLRows
import SQLite
import Testing

@testable import Storage

/// Libraries as earlier versions left them, in `Fixtures`: one for each released schema, compressed.
struct OldLibraryTests {
  static let folder = Bundle.module.resourcePath.map { "\($0)/Fixtures" } ?? ""
  static let names = names(of: "sqlite")

  /// The kept libraries of an engine.
  static func names(of form: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".\(form).zst") }
      .sorted()
  }

  /// The file name of the newest schema's library.
  static var newest: String { "\(Migration.all.last?.name.prefix(4) ?? "").sqlite.zst" }

  @Test func `each schema since the first release is kept as a library`() {
    let kept = Migration.all.map { "\($0.name.prefix(4)).sqlite.zst" }
    #expect(Self.names == kept, "Scripts/new fixture makes it, before the step is released")
  }

  @Test(arguments: names)
  func `a library of every version opens and keeps all it held`(name: String) throws {
    let scratch = try Scratch()
    try Self.unpack(name, into: scratch)
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    let found = try store.posts(PostQuery(search: "edited", limit: nil)).map(\.id)
    // Searches and changes go on between the steps.
    while try store.readWords(atMost: 2) {
      #expect(try store.findings(of: .searchIndex) == [])
      #expect(try store.posts(PostQuery(search: "edited", limit: nil)).map(\.id) == found)
    }
    #expect(try !store.awaitsWords())
    while try store.readVisibilities(atMost: 5, { _ in nil }) != nil {}
    try Self.expectAllIndexed(in: store)
    let fresh = try Store(Connections())
    try OldLibrary.fill(fresh)
    #expect(try OldLibrary.lines(of: store) == OldLibrary.lines(of: fresh))
    for audit in store.audits { #expect(try store.findings(of: audit) == [], "\(audit.name)") }
    let isOlder = name != Self.newest
    #expect(scratch.names.contains { $0.hasPrefix("media-before-") } == isOlder)
  }

  private static func expectAllIndexed(in store: Store) throws {
    let words = "SELECT s.post, s.author, s.alt, s.tags, s.files FROM searched_text s ORDER BY s.post"
    let all: [Int64] = try store.read { try $0.values("SELECT id FROM post ORDER BY id") }
    let live = try store.read { try SearchedPost.all(all, in: $0) }
    let indexed = try store.read { try $0.rows(words) { try SearchedTexts($0) } }
    #expect(live.map(\.texts) == indexed)
  }

  /// As a migration leaves a library that had no such words.
  @Test func `posts that are not yet found by all their words get there in steps, and searches go on between them`()
    throws
  {
    let store = try TestLibrary().store
    try OldLibrary.fill(store)
    try store.write { db in
      try db.execute(
        """
        DELETE FROM searched_text; INSERT INTO caption_fts (caption_fts) VALUES ('rebuild');
        INSERT INTO setting (name, value) SELECT 'words-read', max(id) + 1 FROM post;
        """)
    }
    func found(_ words: String) throws -> Int { try store.posts(PostQuery(search: words, limit: nil)).count }
    let texts = try found("edited")
    #expect(texts > 0)
    #expect(try store.read { try !$0.hasRow("SELECT 1 FROM caption_fts WHERE caption_fts MATCH 'birds'") })
    var steps = 0
    while try store.readWords(atMost: 2) {
      steps += 1
      #expect(try store.findings(of: .searchIndex) == [])
      #expect(try found("edited") == texts)
    }
    #expect(steps > 5)
    #expect(try !store.awaitsWords())
    #expect(try found("birds") > 0 && found("walks") == 1)
    try Self.expectAllIndexed(in: store)
  }

  /// Two inspected files of a library from before frames were hashed: one of this type, and a still picture.
  static func inspected(_ type: String) -> String {
    """
    UPDATE blob SET media_type = CASE WHEN id = (SELECT min(blob) FROM attachment) THEN '\(type)' ELSE 'image/png' END;
    DELETE FROM inspection;
    INSERT INTO inspection (blob, kind, version, inspected_at)
    SELECT b.id, k.kind, 9, '2026-01-01T12:00:00.000Z'
    FROM blob b CROSS JOIN (SELECT 'hash' AS kind UNION SELECT 'facts') k;
    """
  }

  @Test(arguments: ["video/mp4", "image/gif", "image/webp"])
  func `videos and animations that were looked at without their frames are looked at again`(type: String) throws {
    let scratch = try Scratch()
    try Self.unpack("v031.sqlite.zst", into: scratch)
    let sqlite = ["sqlite3", "\(scratch.path)/media.sqlite", Self.inspected(type)]
    #expect(try StartedProgram.run("/usr/bin/env", sqlite).status == 0)
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    let asked = try store.filesToInspect(for: [.hash, .facts], atMost: 9)
    #expect(asked.map(\.kinds) == [[.hash]] && asked.map(\.mediaType) == [type])
  }

  @Test(arguments: names)
  func `a library of every version comes to the schema of a new one`(name: String) throws {
    let scratch = try Scratch()
    try Self.unpack(name, into: scratch)
    let schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    let old = try Store.open(library: scratch.path, now: noon).read { try rows(schema, in: $0) }
    #expect(try old == Store(Connections()).read { try rows(schema, in: $0) })
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["MEDIA_FIXTURES"] != nil, "Scripts/new fixture asks for it"))
  func `the newest schema's library is written`() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["MEDIA_FIXTURES"])
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    try OldLibrary.fill(store)
    try store.writer.use { try $0.execute("VACUUM") }
    store.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/media.sqlite"))
    try Self.pack(Array(bytes), as: "\(folder)/\(Self.newest)")
  }

  static func pack(_ bytes: [UInt8], as path: String) throws {
    try Data(try RawCompressor().compress(bytes)).write(to: URL(fileURLWithPath: path))
  }

  static func unpack(_ name: String, into scratch: Scratch, as file: String = "media.sqlite") throws {
    let frame = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    let bytes = try #require(RawBytes.decompress(Array(frame)))
    try Data(bytes).write(to: URL(fileURLWithPath: "\(scratch.path)/\(file)"))
  }
}
