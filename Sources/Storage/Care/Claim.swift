/// What a stretch claims of its feed, where its rows no longer bear it out: it claims less from then on, never more.
struct Claim {
  let stretch: Int64
  let db: Database

  /// The edges become posts that the stretch holds, and what lay below them is not known; one that holds none goes.
  func tighten() throws {
    try forgetPulls()
    try part()
    try db.run(
      """
      UPDATE coverage SET newest = \(Self.newest), oldest = \(Self.oldest), reached_end = 0, next = NULL,
        version = version + 1
      WHERE id = ?1 AND EXISTS (SELECT 1 FROM feed_post WHERE coverage = ?1)
      """,
      [stretch]
    )
    if db.changesCount == 0 { try db.run("DELETE FROM coverage WHERE id = ?", [stretch]) }
  }

  /// Only what stands on one side of a place remains, the longer one: what stood there is lost.
  func cut(at place: Int64) throws {
    let sides = try db.row(
      """
      SELECT count(*) FILTER (WHERE place > ?2), count(*) FILTER (WHERE place < ?2) FROM feed_post WHERE coverage = ?1
      """,
      [stretch, place]
    )
    let keepsUpper: Bool = (sides?[0] ?? 0) >= (sides?[1] as Int? ?? 0)
    let lost = keepsUpper ? "place <= ?2" : "place >= ?2"
    try db.run("UPDATE feed_post SET coverage = NULL, place = NULL WHERE coverage = ?1 AND \(lost)", [stretch, place])
    if keepsUpper { return try tighten() }
    try forgetPulls()
    try part()
    try db.run("UPDATE coverage SET newest = \(Self.newest), version = version + 1 WHERE id = ?1", [stretch])
  }

  /// A pull that stood in it begins at the top of the feed when it is taken up again: it would go on below what is lost.
  private func forgetPulls() throws {
    try db.run(
      """
      UPDATE cursor SET coverage = NULL, coverage_version = 0, place = NULL, next = NULL, pages = 0, items = 0
      WHERE coverage = ?
      """,
      [stretch]
    )
  }

  /// What it was one with stands alone: of what lies between the two, nobody can tell any more.
  private func part() throws {
    try db.run("UPDATE coverage SET heir = NULL, heir_place = NULL WHERE id = ?1 OR heir = ?1", [stretch])
  }

  private static let newest = """
    (SELECT remote_id FROM feed_post WHERE coverage = ?1 ORDER BY place DESC, created_at DESC LIMIT 1)
    """

  private static let oldest = """
    (SELECT remote_id FROM feed_post WHERE coverage = ?1 ORDER BY place, created_at LIMIT 1)
    """
}
