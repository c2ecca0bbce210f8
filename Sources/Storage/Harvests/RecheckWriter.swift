import FoundationEssentials
import Machine
import Posts

/// Writes what rechecks and pages say about a post's existence, apart from the post itself.
struct RecheckWriter {
  private let db: Database
  private let now: Date

  init(db: Database, now: Date) {
    self.db = db
    self.now = now
  }

  /// Records the posts that a page showed: new ones are scheduled for rechecks, and those that were gone are back. Posts
  /// that are found by their page come from documents. Absence from a document means nothing, so they are not rechecked.
  func record(_ shown: [(post: WrittenPost, identity: Post.IdentityRule)]) throws {
    let known = shown.filter { !$0.post.isNew }.map(\.post.id)
    let new = shown.filter { $0.post.isNew && $0.identity != .page }.map(\.post.id)
    if !known.isEmpty {
      try db.run(
        """
        UPDATE recheck SET gone_at = NULL
        WHERE gone_at IS NOT NULL AND post IN (SELECT value FROM \(db.each)($1))
        """,
        [known.jsonList]
      )
    }
    if !new.isEmpty {
      try db.run(
        "INSERT INTO recheck (post, due_at) SELECT value, $2 FROM \(db.each)($1) WHERE TRUE ON CONFLICT DO NOTHING",
        [new.jsonList, RecheckSchedule.next(storedAt: now, after: now).map(UTC.text)]
      )
    }
  }

  /// What the server said about a rechecked post.
  enum Answer { case shown, gone, nothing }

  /// Records a recheck, and when the next one is due if the post has a schedule.
  func record(of post: Int64, _ answer: Answer) throws {
    let isAnswered = answer != .nothing
    try db.run("INSERT INTO recheck (post) VALUES ($1) ON CONFLICT DO NOTHING", [post])
    try db.run(
      """
      UPDATE recheck SET looks = looks + 1, checked_at = iif($2, $3, checked_at),
        gone_at = CASE WHEN $4 THEN coalesce(gone_at, $3) WHEN $2 THEN NULL ELSE gone_at END
      WHERE post = $1
      """,
      [post, isAnswered, UTC.text(now), answer == .gone]
    )
    try moveOn(post)
  }

  /// Sets a due post to its next recheck.
  func moveOn(_ post: Int64) throws {
    let storedAt: String? = try db.value(
      "SELECT p.stored_at FROM recheck r JOIN post p ON p.id = r.post WHERE r.post = $1 AND r.due_at IS NOT NULL",
      [post]
    )
    guard let storedAt else { return }
    let next = UTC.date(storedAt).flatMap { RecheckSchedule.next(storedAt: $0, after: now) }
    try db.run("UPDATE recheck SET due_at = $1 WHERE post = $2", [next.map(UTC.text), post])
  }

  /// Postpones the due recheck of a post that could not be checked.
  func postpone(_ post: Int64, to time: Date) throws {
    try db.run("UPDATE recheck SET due_at = $1 WHERE post = $2 AND due_at IS NOT NULL", [UTC.text(time), post])
  }
}
