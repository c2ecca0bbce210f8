import Filters
import Folders
import Foundation
import PropertyTesting
import SQLRows
import SQLite
import Testing

@testable import Storage

/// A library with a row in every table, from which copies are made that hold one value of another type than declared.
struct MistypedStore {
  /// A column, and a value of a type that its table refuses.
  struct Flip: Sendable, CustomStringConvertible {
    let table: String
    let column: String
    /// The value, as SQL.
    let value: String

    var description: String { "\(table).\(column) = \(value)" }
  }

  private let library: DiskLibrary

  init() throws {
    library = try DiskLibrary()
    try OldLibrary.fill(library.store)
    try Self.mark(library.store)
    try library.store.writer.use { try $0.execute(Self.rest) }
    library.store.close()
  }

  /// The tables, apart from those in which FTS5 keeps its index.
  static func tables() throws -> [String] {
    try TestLibrary().database.read { db in
      try db.values(
        """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %' AND name NOT LIKE 'caption_fts%' ORDER BY name
        """)
    }
  }

  /// Every value of another type for every column of a table. A row's number is an integer whatever
  /// happens, and a key is never NULL.
  static func flips(of table: String) throws -> [Flip] {
    let columns = try TestLibrary().database.read { db in
      try db.rows("SELECT name, type, \"notnull\" AS is_needed, pk FROM pragma_table_info(?)", [table]) {
        (
          name: try $0["name"] as String, type: try $0["type"] as String, isNeeded: try $0["is_needed"] as Bool,
          key: try $0["pk"] as Bool
        )
      }
    }
    return columns.filter { !($0.key && $0.type == "INTEGER") }.flatMap { column in
      let values = ["TEXT": "'seven'", "INTEGER": "7", "BLOB": "x'00FF'", "REAL": "0.5", "NULL": "NULL"]
      return values.filter { type, _ in
        switch type {
        case "NULL": column.isNeeded && !column.key
        case "REAL": column.type == "INTEGER"
        case "INTEGER": column.type != "INTEGER" && column.type != "REAL"
        default: type != column.type
        }
      }.map { Flip(table: table, column: column.name, value: $0.value) }
    }
  }

  /// One of these for every column, of another type than for the column before, or all of them in a long run.
  static func sample(of table: String) throws -> [Flip] {
    let columns = Dictionary(grouping: try flips(of: table), by: \.column).sorted { $0.key < $1.key }
    return columns.enumerated().flatMap { number, column in
      let flips = column.value.sorted { $0.value < $1.value }
      return PropertyTest.isLong ? flips : [flips[number % flips.count]]
    }
  }

  /// Makes a copy of the library with the value in a column of every row, or of one row if the rows must differ.
  func copy(with flip: Flip) throws -> Scratch {
    let scratch = try Scratch()
    let path = "\(scratch.path)/media.sqlite"
    try FileManager.default.copyItem(atPath: "\(library.scratch.path)/media.sqlite", toPath: path)
    let connections = try Connections(path, .asItIs)
    defer { connections.close() }
    try connections.use { db in
      try db.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
      let rows: Int? = try db.value("SELECT count(*) FROM \(flip.table)")
      try #require(rows ?? 0 > 0, "\(flip.table) has no row to spoil")
      try db.execute("CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema")
      let sql: String? = try db.value("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [flip.table])
      try changeSchema(in: db) { db in
        try db.execute("DELETE FROM sqlite_schema WHERE type = 'trigger'")
        try db.run(
          "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
          [Self.relaxed(try #require(sql)), flip.table])
      }
      try db.run("UPDATE OR IGNORE \(flip.table) SET \(flip.column) = \(flip.value)")
      try #require(db.changesCount > 0, "nothing was spoilt by \(flip)")
      try changeSchema(in: db) { db in
        try db.run("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?", [sql, flip.table])
        try db.execute("INSERT INTO sqlite_schema SELECT * FROM kept WHERE type = 'trigger'")
      }
    }
    return scratch
  }

  private func changeSchema(in db: Connection, _ change: (Connection) throws -> Void) throws {
    try db.execute("PRAGMA writable_schema = ON")
    try change(db)
    try db.execute("PRAGMA writable_schema = RESET")
  }

  /// A table's statement with columns that accept every value. A row's number keeps its type, or it would be no longer one.
  private static func relaxed(_ sql: String) -> String {
    var sql = sql.replacingOccurrences(of: " INTEGER PRIMARY KEY", with: " <number>")
    for type in ["INTEGER", "TEXT", "REAL", "BLOB"] {
      sql = sql.replacingOccurrences(of: " \(type) NOT NULL", with: " ANY")
      sql = sql.replacingOccurrences(of: " \(type)", with: " ANY")
    }
    return sql.replacingOccurrences(of: " <number>", with: " INTEGER PRIMARY KEY")
  }

  /// Leaves what a person makes of posts.
  private static func mark(_ store: Store) throws {
    let person = Marker(machine: "desk", program: .command)
    let ids = try store.posts(PostQuery(limit: nil)).map(\.id)
    for note in ["one", "two"] {
      try store.mark(
        ids, [.favourite(true), .rating(3), .seen(true), .ownTag("print"), .note(note)], by: person, now: noon)
    }
    try store.createAlbum("Winter", by: person, now: noon)
    try store.add(ids, toAlbum: "Winter", by: person, now: noon)
    try store.save(try Filter(parsing: "is:favourite"), as: "good", by: person, now: noon)
    try store.hide([], [.tag("ads")], by: person, now: noon)
  }

  /// Rows of the tables that an old library leaves empty.
  private static let rest = """
    INSERT OR IGNORE INTO visit VALUES (1, 'https://a.example/feed', 'https://a.example/feed', 'e', 'l', 'm', 'A', '2025-11-20T12:00:00.000Z');
    INSERT OR IGNORE INTO follow (feed, followed_at, every, interval, pace, due_at, looked_at, state, failing_since, failed_at, failures, failure)
    VALUES (1, '2025-11-20T12:00:00.000Z', 60, 60, 0.5, '2025-11-20T12:00:00.000Z', '2025-11-20T12:00:00.000Z', 'failing',
      '2025-11-20T12:00:00.000Z', '2025-11-20T12:00:00.000Z', 1, 'no answer');
    INSERT OR IGNORE INTO look VALUES (1, 40, '2025-11-20T12:00:00.000Z', '2025-11-20T12:00:00.000Z');
    INSERT OR IGNORE INTO run (id, process, started_at, finished_at, state, code, planned)
    VALUES (1, 1, '2025-11-20T12:00:00.000Z', '2025-11-20T12:00:00.000Z', 'done', 0, 1);
    INSERT OR IGNORE INTO run_feed VALUES (1, 1, 1, 'failed', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 'no answer');
    INSERT OR IGNORE INTO run_notice VALUES (1, 1, 'disk', '/', 'full', '2025-11-20T12:00:00.000Z');
    INSERT OR IGNORE INTO run_event
    VALUES (1, 1, '2025-11-20T12:00:00.000Z', 'error', 'feed_failed', 'tag:cats@social.example', 'social.example', 1.5, 1, 'no answer');
    INSERT OR IGNORE INTO rate
    VALUES (1, 'social.example', '', 'page', 300, 0, 299, 0, 1, '2025-11-20T12:05:00.000Z', '2025-11-20T12:05:00.000Z',
      '2025-11-20T12:05:00.000Z');
    INSERT OR IGNORE INTO hashtag VALUES (1, 'https://social.example', 'cats', '17');
    INSERT OR IGNORE INTO hashtag_asked VALUES (1, 'https://social.example', 'ada', 'cats', '2025-11-20T11:00:00.000Z');
    INSERT OR IGNORE INTO quote VALUES (1, 2, 'https://a.example/2', 'https://a.example/2');
    INSERT OR IGNORE INTO post_link VALUES (2, 1);
    INSERT OR IGNORE INTO renaming VALUES ((SELECT max(id) FROM cursor), 1, 1);
    INSERT OR IGNORE INTO tag_extra VALUES ((SELECT max(id) FROM tag), 1, (SELECT created_at FROM post WHERE id = 1));
    INSERT OR IGNORE INTO recheck VALUES (1, 1, '2025-11-20T12:00:00.000Z', NULL, '2025-11-20T12:00:00.000Z');
    INSERT OR IGNORE INTO share (id, token_hash, title, album, filter, shows, password_hash, made_at, ends_at, revoked_at)
    VALUES (1, 'h', 'Winter', 1, 'tag:cats', 'gone', 'p', '2025-11-20T12:00:00.000Z', '2025-11-20T12:00:00.000Z',
      '2025-11-20T12:00:00.000Z');
    INSERT OR IGNORE INTO share_post VALUES (1, 0, 1);
    INSERT OR IGNORE INTO rule VALUES ('r', 'tag:cats', 'favourite', '1 2025-11-20T12:00:00.000Z 00000000 desk');
    INSERT OR IGNORE INTO rule_failure VALUES ('r', 1, 'x', '2025-11-20T12:00:00.000Z');
    INSERT OR IGNORE INTO inspection SELECT id, 'hash', 1, '2025-11-20T12:00:00.000Z', 'x', 'eng' FROM blob;
    INSERT OR IGNORE INTO picture_hash SELECT id, id, 1, 1, zeroblob(1024), 4, 3, 'p', 1, 1000 FROM blob;
    INSERT OR IGNORE INTO frame_hash SELECT blob, 2, 1, 1, 1, zeroblob(1024) FROM picture_hash;
    INSERT OR IGNORE INTO same_verdict VALUES ('a', 'b', 'same', '1 2025-11-20T12:00:00.000Z 00000000 desk');
    INSERT OR IGNORE INTO file_facts
    SELECT id, '2025-11-20T12:00:00', 60, 48.1, 11.5, 'c', 'a', 'c', 'd', '["k"]', 'o', 1000, '["h264"]', 1, 'AT', 's', 's'
    FROM blob;
    INSERT OR IGNORE INTO picture_text SELECT id, 'tesseract 5.3.0', 'WELCOME', '[0,0,10,10]' FROM blob;
    INSERT OR IGNORE INTO model VALUES (1, 'clip@1', 2, '2025-11-20T12:00:00.000Z');
    INSERT OR IGNORE INTO picture_vector SELECT id, 1, 0.5, zeroblob(2) FROM blob;
    INSERT OR IGNORE INTO text_vector VALUES (1, 1, 7, 0.5, zeroblob(2));
    INSERT OR IGNORE INTO machine_tag SELECT id, 'cat', 0.9 FROM blob;
    INSERT OR IGNORE INTO machine_text SELECT id, 'a cat', 0.1 FROM blob;
    INSERT OR IGNORE INTO machine_verdict VALUES ('a', 'cat', 'wrong', '1 2025-11-20T12:00:00.000Z 00000000 desk');
    UPDATE coverage SET heir = (SELECT max(id) FROM coverage WHERE feed = 1), heir_place = 1
    WHERE id = (SELECT min(id) FROM coverage WHERE feed = 1) AND (SELECT count(*) FROM coverage WHERE feed = 1) > 2;
    """
}
