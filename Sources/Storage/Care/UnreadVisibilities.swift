import Posts
import Rows

// Who may see a post was not stored by earlier versions. It is looked for in the answers that they stored.

/// What the library has that may say who may see a post.
public struct StoredAnswer: Sendable {
  /// The post's source.
  public let source: SourceName
  /// The verbatim answer; nil if there is none.
  public let body: [UInt8]?
  /// The addresses of the documents that brought the post.
  public let addresses: [String]
}

/// How far a library's stored answers are looked at.
public struct VisibilityProgress: Sendable, Hashable {
  /// The number of the last post that was looked at.
  public let done: Int64
  /// The number of the library's last post.
  public let all: Int64
}

extension Store {
  /// Whether stored answers wait for `readVisibilities`.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func awaitsVisibilities() throws(StorageError) -> Bool {
    try setting(UnreadVisibilities.row) != nil
  }

  /// Looks at the next stored answers of posts of which nobody has looked yet who may see them, and stores what they say.
  ///
  /// Posts that an earlier version stored are looked at in such steps. Each is short, so that other writers go on. Several
  /// processes may do them at once, and whichever ends, the others go on where it stopped.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of posts.
  ///   - visibility: What an answer says; nil if it does not.
  /// - Returns: How far the steps came; nil if there is nothing left to look at.
  /// - Throws: `StorageError` if the library cannot be written.
  public func readVisibilities(
    atMost limit: Int, _ visibility: (StoredAnswer) -> Visibility?
  ) throws(StorageError) -> VisibilityProgress? {
    guard let step = try read({ try UnreadVisibilities(in: $0, atMost: limit, visibility) }) else { return nil }
    try write { try step.store(in: $0) }
    return step.progress
  }
}

/// One step. What it reads and looks at holds up no writer.
struct UnreadVisibilities {
  /// The setting that tells after which post the next step begins; without it, nothing is left.
  static let row = "visibility-read"

  private let before: String
  /// After which post the step after this one begins; nil if this is the last one.
  private let after: Int64?
  private let found: [Visibility?: [Int64]]
  let progress: VisibilityProgress

  /// Reads the answers, and what they say; nil if nothing is left.
  init?(in db: Database, atMost limit: Int, _ visibility: (StoredAnswer) -> Visibility?) throws {
    guard let before: String = try db.value("SELECT value FROM setting WHERE name = $1", [Self.row]) else { return nil }
    let start = Int64(before) ?? 0
    let ids: [Int64] = try db.values("SELECT id FROM post WHERE id > $1 ORDER BY id LIMIT $2", [start, limit])
    self.before = before
    found = try Dictionary(grouping: Self.visibilities(of: ids.jsonList, in: db, visibility)) { $0.visibility }
      .mapValues { $0.map(\.post) }
    // A program of an earlier version that still ran may have stored posts behind the steps.
    after = try ids.last ?? db.value("SELECT min(id) - 1 FROM post WHERE visibility = 'pending'")
    let last: Int64 = try db.value("SELECT max(id) FROM post") ?? 0
    progress = VisibilityProgress(done: ids.last ?? last, all: last)
  }

  private static func visibilities(
    of list: String, in db: Database, _ visibility: (StoredAnswer) -> Visibility?
  ) throws -> [(post: Int64, visibility: Visibility?)] {
    var addresses: [Int64: [String]] = [:]
    try db.rows(
      """
      SELECT b.post, f.value FROM \(db.each)($1) j
        \(db.crossJoin) feed_post b \(db.index("feed_post_post")) ON b.post = j.value
        JOIN feed f ON f.id = b.feed AND f.kind = 'url'
      """, [list]
    ) { addresses[try $0["post"], default: []].append(try $0["value"]) }
    return try db.rows(
      """
      SELECT p.id, p.source, r.body FROM \(db.each)($1) j
        \(db.crossJoin) post p ON p.id = j.value LEFT JOIN raw r ON r.post = p.id
      WHERE p.visibility = 'pending'
      """, [list]
    ) { row in
      let (id, frame): (Int64, [UInt8]?) = try (row["id"], row["body"])
      let body = frame.flatMap(RawBytes.decompress)
      // What a damaged answer said cannot be known.
      if frame != nil, body == nil { return (id, .direct) }
      let answer = StoredAnswer(
        source: SourceName(rawValue: try row["source"]), body: body, addresses: addresses[id] ?? [])
      let said = visibility(answer)
      return (id, said == .pending ? .direct : said)
    }
  }

  /// Stores what was found, unless another process did the step meanwhile.
  func store(in db: Database) throws {
    guard try db.value("SELECT value FROM setting WHERE name = $1", [Self.row]) == before else { return }
    for (visibility, ids) in found {
      try db.run(
        "UPDATE post SET visibility = $1 WHERE id IN (SELECT value FROM \(db.each)($2)) AND visibility = 'pending'",
        [visibility?.rawValue, ids.jsonList])
    }
    guard let after else { return try db.run("DELETE FROM setting WHERE name = $1", [Self.row]) }
    try db.run(Store.setting, [Self.row, "\(after)"])
  }

  /// Notes that posts after one wait, unless some are waited for already: new posts stand behind those.
  static func expect(after post: Int64, in db: Database) throws {
    try db.run("INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING", [row, "\(post)"])
  }
}
