import GRDB
import Posts

/// Writes which tags a post carries.
struct TagWriter {
  let db: Database
  private var ids: [String: Int64] = [:]

  init(db: Database) { self.db = db }

  mutating func insert(_ tags: [String], of post: Int64, createdAt: String) throws {
    if tags.isEmpty { return }
    let ids = try tags.map { try id(of: $0.storable) }
    // In one statement: each keeps a copy of every page that it changes, until it ends.
    try db.run(
      """
      INSERT OR IGNORE INTO post_tag (tag, post, position, created_at) SELECT value, ?2, key, ?3 FROM json_each(?1)
      """,
      [ids.jsonList, post, createdAt]
    )
  }

  /// Whether the tags are others than before; their order does not count.
  mutating func update(_ tags: [String], of post: Int64, createdAt: String) throws -> Bool {
    let held = try db.rows(
      "SELECT t.name FROM post_tag p JOIN tag t ON t.id = p.tag WHERE p.post = ? ORDER BY p.position",
      [post]
    )
    let names = held.map { $0[0] as String }
    if names.count == tags.count, zip(names, tags).allSatisfy({ $0 == $1 }) { return false }
    let isChanged = Set(names) != Set(tags.map(\.storable))
    try db.run("DELETE FROM post_tag WHERE post = ?", [post])
    try insert(tags, of: post, createdAt: createdAt)
    return isChanged
  }

  private mutating func id(of tag: String) throws -> Int64 {
    if let known = ids[tag] { return known }
    let held: Int64? = try db.value("SELECT id FROM tag WHERE name = ?", [tag])
    if held == nil { try db.run("INSERT INTO tag (name) VALUES (?)", [tag]) }
    let id = held ?? db.lastInsertedRowID
    ids[tag] = id
    return id
  }
}
