import Blobs
import Foundation
import Posts
import SQLite
import Testing

@testable import Storage

/// A small library with something of everything. A copy of it is kept for each version of the schema.
///
/// Its contents never change, or the kept copies could no longer be compared.
enum OldLibrary {
  static let bytes: [[UInt8]] = [Array("first".utf8), Array("second".utf8), Array("avatar".utf8)]

  static func fill(_ store: Store) throws {
    try pullCats(store)
    try pullBirds(store)
    try fetch(store)
    var walk = picked(30, "A walk", tags: ["walks"], pictures: 1)
    (walk.author, walk.server, walk.remoteID, walk.url) = (nil, nil, nil, nil)
    walk.attachments[0].url = nil
    let id = try #require(UUID(uuidString: "A5A0C2A4-2B8E-4F0B-9C53-0E6A2C4B7D11"))
    try store.add(walk, id: id, pictures: [blob(1)], now: noon)
    let ids = try store.posts(PostQuery(limit: nil)).filter { ["post 2", "post 3"].contains($0.caption) }.map(\.id)
    try store.delete(ids, now: noon)
    try store.restore([ids[0]], now: noon.addingTimeInterval(60))
    try store.set("view", to: "grid")
  }

  /// Two coverage intervals with a gap between them, an edit, and an unreadable item.
  private static func pullCats(_ store: Store) throws {
    let first = try store.beginPull(of: cats, goal: PullGoal(end: true), now: noon)
    let old = (1...5).reversed().map { picked($0, pictures: 1) }
    _ = try store.save(page(old, next: .end), in: first, now: noon)
    try store.finishPull(first, reached: true, now: noon)
    let second = try store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    var top = page((9...12).reversed().map { picked($0, pictures: $0 % 3) })
    top.items.append(PageItem(id: "odd", content: .unreadable(reason: "no time"), raw: Array("{\"id\":\"odd\"}".utf8)))
    _ = try store.save(top, in: second, now: noon)
    try store.finishPull(second, reached: true, now: noon)
    let third = try store.beginPull(of: cats, goal: PullGoal(pages: 2), now: noon)
    _ = try store.save(page([picked(12), picked(11, "edited", pictures: 2)]), in: third, now: noon)
    try store.finishPull(third, reached: false, now: noon)
  }

  /// A boost, posts with skipped pictures, and a pull that was killed.
  private static func pullBirds(_ store: Store) throws {
    let feed = Feed(source: .usual, kind: .tag, value: "birds", server: birds)
    let pull = try store.beginPull(of: feed, goal: PullGoal(pages: 3), now: noon)
    var boosted = item(picked(21, by: "Bo", tags: ["birds"], pictures: 1))
    boosted.repetition = Repetition(
      by: Author(uri: "https://birds.example/users/cy", handle: "cy@birds.example", name: "Cy"), at: noon)
    let items = [boosted, item(picked(20, by: "Bo", tags: ["birds", "cats"]))]
    _ = try store.save(Page(items: items, next: .after(Cursor("20"))), in: pull, pictures: false, now: noon)
  }

  /// Pictures in every state.
  private static func fetch(_ store: Store) throws {
    let posts = try store.posts(PostQuery(limit: nil)).map(\.id)
    let tasks = try store.pictures(ofPosts: posts, now: noon).filter { $0.urls[0].hasSuffix("-0.jpg") }
    try store.attach([(tasks[0], blob(0)), (tasks[1], blob(1)), (tasks[2], blob(0))], now: noon)
    try store.fail([PictureFailure(owner: tasks[3].owner, reason: "the server answers 500")], now: noon)
    let gone = PictureFailure(owner: tasks[4].owner, reason: "the server answers 404", isGone: true)
    try store.fail([gone], now: noon.addingTimeInterval(-86_400))
    try store.fail([gone], now: noon)
    // The kept copies count one attempt.
    try store.write { try $0.execute("UPDATE attachment SET attempts = 1 WHERE state = 'gone'") }
    if let avatar = try store.avatars(ofPosts: posts, now: noon).first {
      try store.attach([(avatar, blob(2))], now: noon)
    }
  }

  static func blob(_ number: Int) -> StoredBlob {
    StoredBlob(
      id: BlobID(hashing: bytes[number]), byteCount: bytes[number].count, mediaType: "image/png", width: 3, height: 2)
  }

  private static func picked(
    _ number: Int, _ caption: String? = nil, by name: String = "Ada", tags: [String] = ["cats"], pictures: Int = 0
  ) -> Post {
    let files = (0..<pictures).map { picture("\(number)-\($0)", id: "m\(number)-\($0)", alt: "alt \($0)") }
    var made = post(number, caption: caption, by: name, tags: tags, attachments: files)
    let user = name.lowercased()
    made.author = Author(
      uri: "https://birds.example/users/\(user)", handle: "\(user)@birds.example", name: name,
      avatarURL: "https://files.example/\(user).png")
    return made
  }

  /// Its contents as lines, without row numbers.
  static func lines(of store: Store) throws -> [String] {
    try store.read { db in
      let answers: [[UInt8]] = try answers.flatMap { try db.values($0) as [[UInt8]] }
      let unpacked = answers.map { RawBytes.decompress($0).map { String(decoding: $0, as: UTF8.self) } ?? "not whole" }
      switch db.connection {
      case .sqlite: return try (questions + [search]).flatMap { try rows($0, in: db) } + unpacked
      case .postgresql(let session):
        let texts = try questions.flatMap { question -> [String] in
          try session.connection.values("SELECT q::text FROM (\(question)) q")
        }
        return texts + unpacked
      }
    }
  }

  /// Verbatim answers. They are compared decompressed: the compression is not part of the contents.
  private static let answers = [
    "SELECT r.body FROM raw r JOIN post p ON p.id = r.post ORDER BY p.uri", "SELECT body FROM unreadable ORDER BY id",
  ]

  private static let search = """
    SELECT p.uri FROM caption_fts JOIN post p ON p.id = caption_fts.rowid WHERE caption_fts MATCH 'edited' ORDER BY 1
    """

  private static let questions = [
    """
    SELECT p.source, p.uri, p.url, p.server, p.remote_id, u.handle, p.created_at, p.title, p.caption, p.stored_at,
      p.updated_at, s.deleted_at, s.restored_at, r.body IS NOT NULL
    FROM post p LEFT JOIN author u ON u.id = p.author LEFT JOIN post_state s ON s.post = p.id
      LEFT JOIN raw r ON r.post = p.id ORDER BY p.uri
    """,
    """
    SELECT p.uri, a.position, a.kind, a.remote_id, a.url, a.alt, b.sha256, b.bytes, b.width, a.state, a.attempts,
      a.next_try_at, a.failure
    FROM attachment a JOIN post p ON p.id = a.post LEFT JOIN blob b ON b.id = a.blob ORDER BY p.uri, a.position
    """,
    """
    SELECT u.uri, u.handle, u.name, u.avatar_url, b.sha256, u.avatar_state
    FROM author u LEFT JOIN blob b ON b.id = u.avatar_blob ORDER BY u.uri
    """,
    """
    SELECT p.uri, t.name, k.position, k.created_at FROM post_tag k JOIN tag t ON t.id = k.tag
      JOIN post p ON p.id = k.post ORDER BY p.uri, k.position
    """,
    "SELECT p.uri, a.alias FROM post_alias a JOIN post p ON p.id = a.post ORDER BY p.uri, a.alias",
    "SELECT p.uri, v.caption, v.seen_at FROM revision v JOIN post p ON p.id = v.post ORDER BY p.uri, v.id",
    """
    SELECT f.name, c.newest, c.oldest, c.reached_end, b.remote_id, b.repeated_at, p.uri
    FROM feed_post b JOIN feed f ON f.id = b.feed JOIN post p ON p.id = b.post LEFT JOIN coverage c ON c.id = b.coverage
    ORDER BY f.name, c.newest, b.place DESC, b.remote_id
    """,
    "SELECT f.name, u.remote_id, u.reason FROM unreadable u JOIN feed f ON f.id = u.feed",
    """
    SELECT f.name, u.goal_pages, u.goal_end, u.pages, u.next, u.state, u.finished_at
    FROM cursor u JOIN feed f ON f.id = u.feed ORDER BY u.id
    """,
    "SELECT name, value FROM setting ORDER BY name",
    "SELECT sha256, bytes, media_type, stored_at FROM blob ORDER BY sha256",
  ]
}
