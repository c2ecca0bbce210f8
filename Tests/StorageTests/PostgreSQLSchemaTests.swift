import Blobs
import Foundation
import Migrations
import PostgreSQL
import PostgreSQLServer
import SQLRows
import SQLite
import Synchronization
import Testing

@testable import Storage

/// A library's schema in a real PostgreSQL.
@Suite struct PostgreSQLSchemaTests {
  private let server: PostgreSQLServer
  private let address: String
  private let connection: PostgreSQL.Connection

  init() throws {
    server = try PostgreSQLServer.shared()
    address = try server.newDatabase()
    connection = try PostgreSQL.Connection(address)
  }

  private func migrate(_ connection: PostgreSQL.Connection, to migrations: [Migration] = Migration.postgreSQL) throws {
    try PostgreSQLSchema(path: "/l", migrations: migrations).migrate(connection) { _ in sched_yield() }
  }

  private func lines(_ sql: String) throws -> [String] { try connection.values(sql) }

  /// A released migration is never edited: a library that already applied it would not apply it again.
  @Test func `the steps are those that were released`() {
    let hashes = Migration.postgreSQL.map { "\($0.name) \(BlobID(hashing: Array($0.sql.utf8)))" }
    #expect(
      hashes == [
        "p001_tables d223af85aed42c09d5d84f4bf2717ccfb08ca963f609b6d811ddca534fd57d6b",
        "p002_totals_and_changes 6f44a61f8e867bd0da4ba4f0c7825e506d20ab2b28ba0d2719dcc7a79f537a82",
        "p003_lists 649f53b9d28d89a4c3eb02e0b1006c52dec8233cf18878ee46223f528873d4dc",
        "p004_search_and_views 961fde41c7f17e5a2b9fe03e9ba9dafdd588d7e8bfb7abf77c582c0687215386",
        "p005_leases 3b43d030f7dec24db18d981ed65e4bdaa1aced4651cecd65b8dbc15f2322c3c5",
        "p006_turns 66c4625c567f6d92254175cefeedb2d708cd79b68150d231f6592c705137068f",
        "p007_pages 914fe5f033ef0d551c05f9a9ccc01ea27ea9fa54a0a8ae28280db7095e719b1a",
        "p008_adoption 9fb0021ae1e79ed87b1ac05076a69334ca8a39d00ba63adaa3bb918af59977e3",
        "p009_rare_facts e0ddb52901cae3685082f13bf5d1340a846eff22e6277ccbceec5888d135cb9a",
        "p010_writers 862bc9406a6e7d7c19e40479295b3fb71ec7ab088e2a3ea4720af085e88a4de4",
        "p011_visibility b9db453450451ccb1f193b282da564623b7666577512c9f263c37867736c323c",
        "p012_searched_texts 44a5238660edae442bdfa447dd4fb053e2f5b02859501426e25307b117ad0d14",
        "p013_picture_place 5ccf88ac441fe3d912773b0f0933f6eed14e2e1eaa265690f1e72c7c4b5c9776",
      ]
    )
  }

  @Test func `tables, views, columns and what may be NULL are those of a library in SQLite`() throws {
    try migrate(connection)
    let kinds = ["INTEGER": "bigint", "TEXT": "text", "REAL": "double precision", "BLOB": "bytea"]
    let theirs = try TestLibrary().database.read { db in
      try db.rows(
        """
        SELECT t.name AS list, t.type AS form, c.name AS name, c.type AS type, c."notnull" OR c.pk > 0 AS needed
        FROM pragma_table_list t JOIN pragma_table_info(t.name) c
        WHERE t.schema = 'main' AND t.type IN ('table', 'view') AND t.name NOT LIKE 'sqlite%'
          AND t.name NOT IN ('total', 'cache_size', 'change')
        """
      ) { row in
        let (list, form, name, type): (String, String, String, String) = try (
          row["list"], row["form"], row["name"], row["type"]
        )
        // SQLite does not say whether a column of a view may be NULL, and not always its type.
        return form == "view"
          ? "\(list).\(name)" : "\(list).\(name) \(kinds[type] ?? type) \(try row["needed"] as Bool)"
      }
    }
    let ours: [String] = try lines(
      """
      SELECT c.table_name || '.' || c.column_name
        || CASE t.table_type WHEN 'VIEW' THEN '' ELSE ' ' || c.data_type || ' ' || (c.is_nullable = 'NO') END
      FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'media' AND c.table_name NOT IN (
        'library', 'total', 'total_base', 'total_delta', 'cache_size', 'change', 'upkeep', 'caption_words', 'lease',
        'writer', 'picture_place')
      """
    )
    #expect(Set(theirs).symmetricDifference(ours).sorted() == [])
  }

  @Test func `indexes have the names of those in SQLite`() throws {
    try migrate(connection)
    let theirs = try TestLibrary().lines("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    let ours = try lines("SELECT indexname::text FROM pg_indexes WHERE schemaname = 'media'")
    #expect(Set(theirs).subtracting(ours).sorted() == [])
  }

  @Test func `a library that many processes make at once is made once`() throws {
    let address = address
    let failures = Mutex<[any Error]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      do { try PostgreSQLSchema(path: "/l").migrate(PostgreSQL.Connection(address)) { _ in sched_yield() } } catch {
        failures.withLock { $0.append(error) }
      }
    }
    #expect(failures.withLock(\.self).isEmpty)
    #expect(try connection.value("SELECT version FROM media.library") == Migration.postgreSQL.count)
    #expect(try connection.value("SELECT posts FROM media.total WHERE kind = 'library'") == 0)
  }

  @Test func `an older library gets the missing steps, once`() throws {
    try migrate(connection, to: Array(Migration.postgreSQL.prefix(1)))
    let identity: String? = try connection.value("SELECT identity::text FROM media.library")
    try migrate(connection)
    try migrate(connection)
    #expect(try connection.value("SELECT version FROM media.library") == Migration.postgreSQL.count)
    #expect(try connection.value("SELECT identity::text FROM media.library") == identity)
  }

  @Test func `changes that another server numbered are forgotten where the library was restored`() throws {
    try migrate(connection)
    try connection.execute("INSERT INTO media.tag (name) VALUES ('a'); INSERT INTO media.change (post) VALUES (1)")
    try migrate(connection)
    #expect(try connection.value("SELECT count(*) FROM media.change") == 1)
    try connection.execute("INSERT INTO media.change (post, xact) VALUES (2, '1000000000000')")
    try migrate(connection)
    #expect(try connection.value("SELECT count(*) FROM media.change") == 0)
    // Whoever read up to a number of this server that is lower now reads everything.
    let isPruned = try connection.hasRow("SELECT 1 FROM media.upkeep WHERE pruned > '0'")
    #expect(isPruned)
  }

  @Test func `openings while others write forget no change`() throws {
    try migrate(connection)
    let isOver = Atomic(false)
    let address = address
    DispatchQueue.concurrentPerform(iterations: 3) { index in
      #expect(throws: Never.self) {
        let own = try PostgreSQL.Connection(address)
        defer { own.close() }
        if index > 0 {
          while !isOver.load(ordering: .relaxed) { try own.run("INSERT INTO media.change (post) VALUES (1)") }
        } else {
          defer { isOver.store(true, ordering: .relaxed) }
          for _ in 0..<500 {
            let hasForgotten: Bool? = try own.value("SELECT media.adopt()")
            #expect(hasForgotten == false)
          }
        }
      }
    }
  }

  @Test func `a step that fails leaves the library as it was`() throws {
    try migrate(connection)
    let broken = Migration(name: "p999", sql: "CREATE TABLE media.extra (id bigint); SELECT 1 / 0")
    #expect(throws: PostgreSQLError.self) { try migrate(connection, to: Migration.postgreSQL + [broken]) }
    #expect(try connection.hasRow("SELECT 1 WHERE to_regclass('media.extra') IS NULL"))
    #expect(try connection.value("SELECT version FROM media.library") == Migration.postgreSQL.count)
  }

  @Test func `a newer library is refused`() throws {
    try migrate(connection)
    try connection.run("UPDATE media.library SET version = 1000")
    #expect(throws: StorageError.newer(path: "/l")) { try migrate(connection) }
  }

  @Test func `a database whose schema media holds something else is refused, and keeps it`() throws {
    try connection.execute("CREATE SCHEMA media; CREATE TABLE media.film (id bigint)")
    #expect(throws: StorageError.unsuitable(path: "/l", .foreign)) { try migrate(connection) }
    #expect(
      try lines("SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'media'") == ["film"])
  }

  @Test func `a database that is not in UTF-8 is refused`() throws {
    try connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    let latin = try PostgreSQL.Connection(server.address(of: "latin"))
    #expect(throws: StorageError.unsuitable(path: "/l", .encoding("LATIN1"))) { try migrate(latin) }
  }

  @Test func `a login that may not make a library is told so, and one that may only read reads`() throws {
    let name = "reader\(UInt32.random(in: 0...UInt32.max))"
    try connection.execute("CREATE ROLE \(name) LOGIN")
    let reader = try PostgreSQL.Connection(address.replacing("user=media", with: "user=\(name)"))
    #expect(throws: StorageError.unsuitable(path: "/l", .empty)) { try migrate(reader) }
    try migrate(connection, to: Array(Migration.postgreSQL.dropLast()))
    try connection.execute(
      "GRANT USAGE ON SCHEMA media TO \(name); GRANT SELECT ON ALL TABLES IN SCHEMA media TO \(name)")
    #expect(throws: StorageError.unsuitable(path: "/l", .outdated)) { try migrate(reader) }
    try migrate(connection)
    try migrate(reader)
    #expect(try reader.value("SELECT posts FROM media.total WHERE kind = 'library'") == 0)
  }

  private static let faults: [(ServerFault, String)] = [
    (.old(version: "13.4"), "/l is on PostgreSQL 13.4, which is too old: use PostgreSQL 14 or newer"),
    (
      .encoding("LATIN1"),
      #"/l stores its texts in LATIN1, not in UTF-8: make the database with "createdb --encoding UTF8 --template template0""#
    ),
    (.foreign, #"/l has a schema "media" that is not a media library: choose another database with --library"#),
    (
      .empty,
      "/l has no media library: \"media library make\" with the login that owns the database makes one"
    ),
    (
      .outdated,
      "/l was made by an older version of media, and this login may not change it: "
        + "open it once with the login that owns the database"
    ),
    (.noDatabase, "the server of /l has no such database: check its name, or make it as docs/guide/shared.md says"),
    (
      .forbidden("permission denied for table post"),
      "the login of /l may not do this (permission denied for table post): "
        + "\"media library grants\" prints what its owner can grant"
    ),
    (
      .crowded,
      "the server of /l accepts no more connections: "
        + "end programs that use it, or raise max_connections: a process of media needs up to 6"
    ),
    (
      .timedOut,
      "the server of /l ended a statement that took too long: "
        + "raise the login's limit: ALTER ROLE … SET statement_timeout = 0"
    ),
    (
      .standby,
      "the server of /l takes no writes, as a standby: "
        + "name the server that takes writes, or both with target_session_attrs=read-write"
    ),
    (
      .noCertificate("/c"),
      "the certificate file /c of /l is not there: "
        + "put it there, or name another one by sslrootcert, sslcert or sslkey in the address"
    ),
    (
      .pooled,
      "/l is behind a pooler that gives each transaction another connection: "
        + "name the server itself, or set pool_mode = session"
    ),
  ]

  @Test(arguments: faults)
  func `a database that cannot hold a library is refused in a sentence with its cure`(fault: ServerFault, words: String)
  {
    #expect(StorageError.unsuitable(path: "/l", fault).description == words)
  }
}
