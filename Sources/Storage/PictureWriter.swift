import CSQLite
import Foundation
import Posts

/// Writes what became of a picture.
struct PictureWriter {
  let db: Database
  let now: Date
  /// The blobs of pictures of posts that are here, by the pictures' numbers, and not written down yet.
  private var stored: [Int64: Int64] = [:]

  init(db: Database, now: Date) { (self.db, self.now) = (db, now) }

  /// Takes note of bytes that are here; `write` writes it down. Bytes from an address that is no longer the owner's would
  /// be another picture's: they get their row alone, so that the file is known, and goes as one that nothing shows.
  mutating func attach(_ blob: StoredBlob, to owner: PictureOwner, from urls: [String]?) throws {
    let id = try row(of: blob)
    guard let held = try state(of: owner), held.allows(urls) else { return }
    switch owner {
    case .attachment(let attachment): stored[attachment] = id
    case .avatar(let author):
      // What posts show is not kept as what only avatars are.
      try write()
      try db.run(
        """
        UPDATE author SET avatar_blob = ?, avatar_state = 'stored', avatar_attempts = 0, avatar_next_try_at = NULL,
          avatar_failure = NULL WHERE id = ?
        """,
        [id, author]
      )
      try db.run(
        """
        INSERT INTO cached (blob, bytes, used_on) SELECT id, bytes, ?2 FROM blob
        WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM attachment WHERE blob = ?1)
        ON CONFLICT (blob) DO UPDATE SET used_on = excluded.used_on
        """,
        [id, Store.day(now)]
      )
    }
  }

  /// Writes down which pictures of posts are here. The transaction must not end without it.
  mutating func write() throws {
    if stored.isEmpty { return }
    try db.run(
      """
      UPDATE attachment
      SET blob = json_extract(j.value, '$[1]'), state = 'stored', attempts = 0, next_try_at = NULL, failure = NULL
      FROM json_each(?) j WHERE attachment.id = json_extract(j.value, '$[0]')
      """,
      ["[\(stored.map { "[\($0),\($1)]" }.joined(separator: ","))]"]
    )
    stored = [:]
  }

  func fail(_ failure: PictureFailure) throws {
    guard let held = try state(of: failure.owner), held.name != "stored", held.allows(failure.urls) else { return }
    let state = failure.isGone ? "gone" : "failed"
    let attempts = held.attempts + 1
    let next = failure.isGone ? nil : nextTry(after: attempts)
    switch failure.owner {
    case .attachment(let id):
      try db.run(
        "UPDATE attachment SET state = ?, attempts = ?, next_try_at = ?, failure = ? WHERE id = ?",
        [state, attempts, next, failure.reason.storable, id]
      )
    case .avatar(let id):
      try db.run(
        """
        UPDATE author SET avatar_state = ?, avatar_attempts = ?, avatar_next_try_at = ?, avatar_failure = ? WHERE id = ?
        """,
        [state, attempts, next, failure.reason.storable, id]
      )
    }
  }

  /// How far the fetching of a picture has come, and from where it is fetched.
  private struct State {
    let name: String
    let attempts: Int
    let urls: [String]

    /// Whether what was fetched is still wanted; a link that was only signed anew leads to the same bytes.
    func allows(_ fetched: [String]?) -> Bool {
      guard let fetched else { return true }
      return fetched.contains { url in urls.contains { WebAddress.sameFile($0, url) } }
    }
  }

  private func state(of owner: PictureOwner) throws -> State? {
    let row =
      switch owner {
      case .attachment(let id):
        try db.row("SELECT state, attempts, url, alternate_url FROM attachment WHERE id = ?", [id])
      case .avatar(let id):
        try db.row("SELECT avatar_state, avatar_attempts, avatar_url, NULL FROM author WHERE id = ?", [id])
      }
    return row.map { row in
      State(name: row[0], attempts: row[1], urls: [row[2] as String?, row[3] as String?].compactMap(\.self))
    }
  }

  /// A quarter of an hour, then four times as long each time, at most thirty days.
  private func nextTry(after attempts: Int) -> String {
    let wait = min(900 * pow(4, Double(attempts - 1)), Self.longestWait)
    return UTC.text(now.addingTimeInterval(wait))
  }

  private static let longestWait: TimeInterval = 30 * 86_400

  /// A next try that lies after this was written before the clock was put back, and is due: no wait is so long. A clock
  /// that is put right by less than a day makes none due.
  static func never(from now: Date) -> String { UTC.text(now.addingTimeInterval(longestWait + 86_400)) }

  /// The number of the blob's row, which is made where there is none.
  func row(of blob: StoredBlob) throws -> Int64 {
    // Most pictures are nobody else's: one that has a row is looked for after that was found.
    try db.run(
      """
      INSERT INTO blob (sha256, bytes, media_type, width, height, stored_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (sha256) DO NOTHING
      """,
      [blob.id.hex, blob.byteCount, blob.mediaType, blob.width, blob.height, UTC.text(now)]
    )
    if db.changesCount > 0 { return db.lastInsertedRowID }
    guard let row: Int64 = try db.value("SELECT id FROM blob WHERE sha256 = ?", [blob.id.hex]) else {
      throw DatabaseError(SQLITE_CORRUPT, "a picture's row was there and is not found")
    }
    return row
  }
}
