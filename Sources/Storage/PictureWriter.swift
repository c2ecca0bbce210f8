import Foundation
import GRDB
import Posts

/// Writes what became of a picture.
struct PictureWriter {
  let db: Database
  let now: Date

  func attach(_ blob: StoredBlob, to owner: PictureOwner) throws {
    let id = try row(of: blob)
    switch owner {
    case .attachment(let attachment):
      try db.run(
        """
        UPDATE attachment SET blob = ?, state = 'stored', attempts = 0, next_try_at = NULL, failure = NULL WHERE id = ?
        """,
        [id, attachment]
      )
    case .avatar(let author):
      try db.run(
        """
        UPDATE author SET avatar_blob = ?, avatar_state = 'stored', avatar_attempts = 0, avatar_next_try_at = NULL,
          avatar_failure = NULL WHERE id = ?
        """,
        [id, author]
      )
    }
  }

  func fail(_ failure: PictureFailure) throws {
    let state = failure.isGone ? "gone" : "failed"
    switch failure.owner {
    case .attachment(let id):
      guard let row = try db.row("SELECT attempts FROM attachment WHERE id = ? AND state <> 'stored'", [id]) else {
        return
      }
      let attempts = row[0] as Int + 1
      try db.run(
        "UPDATE attachment SET state = ?, attempts = ?, next_try_at = ?, failure = ? WHERE id = ?",
        [state, attempts, failure.isGone ? nil : nextTry(after: attempts), failure.reason.storable, id]
      )
    case .avatar(let id):
      guard let row = try db.row("SELECT avatar_attempts FROM author WHERE id = ? AND avatar_state <> 'stored'", [id])
      else { return }
      let attempts = row[0] as Int + 1
      try db.run(
        """
        UPDATE author SET avatar_state = ?, avatar_attempts = ?, avatar_next_try_at = ?, avatar_failure = ? WHERE id = ?
        """,
        [state, attempts, failure.isGone ? nil : nextTry(after: attempts), failure.reason.storable, id]
      )
    }
  }

  /// A quarter of an hour, then four times as long each time, at most thirty days.
  private func nextTry(after attempts: Int) -> String {
    let wait = min(900 * pow(4, Double(attempts - 1)), 30 * 86_400)
    return UTC.text(now.addingTimeInterval(wait))
  }

  private func row(of blob: StoredBlob) throws -> Int64 {
    if let row = try db.row("SELECT id FROM blob WHERE sha256 = ?", [blob.id.hex]) { return row[0] }
    try db.run(
      "INSERT INTO blob (sha256, bytes, media_type, width, height, stored_at) VALUES (?, ?, ?, ?, ?, ?)",
      [blob.id.hex, blob.byteCount, blob.mediaType, blob.width, blob.height, UTC.text(now)]
    )
    return db.lastInsertedRowID
  }
}
