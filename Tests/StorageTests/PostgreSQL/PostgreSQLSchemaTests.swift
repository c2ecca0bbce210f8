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
  private let connection: PostgreSQLConnection

  init() throws {
    server = try PostgreSQLServer.shared()
    address = try server.newDatabase()
    connection = try PostgreSQLConnection(address)
  }

  private func migrate(_ connection: PostgreSQLConnection, to migrations: [Migration] = Migration.postgreSQL) throws {
    try PostgreSQLSchema(path: "/l", migrations: migrations).migrate(connection) { _ in sched_yield() }
  }

  private func lines(_ sql: String) throws -> [String] { try connection.values(sql) }

  /// A released migration is never edited: a library that already applied it would not apply it again.
  @Test func `the steps are those that were released`() {
    let hashes = Migration.postgreSQL.map { "\($0.name) \(BlobID(hashing: Array($0.sql.utf8)))" }
    #expect(
      hashes == [
        "p015_library 80ac7ef6f8ab1cfeb004fd804be71bc08cf8e00bac942436c26b1297ba1f4434",
        "p016_events 46595803d9b1f590718c3a1734120a049dab82dafc1c6c48a06c7c13f6ca91c1",
        "p017_marks 80129b9dd044a01cd98dae17b70931cf9b4ddb45c114c034b34fc2a2f72ac2e8",
        "p018_hiding 44f9ffcefb1ded7d40d69ec96aac7f3aa1d3d7fdd56df7351c2032cd0af2f077",
        "p019_network 922a8a0268cb5df92b4d408df0022ffc961ee1d748847aa570a74a2a6d1a2095",
        "p020_inspection e54b026d610bb901584f28bb40d11b246d66223307ba150468462d95af453b57",
        "p021_findings 19b06b266bc0e6a989d22ffd6c2151489debcfa10ba466cc1a333284c81b26c1",
        "p022_frames e320dac7674080306049eb24241b0e678bd5c8be924a9f6205d697e8ddc862a4",
        "p023_links 0408582af7af35d20f20c3bf732a0bd7062ac652ac8ba44b203245c572d38ce7",
        "p024_license be625bc9e138fc76d67245a05480ec1d0517a5bec68b1d3df1fa0a0db61cbe89",
        "p025_said ee63323a7ba4d7e063a4a32f7b5f41daaf70ff9dc5e7a8e3ff66f6a274b0e541",
        "p026_words 8b150c39e6ef3aeafe1b95fed6c68813e9c7ac230cdeb731fe6bec52eab8910b",
        "p027_states 624032b5ddb519840f0009fc8cd6ebc6c8885ab05c8ead05ee196a0a225e851c",
        "p028_files 495719022e325f9dc351a9966e5eabdf222e37eab8e9544108398659db6ef800",
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
      do { try PostgreSQLSchema(path: "/l").migrate(PostgreSQLConnection(address)) { _ in sched_yield() } } catch {
        failures.withLock { $0.append(error) }
      }
    }
    #expect(failures.withLock(\.self).isEmpty)
    #expect(try connection.value("SELECT version FROM media.library") == Migration.postgreSQL.newest)
    #expect(try connection.value("SELECT posts FROM media.total WHERE kind = 'library'") == 0)
  }

  private static let more = Migration(to: 900, name: "p900_more", sql: "CREATE TABLE media.more (id bigint)")

  @Test func `a library of the version before gets the missing steps, once`() throws {
    try migrate(connection)
    let identity: String? = try connection.value("SELECT identity::text FROM media.library")
    for _ in 0..<2 { try migrate(connection, to: Migration.postgreSQL + [Self.more]) }
    #expect(try connection.value("SELECT version FROM media.library") == 900)
    #expect(try connection.value("SELECT identity::text FROM media.library") == identity)
    #expect(try connection.hasRow("SELECT 1 WHERE to_regclass('media.more') IS NOT NULL"))
  }

  @Test(arguments: [1, 14], [true, false])
  func `a library from before the first release is refused in one sentence, and left alone`(
    version: Int, isForReading: Bool
  ) throws {
    try migrate(connection)
    try connection.run("UPDATE media.library SET version = $1", [version])
    let error = #expect(throws: StorageError.older(path: "/l")) {
      try PostgreSQLSchema(path: "/l").migrate(connection, isForReading: isForReading) { _ in sched_yield() }
    }
    #expect(
      error?.description == "/l was made by a version of media before 1.0: "
        + "open it once with the program of commit 90cc6253, then again with this one")
    #expect(try connection.value("SELECT version FROM media.library") == version)
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
        let own = try PostgreSQLConnection(address)
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
    let broken = [
      Self.more, Migration(to: 901, name: "p901", sql: "CREATE TABLE media.extra (id bigint); SELECT 1 / 0"),
    ]
    #expect(throws: PostgreSQLError.self) { try migrate(connection, to: Migration.postgreSQL + broken) }
    for table in ["more", "extra"] {
      #expect(try connection.hasRow("SELECT 1 WHERE to_regclass('media.\(table)') IS NULL"))
    }
    #expect(try connection.value("SELECT version FROM media.library") == Migration.postgreSQL.newest)
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
    let latin = try PostgreSQLConnection(server.address(of: "latin"))
    #expect(throws: StorageError.unsuitable(path: "/l", .encoding("LATIN1"))) { try migrate(latin) }
  }

  @Test func `a login that may not make a library is told so, and one that may only read reads`() throws {
    let name = "reader\(UInt32.random(in: 0...UInt32.max))"
    try connection.execute("CREATE ROLE \(name) LOGIN")
    let reader = try PostgreSQLConnection(address.replacing("user=media", with: "user=\(name)"))
    #expect(throws: StorageError.unsuitable(path: "/l", .empty)) { try migrate(reader) }
    try migrate(connection)
    try connection.execute(
      "GRANT USAGE ON SCHEMA media TO \(name); GRANT SELECT ON ALL TABLES IN SCHEMA media TO \(name)")
    let later = Migration.postgreSQL + [Self.more]
    #expect(throws: StorageError.unsuitable(path: "/l", .outdated)) { try migrate(reader, to: later) }
    try migrate(reader)
    try migrate(connection, to: later)
    try migrate(reader, to: later)
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
      "/l was made by an older version of media: "
        + "\"media library make\" with the login that owns the database updates it"
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
        + "end programs that use it, or raise max_connections, or the CONNECTION LIMIT of the login or of the database: "
        + "a process of media needs up to 6"
    ),
    (
      .timedOut,
      "the server of /l ended a statement that took too long: "
        + "raise the login's limit: ALTER ROLE … SET statement_timeout = 0"
    ),
    (
      .readOnly,
      "the server of /l takes no writes from this login: "
        + "name the server that is no standby, or both with target_session_attrs=read-write; a login may also be set to only read, "
        + "by default_transaction_read_only"
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
    (
      .noVectors,
      "the database of /l has no pgvector 0.7 or newer: install it on the server, "
        + "and have its administrator run CREATE EXTENSION vector SCHEMA public in the database, or "
        + "ALTER EXTENSION vector UPDATE if it has an older one"
    ),
  ]

  @Test(arguments: faults)
  func `a database that cannot hold a library is refused in a sentence with its cure`(fault: ServerFault, words: String)
  {
    #expect(StorageError.unsuitable(path: "/l", fault).description == words)
  }
}
