import Blobs
import FoundationEssentials
import Machine
import Posts
import Rows

// Which pictures are to be fetched, and the results.

/// The owner of a picture.
public enum PictureOwner: Sendable, Hashable, BitwiseCopyable {
  /// An attachment of a post.
  case attachment(Int64)
  /// The avatar of an author.
  case avatar(Int64)

  var isAttachment: Bool { if case .attachment = self { true } else { false } }
}

/// A picture to fetch.
public struct PictureTask: Sendable, Hashable {
  /// Its owner.
  public let owner: PictureOwner
  /// Its kind, as its source says.
  public let kind: Attachment.Kind
  /// The addresses to try, in this order; never empty.
  public let urls: [String]
  /// The post it belongs to; nil for an avatar.
  public let post: Int64?
  /// The origin of the server that listed it; nil if a person did.
  public let server: String?
  /// The limits that it is to keep to: those under which its post was pulled, unless others count.
  public var limits: FileLimits

  package init(
    owner: PictureOwner, kind: Attachment.Kind, urls: [String], post: Int64?, server: String?,
    limits: FileLimits = FileLimits()
  ) {
    (self.owner, self.kind, self.urls) = (owner, kind, urls)
    (self.post, self.server, self.limits) = (post, server, limits)
  }
}

/// A stored file of a post, behind whose address other bytes may be by now.
public struct KnownFile: Sendable {
  /// What fetches it again.
  public let task: PictureTask
  /// The size of the stored bytes.
  public let byteCount: Int
  /// When they were stored.
  public let storedAt: Date
}

/// Stored bytes, and what they are.
public struct StoredBlob: Sendable, Hashable {
  /// Their identity.
  public var id: BlobID
  /// Their number.
  public var byteCount: Int
  /// Their media type, if it is known.
  public var mediaType: String?
  /// The picture's width in pixels; nil for other files.
  public var width: Int?
  /// The picture's height in pixels; nil for other files.
  public var height: Int?

  /// Creates the record of stored bytes.
  public init(id: BlobID, byteCount: Int, mediaType: String? = nil, width: Int? = nil, height: Int? = nil) {
    self.id = id
    self.byteCount = byteCount
    self.mediaType = mediaType
    self.width = width
    self.height = height
  }
}

/// Why a picture could not be downloaded.
public struct PictureFailure: Sendable, Hashable {
  /// Its owner.
  public var owner: PictureOwner
  /// The reason as text, without a secret.
  public var reason: String
  /// Whether the server says it no longer exists (404, 410).
  public var isGone: Bool
  /// The addresses that were tried; nil if they do not matter.
  public var urls: [String]?

  /// Creates the failure of a download.
  public init(owner: PictureOwner, reason: String, isGone: Bool = false, urls: [String]? = nil) {
    self.owner = owner
    self.reason = reason
    self.isGone = isGone
    self.urls = urls
  }
}

/// A picture's host asks for a later attempt.
public struct PictureDelay: Sendable, Hashable {
  /// What its addresses answered.
  public var reason: PictureFailure
  /// The earliest time of the next attempt.
  public var until: Date

  /// Creates a delay of a download until a moment.
  public init(_ reason: PictureFailure, until: Date) { (self.reason, self.until) = (reason, until) }
}

extension Store {
  /// The pictures of posts that are to be fetched: pending ones, skipped ones, and failed ones that are due. Deleted
  /// posts have none. What a limit or a rule left out is not among them.
  ///
  /// - Parameters:
  ///   - posts: The posts' numbers; the result keeps their order.
  ///   - retryFailed: Whether all failed pictures are included, due or not.
  ///   - gone: Whether gone pictures are included. nil means the value of `retryFailed`.
  ///   - skipped: Whether skipped pictures are included.
  ///   - now: The time by which they are due.
  public func pictures(
    ofPosts posts: [Int64],
    retryFailed: Bool = false,
    gone: Bool? = nil,
    skipped: Bool = true,
    now: Date
  ) throws(StorageError) -> [PictureTask] {
    try read { db in
      try db.rows(
        """
        SELECT \(PictureTask.columns) FROM \(db.each)($1) j
          JOIN attachment a ON a.post = j.value LEFT JOIN post_state s ON s.post = a.post
        WHERE s.deleted_at IS NULL AND coalesce(a.url, a.alternate_url) IS NOT NULL
          AND (a.state = 'pending' OR ($4 AND a.state = 'skipped' AND a.skipped_by IS NULL AND a.failure IS NULL)
            OR (a.state = 'failed' AND (a.next_try_at <= $2 OR a.next_try_at > $5))
            OR ($3 AND a.state = 'failed') OR ($6 AND a.state = 'gone'))
        ORDER BY j.key, a.position
        """,
        [posts.jsonList, UTC.text(now), retryFailed, skipped, PictureWriter.never(from: now), gone ?? retryFailed]
      ) { try PictureTask(picture: $0) }
    }
  }

  /// The stored files of posts.
  ///
  /// - Parameters:
  ///   - posts: The posts' numbers; the result keeps their order.
  ///   - most: The most files.
  public func knownFiles(ofPosts posts: [Int64], most: Int) throws(StorageError) -> [KnownFile] {
    try read { db in
      try db.rows(
        """
        SELECT \(PictureTask.columns), b.bytes, b.stored_at FROM \(db.each)($1) j
          JOIN attachment a ON a.post = j.value JOIN blob b ON b.id = a.blob
        WHERE a.state = 'stored' AND a.url IS NOT NULL ORDER BY j.key, a.position LIMIT $2
        """,
        [posts.jsonList, most]
      ) {
        KnownFile(
          task: try PictureTask(picture: $0), byteCount: try $0.number("bytes"),
          storedAt: UTC.date(try $0["stored_at"]) ?? .distantPast)
      }
    }
  }

  /// A post as its server sent it, in which some pictures stand.
  ///
  /// - Parameter post: The post's number.
  /// - Returns: The bytes; nil if the library has none.
  /// - Throws: `StorageError` if the library cannot be read.
  public func raw(ofPost post: Int64) throws(StorageError) -> [UInt8]? {
    let frame: [UInt8]? = try read { try $0.value("SELECT body FROM raw WHERE post = $1", [post]) }
    return frame.flatMap(RawBytes.decompress)
  }

  /// The pictures of the whole library that are due: what an interrupted pull left, and what failed before. Skipped
  /// ones are not included.
  ///
  /// - Parameters:
  ///   - limit: The maximum number.
  ///   - now: The time by which they are due.
  /// - Returns: The tasks in no particular order.
  public func duePictures(limit: Int, now: Date) throws(StorageError) -> [PictureTask] {
    try read { db in
      try db.rows(Self.dueQuery(in: db), [UTC.text(now), limit, PictureWriter.never(from: now)]) {
        try PictureTask(picture: $0)
      }
    }
  }

  /// Each part starts at its range of the index, so that pictures that are not due are not read.
  static func dueQuery(in db: Database) -> String {
    """
    WITH due (id) AS (
      SELECT id FROM attachment \(db.index("attachment_due")) WHERE \(waits) AND next_try_at IS NULL
      UNION ALL SELECT id FROM attachment \(db.index("attachment_due")) WHERE \(waits) AND next_try_at <= $1
      UNION ALL SELECT id FROM attachment \(db.index("attachment_due")) WHERE \(waits) AND next_try_at > $3)
    SELECT \(PictureTask.columns)
    FROM due d \(db.crossJoin) attachment a ON a.id = d.id
    WHERE NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = a.post AND s.deleted_at IS NOT NULL)
    LIMIT $2
    """
  }

  /// Must match the partial index's condition.
  private static let waits = "state IN ('pending', 'failed') AND coalesce(url, alternate_url) IS NOT NULL"

  /// The avatars of the authors of posts that are to be fetched, by the same rules, each once.
  public func avatars(
    ofPosts posts: [Int64],
    retryFailed: Bool = false,
    now: Date
  ) throws(StorageError) -> [PictureTask] {
    try read { db in
      try db.rows(
        """
        SELECT u.id, u.avatar_url, u.server FROM author u
        WHERE u.id IN (SELECT p.author FROM \(db.each)($1) j JOIN post p ON p.id = j.value
            LEFT JOIN post_state s ON s.post = p.id WHERE s.deleted_at IS NULL)
          AND u.avatar_url IS NOT NULL
          AND (u.avatar_state IN ('pending', 'skipped')
            OR (u.avatar_state = 'failed' AND (u.avatar_next_try_at <= $2 OR u.avatar_next_try_at > $4))
            OR ($3 AND u.avatar_state IN ('failed', 'gone')))
        ORDER BY u.id
        """,
        [posts.jsonList, UTC.text(now), retryFailed, PictureWriter.never(from: now)]
      ) { try PictureTask(avatarOf: $0) }
    }
  }

  /// Records stored pictures in one transaction. Skips a task whose owner is gone or has another picture by now.
  public func attach(_ pictures: [(task: PictureTask, blob: StoredBlob)], now: Date) throws(StorageError) {
    try write { db in
      try PictureWriter(db: db, now: now).attach(pictures.map { ($0.blob, $0.task.owner, $0.task.urls) })
    }
  }

  /// Records failed downloads in one transaction: when to try again, or that the picture is gone, which takes two
  /// attempts a day apart. Skips a failure whose owner has another picture by now.
  ///
  /// - Returns: How many pictures of posts are gone.
  @discardableResult
  public func fail(_ failures: [PictureFailure], now: Date) throws(StorageError) -> Int {
    try write { db in
      let writer = PictureWriter(db: db, now: now)
      return try failures.count { try writer.fail($0) && $0.owner.isAttachment }
    }
  }

  /// Records pictures that their host delays, in one transaction. A delay is not a failed attempt.
  public func putOff(_ delays: [PictureDelay], now: Date) throws(StorageError) {
    try write { db in
      let writer = PictureWriter(db: db, now: now)
      for delay in delays { try writer.putOff(delay) }
    }
  }
}

extension PictureTask {
  /// The columns of an attachment `a` that `init(picture:)` reads.
  static let columns = """
    a.id, a.kind, a.url, a.alternate_url, a.post, (SELECT p.server FROM post p WHERE p.id = a.post) AS server, a.limits
    """

  init(picture row: some RowReading) throws {
    owner = .attachment(try row["id"])
    kind = Attachment.Kind(rawValue: try row["kind"]) ?? .file
    let links: [String?] = try [row["url"], row["alternate_url"]]
    urls = links.compactMap(\.self)
    post = try row["post"]
    server = try row["server"]
    limits = FileLimits(stored: try row["limits"])
  }

  /// Reads an author's row.
  init(avatarOf row: some RowReading) throws {
    (owner, kind, urls, post) = (.avatar(try row["id"]), .image, [try row["avatar_url"]], nil)
    server = try row["server"]
    limits = FileLimits()
  }
}
