import Foundation
import SQLRows
import SQLite
import ScriptedOrigin

@testable import Storage

/// A library's content, a line each, without row ids and times of this machine: libraries that were filled the same way are
/// equal.
struct Likeness: Sendable, Equatable {
  let rows: [String]
  /// The paths of the pictures' files.
  let files: [String]

  /// Creates a likeness from lines.
  init(_ rows: [String]) { (self.rows, files) = (rows, []) }

  init(library: String) throws {
    files = Self.files(in: library)
    guard FileManager.default.fileExists(atPath: "\(library)/media.sqlite") else {
      rows = []
      return
    }
    rows = try Self.read("\(library)/media.sqlite") { db in
      // The queries need the newest schema.
      guard try db.hasTable("follow") else { return ["not of today"] }
      return try Self.questions.flatMap { try db.rows($0).map(\.debugDescription) }
    }
  }

  /// The lines missing from another library.
  func missing(in other: Likeness) -> [String] {
    (rows + files).filter { !Set(other.rows + other.files).contains($0) }
  }

  /// Reads a store without writing to it.
  static func read<Value>(_ path: String, _ body: (Connection) throws -> Value) throws -> Value {
    try Connections(path, .readOnly).read(body)
  }

  /// The files with a picture's name.
  static func files(in library: String) -> [String] {
    let blobs = "\(library)/blobs"
    let paths = FileManager.default.enumerator(atPath: blobs)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.utf8.count == 65 && !$0.hasPrefix("tmp") }.sorted()
  }

  private static let questions = [
    """
    SELECT p.source, p.uri, p.url, p.server, p.remote_id, u.handle, p.created_at, p.title, p.caption,
      s.deleted_at IS NOT NULL, s.seen_at IS NOT NULL, s.favourite, s.rating, s.note, s.hidden, length(r.body)
    FROM post p LEFT JOIN author u ON u.id = p.author LEFT JOIN post_state s ON s.post = p.id
      LEFT JOIN raw r ON r.post = p.id ORDER BY p.uri
    """,
    """
    SELECT p.uri, a.position, a.kind, a.remote_id, a.url, a.alt, b.sha256, b.bytes, b.width, a.state, a.failure
    FROM attachment a JOIN post p ON p.id = a.post LEFT JOIN blob b ON b.id = a.blob ORDER BY p.uri, a.position
    """,
    """
    SELECT u.uri, u.handle, u.name, u.avatar_url, b.sha256, u.avatar_state
    FROM author u LEFT JOIN blob b ON b.id = u.avatar_blob ORDER BY u.uri
    """,
    """
    SELECT p.uri, t.name, k.position FROM post_tag k JOIN tag t ON t.id = k.tag JOIN post p ON p.id = k.post
    ORDER BY p.uri, k.position
    """,
    "SELECT p.uri, o.name, o.is_set FROM own_tag o JOIN post p ON p.id = o.post ORDER BY p.uri, o.name",
    """
    SELECT p.uri, l.name, o.place IS NOT NULL FROM album_post o JOIN album l ON l.id = o.album JOIN post p ON p.id = o.post
    ORDER BY p.uri, l.name
    """,
    // Of deletes without the moment, which follows in the word.
    """
    SELECT m.mark, m.name, CASE m.mark WHEN 'deleted' THEN substr(m.value, 1, 8) ELSE m.value END AS value,
      CASE m.mark WHEN 'deleted' THEN substr(m.written, 1, 8) ELSE m.written END AS written
    FROM mark_before m ORDER BY m.mark, m.name, m.post
    """,
    "SELECT p.uri, a.alias FROM post_alias a JOIN post p ON p.id = a.post ORDER BY p.uri, a.alias",
    "SELECT p.uri, v.caption FROM revision v JOIN post p ON p.id = v.post ORDER BY p.uri, v.id",
    """
    SELECT f.name, c.newest, c.oldest, c.reached_end, b.remote_id, b.repeated_at, p.uri
    FROM feed_post b JOIN feed f ON f.id = b.feed JOIN post p ON p.id = b.post LEFT JOIN coverage c ON c.id = b.coverage
    ORDER BY f.name, c.newest, b.place DESC, b.remote_id
    """,
    "SELECT f.name, c.newest, c.oldest, c.reached_end FROM coverage c JOIN feed f ON f.id = c.feed ORDER BY 1, 2",
    "SELECT f.name, u.remote_id, u.reason FROM unreadable u JOIN feed f ON f.id = u.feed ORDER BY 1, 2",
    "SELECT p.uri FROM caption_fts JOIN post p ON p.id = caption_fts.rowid ORDER BY 1",
    // How far the steps after a migration came is left to the next command. The clock of marks goes with the time.
    "SELECT name, value FROM setting WHERE name NOT IN ('visibility-read', 'words-read', 'mark-clock') ORDER BY name",
    "SELECT sha256, bytes, media_type FROM blob ORDER BY sha256",
    "SELECT f.name FROM follow w JOIN feed f ON f.id = w.feed ORDER BY 1",
    "PRAGMA user_version",
  ]
}

extension Connection {
  /// Whether there is a table of this name.
  func hasTable(_ name: String) throws -> Bool {
    try row("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [name]) != nil
  }
}
