/// Shrinks a coverage interval that its rows no longer support: it then claims less, never more.
struct Claim {
  let interval: Int64
  let db: Database

  /// Moves the edges to posts that the interval has, and forgets what was below. Deletes an interval without posts.
  func tighten() throws {
    try forgetPulls()
    try separate()
    try db.run(
      """
      UPDATE coverage SET newest = \(Self.newest), oldest = \(Self.oldest), reached_end = 0, next = NULL,
        version = version + 1
      WHERE id = $1 AND EXISTS (SELECT 1 FROM feed_post WHERE coverage = $1)
      """,
      [interval]
    )
    if db.changesCount == 0 { try db.run("DELETE FROM coverage WHERE id = $1", [interval]) }
  }

  /// Keeps the longer side of a position whose post is lost.
  func cut(at position: Int64) throws {
    let keepsUpper: Bool =
      try db.value(
        """
        SELECT count(*) FILTER (WHERE place > $2) >= count(*) FILTER (WHERE place < $2) FROM feed_post WHERE coverage = $1
        """,
        [interval, position]
      ) ?? true
    let lost = keepsUpper ? "place <= $2" : "place >= $2"
    try db.run(
      "UPDATE feed_post SET coverage = NULL, place = NULL WHERE coverage = $1 AND \(lost)", [interval, position])
    if keepsUpper { return try tighten() }
    try forgetPulls()
    try separate()
    try db.run("UPDATE coverage SET newest = \(Self.newest), version = version + 1 WHERE id = $1", [interval])
  }

  /// A pull in this interval starts again at the feed's top when it is resumed: otherwise it would continue below what
  /// is lost.
  private func forgetPulls() throws {
    try db.run(
      """
      UPDATE cursor SET coverage = NULL, coverage_version = 0, place = NULL, next = NULL, pages = 0, items = 0
      WHERE coverage = $1
      """,
      [interval]
    )
  }

  /// Separates merged intervals: what lies between them is unknown now.
  private func separate() throws {
    try db.run("UPDATE coverage SET heir = NULL, heir_place = NULL WHERE id = $1 OR heir = $1", [interval])
  }

  private static let newest = """
    (SELECT remote_id FROM feed_post WHERE coverage = $1 ORDER BY place DESC, created_at DESC LIMIT 1)
    """

  private static let oldest = """
    (SELECT remote_id FROM feed_post WHERE coverage = $1 ORDER BY place, created_at LIMIT 1)
    """
}
