import Posts
import Rows

/// Writes the attachments of many posts at once, without losing stored bytes.
struct AttachmentWriter {
  /// How incoming attachments differ from the stored ones.
  enum Change {
    case same
    /// Only URLs and hints differ, which nobody reads.
    case silent
    case changed
  }

  let db: Database
  /// The initial state of new attachments.
  let state: String
  private var pending: [Arguments] = []

  init(db: Database, state: String) { (self.db, self.state) = (db, state) }

  /// Queues a new post's attachments. `write` inserts them.
  mutating func insert(_ attachments: [Attachment], of post: Int64) {
    insert(attachments.map { AttachmentRecord($0, state: state) }, of: post)
  }

  /// Inserts attachments behind those that a post has.
  ///
  /// - Parameter isUnshown: Whether an import brings them, and the post's server does not show them.
  /// - Returns: Their numbers, in order.
  mutating func append(_ attachments: [Attachment], to post: Int64, isUnshown: Bool = false) throws -> [Int64] {
    try write()
    let last: Int? = try db.value("SELECT max(position) FROM attachment WHERE post = $1", [post])
    let first = last.map { $0 + 1 } ?? 0
    let records = attachments.map { AttachmentRecord($0, state: state) }
    insert(isUnshown ? records.map(\.unshown) : records, of: post, from: first)
    try write()
    return try db.values(
      "SELECT id FROM attachment WHERE post = $1 AND position >= $2 ORDER BY position", [post, first])
  }

  /// Inserts the queued attachments.
  mutating func write() throws {
    let columns = "\(AttachmentRecord.columns), post, position"
    // Rows with a known number come first, or a new row might get that number.
    try db.insert("INSERT INTO attachment (id, \(columns))", pending.filter { $0[0] != nil })
    try db.insert("INSERT INTO attachment (\(columns))", pending.filter { $0[0] == nil }.map { Array($0.dropFirst()) })
    pending = []
  }

  /// Updates a post's attachments. The same file keeps its bytes and its state.
  ///
  /// A file that an import brought stays, until a server shows one in its place.
  ///
  /// - Parameters:
  ///   - revised: Whether a feed's item was revised since; nil for other posts.
  ///   - isImported: Whether an import brought all that is stored.
  mutating func update(
    _ attachments: [Attachment], of post: Int64, otherServer: Bool, revised: Bool?, isImported: Bool
  ) throws -> Change {
    try write()
    let stored = try stored(by: post)
    if stored.isEmpty && attachments.isEmpty { return .same }
    let isMoved = attachments.count != stored.count || zip(attachments, stored).contains { $0.url?.storable != $1.url }
    let files = revised == true || revised != nil && isMoved ? try files(of: post, isRevised: revised == true) : nil
    let match = AttachmentMatch(
      stored: stored, otherServer: otherServer && stored.count == attachments.count, files: files)
    var wanted = match.merged(attachments, state: state)
    if isImported, attachments.count < stored.count, wanted.allSatisfy({ $0.id == nil }) {
      wanted = AttachmentMatch(stored: stored, otherServer: true).merged(attachments, state: state)
    }
    let shown = Set(wanted.map(\.id))
    wanted += stored.filter { !shown.contains($0.id) && $0.blob != nil && (isImported || $0.isNameless) }
      .map(\.unshown)
    if wanted == stored { return .same }
    let isChanged =
      wanted.map(\.id) != stored.map(\.id)
      || zip(wanted, stored).contains { $0.alt != $1.alt || $0.kind != $1.kind }
    try db.run("DELETE FROM attachment WHERE post = $1", [post])
    insert(wanted, of: post)
    if isChanged { try Self.forgetReading(of: post, in: db) }
    return isChanged ? .changed : .silent
  }

  /// Has a model read a post again: descriptions are a part of what it reads.
  static func forgetReading(of post: Int64, in db: Database) throws {
    try db.run("DELETE FROM text_vector WHERE post = $1", [post])
  }

  /// Records another server's copy of a picture as the alternate URL, if there is none yet. The other server's kind
  /// replaces an unknown one (`file`).
  mutating func addAlternates(of attachments: [Attachment], to post: Int64) throws {
    try write()
    for (position, attachment) in attachments.enumerated() {
      let kind = attachment.kind.rawValue
      try db.run(
        "UPDATE attachment SET kind = $1 WHERE post = $2 AND position = $3 AND kind = 'file' AND kind <> $1",
        [kind, post, position]
      )
      guard let url = attachment.url?.storable else { continue }
      try db.run(
        """
        UPDATE attachment SET alternate_url = $1,
          state = CASE WHEN url IS NULL AND state = 'gone' THEN 'pending' ELSE state END
        WHERE post = $2 AND position = $3 AND kind = $4 AND alternate_url IS NULL AND url IS DISTINCT FROM $1
          AND state <> 'stored'
        """,
        [url, post, position, kind]
      )
    }
  }

  private func files(of post: Int64, isRevised: Bool) throws -> ItemFiles {
    let counts = try db.rows(
      "SELECT a.id, b.bytes FROM attachment a JOIN blob b ON b.id = a.blob WHERE a.post = $1", [post]
    ) { (try $0["id"] as Int64, try $0.number("bytes") as Int) }
    let raw: [UInt8]? = isRevised ? try db.value("SELECT body FROM raw WHERE post = $1", [post]) : nil
    let before = raw.flatMap(RawBytes.decompress).map(ItemFiles.numbers(in:))
    return ItemFiles(
      isRevised: isRevised, byteCounts: Dictionary(counts) { $1 }, wasDeclared: { before?.contains($0) ?? false })
  }

  private func stored(by post: Int64) throws -> [AttachmentRecord] {
    try db.rows("SELECT id, \(AttachmentRecord.columns) FROM attachment WHERE post = $1 ORDER BY position", [post])
  }

  private mutating func insert(_ attachments: [AttachmentRecord], of post: Int64, from first: Int = 0) {
    for (position, attachment) in zip(first..., attachments) {
      pending.append([
        attachment.id, attachment.kind, attachment.remoteID, attachment.url, attachment.alternateURL,
        attachment.previewURL, attachment.alt, attachment.width, attachment.height, attachment.blurhash,
        attachment.blob, attachment.state, attachment.attempts, attachment.nextTryAt, attachment.failure,
        attachment.goneAt, attachment.name, attachment.skippedBy, attachment.limits, post, position,
      ])
    }
  }
}
