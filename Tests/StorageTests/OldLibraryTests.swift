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
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".sqlite.zst") }.sorted()

  /// The file name of the newest schema's library.
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
    let found = try store.posts(PostQuery(search: "edited", limit: nil)).map(\.id)
    // Searches and changes go on between the steps.
    while try store.readWords(atMost: 2) {
      #expect(try store.findings(of: .searchIndex) == [])
      #expect(try store.posts(PostQuery(search: "edited", limit: nil)).map(\.id) == found)
    }
    #expect(try !store.awaitsWords())
    while try store.readVisibilities(atMost: 5, { _ in nil }) != nil {}
    let words = "SELECT s.post, s.author, s.alt, s.tags, s.files FROM searched_text s ORDER BY s.post"
    let all: [Int64] = try store.read { try $0.values("SELECT id FROM post ORDER BY id") }
    let live = try store.read { try SearchedPost.all(all, in: $0) }
    let indexed = try store.read { try $0.rows(words) { try SearchedTexts($0) } }
    #expect(live.map(\.texts) == indexed)
    let fresh = try Store(Connections())
    try OldLibrary.fill(fresh)
    try Self.expectSecondLook(of: store, isOld: name < "v016")
    #expect(try OldLibrary.lines(of: store) == OldLibrary.lines(of: fresh))
    for audit in store.audits { #expect(try store.findings(of: audit) == [], "\(audit.name)") }
    let isOlder = name != Self.newest
    #expect(scratch.names.contains { $0.hasPrefix("media-before-") } == isOlder)
  }

  /// Repeats the second attempt, a day later, for pictures that one answer made gone. It records the same failure
  /// again.
  private static func expectSecondLook(of store: Store, isOld: Bool) throws {
    let failed = try store.read { db in
      try db.rows(
        """
        SELECT a.id FROM attachment a WHERE state = 'failed' AND gone_at IS NOT NULL
          AND julianday(next_try_at) - julianday(gone_at) BETWEEN 0.99 AND 1.01
        """
      ).map { $0[0] as Int64 }
    }
    #expect(failed.count == (isOld ? 1 : 0))
    try store.write { db in
      for id in failed {
        try db.run("UPDATE attachment SET state = 'gone', gone_at = NULL, next_try_at = NULL WHERE id = ?", [id])
      }
    }
  }

  @Test(arguments: names)
  func `a library of every version comes to the schema of a new one`(name: String) throws {
    let scratch = try Scratch()
    try Self.unpack(name, into: scratch)
    let schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    let old = try Store.open(library: scratch.path, now: noon).read { try rows(schema, in: $0) }
    #expect(try old == Store(Connections()).read { try rows(schema, in: $0) })
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["MEDIA_FIXTURES"] != nil, "Scripts/new-fixture asks for it"))
  func `the newest schema's library is written`() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["MEDIA_FIXTURES"])
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    try OldLibrary.fill(store)
    try store.writer.use { try $0.execute("VACUUM") }
    store.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/media.sqlite"))
    try Data(try RawCompressor().compress(Array(bytes))).write(to: URL(fileURLWithPath: "\(folder)/\(Self.newest)"))
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["MEDIA_SCHEMA"] != nil, "Scripts/new-fixture asks for it"))
  func `the newest schema is written`() throws {
    let file = try #require(ProcessInfo.processInfo.environment["MEDIA_SCHEMA"])
    try Self.newestSchema().write(toFile: file, atomically: true, encoding: .utf8)
  }

  @Test func `a library created at once equals one that applied all migrations`() throws {
    #expect(try Migration.newest == Self.newestSchema(), "Scripts/new-fixture writes it anew")
    let everything = """
      SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name;
      PRAGMA application_id; PRAGMA user_version; PRAGMA foreign_key_check; PRAGMA integrity_check
      """
    let (steps, atOnce) = (try Self.stepByStep(), try Store(Connections()))
    for query in everything.split(separator: ";").map(String.init) {
      #expect(try steps.read { try rows(query, in: $0) } == atOnce.read { try rows(query, in: $0) }, "\(query)")
    }
    let tables = try steps.read { db in
      try db.values("SELECT name FROM sqlite_schema WHERE type = 'table'") as [String]
    }
    #expect(tables.contains("total"))
    // A search index that was rebuilt while empty contains zeros, one that was never filled contains none. This one
    // difference shows that the second library applied no migrations.
    let index = "SELECT * FROM caption_fts_data"
    #expect(try steps.read { try rows(index, in: $0) } != atOnce.read { try rows(index, in: $0) })
    for table in tables where table != "caption_fts_data" {
      let query = "SELECT * FROM \(table)"
      #expect(try steps.read { try rows(query, in: $0) } == atOnce.read { try rows(query, in: $0) }, "\(table)")
    }
  }

  /// A new library that applied every migration.
  private static func stepByStep() throws -> Store {
    let database = try Connections()
    _ = try Store(database, path: "", migrations: [Migration.all[0]], now: nil)
    return try Store(database)
  }

  /// The statements that make an empty library with the same schema as all migrations.
  private static func newestSchema() throws -> String {
    let statements = try stepByStep().read { db in
      // FTS5 creates its own tables.
      let own: [String] = try db.values(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'caption\\_fts\\_%' ESCAPE '\\'"
      )
      let tables: [String] = try db.values(
        """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'caption\\_fts%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """)
      let contents = try tables.flatMap { table in
        let names: [String] = try db.values("SELECT name FROM pragma_table_info(?)", [table])
        let columns = names.map { "quote(\"\($0)\")" }.joined(separator: " || ', ' || ")
        let rows: [String] = try db.values("SELECT \(columns) FROM \(table)")
        return rows.map { "INSERT INTO \(table) VALUES (\($0))" }
      }
      return own + contents
    }
    let head = """
      -- What all steps make of a library that holds nothing. Written by Scripts/new-fixture, never by hand.

      PRAGMA application_id = \(Store.applicationID);
      PRAGMA user_version = \(Migration.all.count);
      """
    return ([head] + statements.map { "\($0);" }).joined(separator: "\n\n") + "\n"
  }

  static func unpack(_ name: String, into scratch: Scratch) throws {
    let frame = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    let bytes = try #require(RawBytes.decompress(Array(frame)))
    try Data(bytes).write(to: URL(fileURLWithPath: "\(scratch.path)/media.sqlite"))
  }
}
