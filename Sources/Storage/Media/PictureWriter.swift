import FoundationEssentials
import Glibc
import Machine
import Posts
import Rows

/// Writes the state of pictures.
struct PictureWriter {
  let db: Database
  let now: Date

  /// Records stored bytes. Bytes from an address that is no longer the owner's belong to another picture. They only get
  /// their row, so that the file is known and garbage collection removes it.
  func attach(_ pictures: [(blob: StoredBlob, owner: PictureOwner, urls: [String]?)]) throws {
    var attachments: [Int64: Int64] = [:]
    var avatars: [Int64: Int64] = [:]
    for (blob, owner, urls) in pictures {
      let id = try row(of: blob)
      guard let current = try state(of: owner), current.allows(urls) else { continue }
      switch owner {
      case .attachment(let attachment): attachments[attachment] = id
      case .avatar(let author): avatars[author] = id
      }
    }
    try attach(attachments)
    // A blob that posts show is not an entry of the avatar cache, so those of posts come first.
    for (author, blob) in avatars { try attach(blob, toAuthor: author) }
  }

  private func attach(_ blob: Int64, toAuthor author: Int64) throws {
    try db.run(
      """
      UPDATE author SET avatar_blob = $1, avatar_state = 'stored', avatar_attempts = 0, avatar_next_try_at = NULL,
        avatar_failure = NULL, avatar_gone_at = NULL WHERE id = $2
      """,
      [blob, author]
    )
    try db.run(
      """
      INSERT INTO cached (blob, bytes, used_on) SELECT id, bytes, $2 FROM blob
      WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM attachment WHERE blob = $1)
      ON CONFLICT (blob) DO UPDATE SET used_on = excluded.used_on
      """,
      [blob, Store.day(now)]
    )
  }

  /// Records the blobs of posts' pictures, by the attachments' numbers.
  private func attach(_ stored: [Int64: Int64]) throws {
    for (attachment, blob) in stored.sorted(by: { $0.key < $1.key }) {
      try db.run(
        """
        UPDATE attachment
        SET blob = $1, state = 'stored', skipped_by = NULL, attempts = 0, next_try_at = NULL, failure = NULL, gone_at = NULL
        WHERE id = $2
        """,
        [blob, attachment]
      )
    }
  }

  /// Records a failed attempt.
  ///
  /// - Returns: Whether the picture is gone for good.
  func fail(_ failure: PictureFailure) throws -> Bool {
    guard let current = try wanted(failure) else { return false }
    var fate = Outcome(name: "failed", attempts: current.attempts, goneAt: current.goneAt, nextTryAt: current.nextTryAt)
    // An attempt before the picture is due, as by an open list in an outage, does not delay the next one.
    if current.isDue(now) {
      fate.attempts += 1
      fate.nextTryAt = nextTry(after: fate.attempts)
    }
    if failure.isGone {
      // A server that is being moved answers "gone" for an hour, too. Only what is still gone a day later is gone.
      let since = current.goneAt.flatMap(UTC.date).flatMap { $0 <= now ? $0 : nil } ?? now
      let isGone = current.name == "gone" || now.timeIntervalSince(since) >= Self.day
      (fate.name, fate.goneAt) = (isGone ? "gone" : "failed", UTC.text(since))
      fate.nextTryAt = isGone ? nil : UTC.text(since.addingTimeInterval(Self.day))
    }
    try write(fate, failure)
    return fate.name == "gone"
  }

  /// Records until when a picture is delayed. A skipped one becomes pending.
  func putOff(_ delay: PictureDelay) throws {
    guard let current = try wanted(delay.reason), current.name != "gone" else { return }
    let name = current.name == "skipped" ? "pending" : current.name
    let next = UTC.text(delay.until)
    try write(Outcome(name: name, attempts: current.attempts, goneAt: current.goneAt, nextTryAt: next), delay.reason)
  }

  /// Records that a limit leaves a file out, unless it is stored, or another one is wanted by now.
  func leaveOut(_ file: PictureLeftOut) throws {
    guard case .attachment(let id) = file.owner, let current = try state(of: file.owner), current.name != "stored",
      current.allows(file.urls)
    else { return }
    try LimitWriter.leaveOut([id], for: file.reason, in: db)
  }

  /// The new state of a picture.
  private struct Outcome {
    var name: String
    var attempts: Int
    var goneAt: String?
    var nextTryAt: String?
  }

  private func write(_ fate: Outcome, _ failure: PictureFailure) throws {
    let values: Arguments = [fate.name, fate.attempts, fate.nextTryAt, fate.goneAt, failure.reason.storable]
    switch failure.owner {
    case .attachment(let id):
      try db.run(
        "UPDATE attachment SET state = $1, attempts = $2, next_try_at = $3, gone_at = $4, failure = $5 WHERE id = $6",
        values + [id]
      )
    case .avatar(let id):
      try db.run(
        """
        UPDATE author SET avatar_state = $1, avatar_attempts = $2, avatar_next_try_at = $3, avatar_gone_at = $4,
          avatar_failure = $5 WHERE id = $6
        """,
        values + [id]
      )
    }
  }

  /// The state of a picture that failed. nil if it is stored, or if another one is wanted by now.
  private func wanted(_ failure: PictureFailure) throws -> State? {
    guard let current = try state(of: failure.owner), current.name != "stored", current.allows(failure.urls) else {
      return nil
    }
    return current
  }

  /// The state of a picture, and its addresses.
  private struct State: RowDecodable {
    let name: String
    let attempts: Int
    let urls: [String]
    let goneAt: String?
    let nextTryAt: String?

    init(_ row: some RowReading) throws {
      name = try row["state"]
      attempts = try row.number("attempts")
      let links: [String?] = try [row["url"], row["alternate_url"]]
      urls = links.compactMap(\.self)
      goneAt = try row["gone_at"]
      nextTryAt = try row["next_try_at"]
    }

    /// Whether its next attempt is due.
    func isDue(_ now: Date) -> Bool {
      guard let nextTryAt else { return true }
      return nextTryAt <= UTC.text(now) || nextTryAt > PictureWriter.never(from: now)
    }

    /// Whether the fetched addresses are still the picture's. A link that was only signed anew leads to the same bytes.
    func allows(_ fetched: [String]?) -> Bool {
      guard let fetched else { return true }
      return fetched.contains { url in urls.contains { WebAddress.sameFile($0, url) } }
    }
  }

  private func state(of owner: PictureOwner) throws -> State? {
    switch owner {
    case .attachment(let id):
      try db.row("SELECT state, attempts, url, alternate_url, gone_at, next_try_at FROM attachment WHERE id = $1", [id])
    case .avatar(let id):
      try db.row(
        """
        SELECT avatar_state AS state, avatar_attempts AS attempts, avatar_url AS url, NULL AS alternate_url,
          avatar_gone_at AS gone_at, avatar_next_try_at AS next_try_at
        FROM author WHERE id = $1
        """,
        [id])
    }
  }

  /// A quarter of an hour, then four times as long each time, at most thirty days.
  private func nextTry(after attempts: Int) -> String {
    let wait = min(900 * pow(4, Double(attempts - 1)), Self.longestWait)
    return UTC.text(now.addingTimeInterval(wait))
  }

  private static let day: TimeInterval = 86_400
  private static let longestWait: TimeInterval = 30 * day

  /// The latest time a next attempt can have. A later one was written before the clock was set back, and is due.
  /// Setting the clock right by less than a day makes none due.
  static func never(from now: Date) -> String { UTC.text(now.addingTimeInterval(longestWait + 86_400)) }

  /// The number of the blob's row. Inserts the row if there is none.
  func row(of blob: StoredBlob) throws -> Int64 {
    // Most pictures are new: insert first, and look for an existing row only on conflict.
    let new = try db.insertNumberedUnlessKnown(
      """
      INSERT INTO blob (sha256, bytes, media_type, width, height, stored_at) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (sha256) DO NOTHING
      """,
      [blob.id.hex, blob.byteCount, blob.mediaType, blob.width, blob.height, UTC.text(now)]
    )
    if let new { return new }
    guard let row: Int64 = try db.value("SELECT id FROM blob WHERE sha256 = $1", [blob.id.hex]) else {
      throw Contradiction("a picture's row was there and is not found")
    }
    return row
  }
}
