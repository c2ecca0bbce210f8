/// Counts every post of an author renamed during a pull as updated once, whatever the size of the pages. A page that
/// belongs to no pull counts for itself.
struct Renaming {
  private let db: Database
  private let pull: Pull
  /// The authors whose new name came with an earlier page.
  private let known: Set<Int64>

  init(db: Database, pull: Pull) throws {
    self.db = db
    self.pull = pull
    known = Set(try db.values("SELECT DISTINCT author FROM renaming WHERE pull = $1", [pull.id]))
  }

  /// Whether the post shows its author's new name for the first time. `renamed` are this page's renamed authors.
  func isFirst(_ post: WrittenPost, renamed: Set<Int64>) throws -> Bool {
    guard let author = post.author, known.contains(author) || renamed.contains(author) else { return false }
    guard pull.id > 0 else { return true }
    try db.run(
      "INSERT INTO renaming (pull, author, post) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      [pull.id, author, post.id]
    )
    return db.changesCount > 0
  }

  /// Remembers this page's renamed authors for the pages that follow.
  func keep(_ renamed: Set<Int64>) throws {
    for author in renamed where pull.id > 0 && !known.contains(author) {
      try db.run("INSERT INTO renaming (pull, author) VALUES ($1, $2)", [pull.id, author])
    }
  }

  /// Deletes the rows of ended pulls.
  static func clear(in db: Database) throws {
    // This scans the few remaining rows, not the pulls.
    try db.run(
      """
      DELETE FROM renaming
      WHERE NOT EXISTS (SELECT 1 FROM cursor WHERE cursor.id = renaming.pull AND cursor.state = 'open')
      """
    )
  }
}
