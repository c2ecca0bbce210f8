import Rows

/// Writes the tags of many posts at once.
struct TagWriter {
  let db: Database
  private var ids: [String: Int64] = [:]
  private var pending: [(post: Int64, createdAt: String, tags: [String])] = []

  init(db: Database) { self.db = db }

  /// Queues a post's tags. `write` writes them.
  mutating func insert(_ tags: [String], of post: Int64, createdAt: String) {
    if !tags.isEmpty { pending.append((post, createdAt, tags.map(\.storable))) }
  }

  /// Queues the tags if they changed.
  ///
  /// - Parameter keepsOthers: Whether tags stay that are not among these.
  /// - Returns: Whether the set of tags changed; their order does not count.
  mutating func update(
    _ tags: [String], of post: Int64, createdAt: String, keepsOthers: @autoclosure () throws -> Bool = false
  ) throws -> Bool {
    if pending.contains(where: { $0.post == post }) { try write() }
    let names: [String] = try db.values(
      "SELECT t.name FROM post_tag p JOIN tag t ON t.id = p.tag WHERE p.post = $1 ORDER BY p.position",
      [post]
    )
    if names.count == tags.count, zip(names, tags).allSatisfy({ $0 == $1 }) { return false }
    let shown = Set(tags.map(\.storable))
    let others = names.filter { !shown.contains($0) }
    let tags = try others.isEmpty || !keepsOthers() ? tags : tags + others
    if names == tags.map(\.storable) { return false }
    let isChanged = Set(names) != Set(tags.map(\.storable))
    try db.run("DELETE FROM post_tag WHERE post = $1", [post])
    insert(tags, of: post, createdAt: createdAt)
    return isChanged
  }

  /// Writes the queued tags.
  mutating func write() throws {
    if pending.isEmpty { return }
    let posts = pending
    pending = []
    try resolve(posts.flatMap(\.tags))
    let rows = try posts.flatMap { post in
      try post.tags.enumerated().map { position, tag in
        guard let id = ids[tag] else {
          throw Contradiction("a tag was written and is not found")
        }
        return [id, post.post, position, post.createdAt] as Arguments
      }
    }
    try db.insert(
      "INSERT INTO post_tag (tag, post, position, created_at)", rows, "ON CONFLICT (post, tag) DO NOTHING")
  }

  /// Finds the tags' numbers, and inserts missing tags.
  private mutating func resolve(_ tags: [String]) throws {
    try load(tags.filter { ids[$0] == nil })
    var seen: Set<String> = []
    let new = tags.filter { ids[$0] == nil && seen.insert($0).inserted }
    if new.isEmpty { return }
    try db.run(
      "INSERT INTO tag (name) SELECT value FROM \(db.eachText)($1) WHERE TRUE ON CONFLICT (name) DO NOTHING",
      [new.sorted().jsonList])
    try load(new)
  }

  private mutating func load(_ tags: [String]) throws {
    if tags.isEmpty { return }
    let sql = """
      SELECT t.name, t.id FROM \(db.eachText)($1) k \(db.crossJoin) tag t
        ON t.id = (SELECT w.id FROM tag w WHERE w.name = k.value)
      """
    let found = try db.rows(sql, [tags.jsonList]) { (try $0["name"] as String, try $0["id"] as Int64) }
    for (name, id) in found { ids[name] = id }
  }
}
