import Blobs
import FoundationEssentials
import Machine
import Rows

/// A post of Instagram that the library has twice: an export brought it, which names neither its address nor its author, and
/// something else brought the post that Instagram shows.
public struct TwinPosts: Sendable, Hashable {
  /// The post of the export.
  public let exported: Int64
  /// The post that Instagram shows.
  public let shown: Int64
}

extension Store {
  /// The posts of an export among some posts that may be others of them. Whether they are, a person says.
  ///
  /// - Parameter posts: Posts that show one picture.
  /// - Throws: `StorageError` if the library cannot be read.
  public func twins(among posts: [Int64]) throws(StorageError) -> [TwinPosts] {
    try read { try TwinPosts.find(among: posts, in: $0) }
  }
}

extension TwinPosts {
  fileprivate static let identity = "urn:instagram-export:"
  /// What was posted again on another day is another post.
  fileprivate static let mostSeconds: TimeInterval = 86_400
  /// How a change of marks names it, and a file that was taken over.
  static let (mark, fileMark) = ("twin", "twin-file")

  static func find(among posts: [Int64], in db: Database) throws -> [TwinPosts] {
    let posts = Set(posts).sorted()
    guard posts.count <= SameVerdict.mostPosts else { return [] }
    let found = try db.rows(
      """
      SELECT p.id, p.source, p.uri, p.created_at, p.author,
        (SELECT count(*) FROM attachment a WHERE a.post = p.id) AS files
      FROM \(db.each)($1) j \(db.crossJoin) post p ON p.id = j.value
      WHERE NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL)
      """, [posts.jsonList], Candidate.init)
    let pairs = try found.filter(\.isExported).flatMap { exported in
      let alike = found.filter(exported.isLike)
      let authors = try alike.isEmpty ? [] : authors(beside: exported, in: db)
      return alike.filter { authors.isEmpty || $0.author.map(authors.contains) ?? true }
        .map { TwinPosts(exported: exported.id, shown: $0.id) }
    }
    // Which of several it is, nobody can tell.
    return pairs.filter { one in
      pairs.count { $0.exported == one.exported } == 1 && pairs.count { $0.shown == one.shown } == 1
    }
  }

  private struct Candidate {
    let id: Int64
    let source: String
    let isExported: Bool
    let createdAt: Date
    let author: Int64?
    let files: Int

    init(_ row: some RowReading) throws {
      (id, source, author) = (try row["id"], try row["source"], try row["author"])
      isExported = (try row["uri"] as String).hasPrefix(TwinPosts.identity)
      createdAt = UTC.date(try row["created_at"]) ?? .distantPast
      files = try row.number("files")
    }

    /// Whether a post may be the one that the source shows of this one, whoever wrote it.
    func isLike(_ shown: Candidate) -> Bool {
      guard !shown.isExported, shown.source == source, shown.files == files else { return false }
      return abs(shown.createdAt.timeIntervalSince(createdAt)) <= TwinPosts.mostSeconds
    }
  }

  /// The authors of an export, as far as they are known. It is one account's, and its posts tell whose, once the library knows
  /// what Instagram shows of them.
  private static func authors(beside post: Candidate, in db: Database) throws -> Set<Int64> {
    Set(
      try db.values(
        """
        SELECT DISTINCT p.author FROM feed_post e JOIN feed f ON f.id = e.feed AND f.kind = 'import'
          JOIN feed_post o ON o.feed = e.feed JOIN post p ON p.id = o.post
        WHERE e.post = $1 AND p.source = $2 AND p.author IS NOT NULL
        """, [post.id, post.source]))
  }

  // MARK: Making them one

  /// Lets the post that Instagram shows stand for both. It gets what the person said of the other one, its place in the
  /// import, and files that could not be fetched. The other one is deleted as a person deletes a post: no import brings it
  /// back, its words and files stay, and it can be restored.
  func join(_ writer: inout MarkWriter) throws {
    let db = writer.db
    for column in try marks(in: db) {
      let current = try column.current(of: [exported, shown], in: db)
      guard let theirs = current[exported], let ours = current[shown], !column.isSame(theirs.value, nil) else {
        continue
      }
      // What a person took away counts as what they said.
      if !ours.stamp.isEmpty, ours.stamp >= theirs.stamp {
        if column == .note, ours.value != theirs.value { try keepNote(theirs.value, theirs.stamp, in: db) }
        continue
      }
      try writer.set(column, [(shown, theirs.value)])
    }
    try db.run(
      """
      INSERT INTO earlier_note (post, stamp, note)
      SELECT CAST($1 AS bigint), stamp, note FROM earlier_note WHERE post = $2 ON CONFLICT DO NOTHING
      """, [shown, exported])
    try attachFiles(&writer)
    // By a name of its own: the import finds its item as before.
    try db.run(
      """
      INSERT INTO feed_post (feed, remote_id, post, created_at, pinned, seen_at)
      SELECT e.feed, e.remote_id || '=', p.id, p.created_at, 0, e.seen_at FROM feed_post e JOIN post p ON p.id = $1
      WHERE e.post = $2 AND NOT EXISTS (SELECT 1 FROM feed_post o WHERE o.feed = e.feed AND o.post = p.id)
      ON CONFLICT DO NOTHING
      """, [shown, exported])
    try writer.remember(Self.mark, String(exported), post: shown, nil, written: "1")
    let before = try Store.deletionStates(of: [exported], in: db)[exported]
    let deletion = try Store.setDeleted(true, [exported], now: writer.now, in: db)
    let written = Store.deletionState(true, at: deletion.time ?? writer.now)
    try writer.remember("deleted", "", post: exported, before, written: written)
  }

  /// Takes back what is no mark: the place in the import, and earlier notes.
  static func separate(_ exported: String, _ shown: Int64, in db: Database) throws {
    try db.run(
      """
      DELETE FROM earlier_note WHERE post = $1 AND EXISTS (
        SELECT 1 FROM earlier_note e WHERE e.post = $2 AND e.stamp = earlier_note.stamp AND e.note = earlier_note.note
        UNION ALL
        SELECT 1 FROM post_state s WHERE s.post = $2 AND s.note_stamp = earlier_note.stamp AND s.note = earlier_note.note)
      """, [shown, Int64(exported) ?? 0])
    try db.run(
      """
      DELETE FROM feed_post WHERE post = $1 AND EXISTS (
        SELECT 1 FROM feed_post e WHERE e.feed = feed_post.feed AND e.post = $2 AND feed_post.remote_id = e.remote_id || '=')
      """, [shown, Int64(exported) ?? 0])
  }

  /// The marks that the post of the export may have. Whether a post is hidden is about one of them: perhaps as there are two.
  private func marks(in db: Database) throws -> [MarkColumn] {
    let tags: [String] = try db.values("SELECT name FROM own_tag WHERE post = $1 AND is_set = 1", [exported])
    let albums: [Int64] = try db.values(
      "SELECT album FROM album_post WHERE post = $1 AND place IS NOT NULL", [exported])
    return [.favourite, .rating, .seen, .note] + tags.map(MarkColumn.own) + albums.map(MarkColumn.album)
  }

  private func keepNote(_ note: String?, _ stamp: String, in db: Database) throws {
    guard let note else { return }
    try db.run(
      "INSERT INTO earlier_note (post, stamp, note) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", [shown, stamp, note])
  }

  /// What may still come from Instagram is not taken from the export.
  private func attachFiles(_ writer: inout MarkWriter) throws {
    let missing = try writer.db.rows(
      """
      SELECT a.id, b.sha256, b.bytes, b.media_type, b.width, b.height
      FROM attachment a JOIN attachment e ON e.post = $2 AND e.position = a.position AND e.kind = a.kind JOIN blob b ON b.id = e.blob
      WHERE a.post = $1 AND e.state = 'stored'
        AND (a.state IN ('failed', 'gone') OR a.state = 'pending' AND coalesce(a.url, a.alternate_url) IS NULL)
      """, [shown, exported]
    ) { row -> (file: Int64, blob: StoredBlob)? in
      guard let id = BlobID(try row["sha256"]) else { return nil }
      let blob = StoredBlob(
        id: id, byteCount: try row.number("bytes"), mediaType: try row["media_type"], width: try row["width"],
        height: try row["height"])
      return (try row["id"], blob)
    }.compactMap(\.self)
    try PictureWriter(db: writer.db, now: writer.now).attach(missing.map { ($0.blob, .attachment($0.file), nil) })
    for (file, blob) in missing {
      try writer.remember(Self.fileMark, String(file), post: shown, nil, written: blob.id.hex)
    }
  }

  /// Takes a file back that came from the export.
  static func detach(_ file: String, _ blob: String?, in db: Database) throws {
    try db.run(
      """
      UPDATE attachment SET blob = NULL,
        state = CASE WHEN coalesce(url, alternate_url) IS NULL THEN 'gone' ELSE 'pending' END,
        failure = CASE WHEN coalesce(url, alternate_url) IS NULL THEN $3 END
      WHERE id = $1 AND blob = (SELECT id FROM blob WHERE sha256 = $2)
      """, [Int64(file) ?? 0, blob, AttachmentRecord.hasNoAddress])
  }
}
