import Foundation
import Posts

/// Writes what is known of a post's being there, apart from the post itself.
struct LookWriter {
  private let db: Database
  private let now: Date
  private var new: [Int64] = []
  private var known: [Int64] = []

  init(db: Database, now: Date) {
    self.db = db
    self.now = now
  }

  /// Takes note of a post that a page showed: a new one will be looked up again, and one that was gone is back. Absence
  /// from a feed of documents says nothing, so that those posts have no server to be looked up at.
  mutating func pass(_ post: WrittenPost, of source: SourceName) {
    if !post.isNew { known.append(post.id) } else if source != .feed { new.append(post.id) }
  }

  /// Writes down what was taken note of. The transaction must not end without it.
  func write() throws {
    if !known.isEmpty {
      try db.run(
        """
        UPDATE recheck SET gone_at = NULL
        WHERE gone_at IS NOT NULL AND post IN (SELECT value FROM json_each(?))
        """,
        [known.jsonList]
      )
    }
    if !new.isEmpty {
      try db.run(
        "INSERT OR IGNORE INTO recheck (post, due_at) SELECT value, ?2 FROM json_each(?1)",
        [new.jsonList, LookSchedule.next(storedAt: now, after: now).map(UTC.text)]
      )
    }
  }

  /// What the server said of a post that was looked up.
  enum Word { case shown, gone, nothing }

  /// Takes note of a look, and of when the next one is due, where the post is looked up by the schedule.
  func look(at post: Int64, _ word: Word) throws {
    let isTold = word != .nothing
    try db.run("INSERT OR IGNORE INTO recheck (post) VALUES (?)", [post])
    try db.run(
      """
      UPDATE recheck SET looks = looks + 1, checked_at = iif(?2, ?3, checked_at),
        gone_at = CASE WHEN ?4 THEN coalesce(gone_at, ?3) WHEN ?2 THEN NULL ELSE gone_at END
      WHERE post = ?1
      """,
      [post, isTold, UTC.text(now), word == .gone]
    )
    try moveOn(post)
  }

  /// Lets the time pass at which a post was due.
  func moveOn(_ post: Int64) throws {
    let storedAt: String? = try db.value(
      "SELECT p.stored_at FROM recheck r JOIN post p ON p.id = r.post WHERE r.post = ? AND r.due_at IS NOT NULL",
      [post]
    )
    guard let storedAt else { return }
    let next = UTC.date(storedAt).flatMap { LookSchedule.next(storedAt: $0, after: now) }
    try db.run("UPDATE recheck SET due_at = ? WHERE post = ?", [next.map(UTC.text), post])
  }

  /// Puts a post off that could not be looked up when it was due.
  func postpone(_ post: Int64, to time: Date) throws {
    try db.run("UPDATE recheck SET due_at = ? WHERE post = ? AND due_at IS NOT NULL", [UTC.text(time), post])
  }
}
