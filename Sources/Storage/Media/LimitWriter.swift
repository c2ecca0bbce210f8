import Posts
import Rows

/// Applies the limits of a pull to the files of posts that are not stored.
struct LimitWriter {
  /// On what occasion.
  enum Occasion {
    /// A pull meets the posts. What a limit left out stays so, unless these limits allow more.
    case met
    /// They are the feed's newest.
    case newest
    /// A person asks for their files. What other limits said counts no more.
    case asked
  }

  let db: Database
  let limits: FileLimits
  let occasion: Occasion

  /// Writes which files are wanted.
  ///
  /// - Returns: How many more are left out than before; less than zero if fewer are.
  @discardableResult
  func apply(to posts: [Int64]) throws -> Int {
    // What a rule left out has a reason, and stays so until a person asks for it.
    let files: [LimitedFile] = try db.rows(
      """
      SELECT a.id, a.kind, a.url, a.alternate_url, a.state, a.skipped_by, a.limits FROM \(db.each)($1) j
        JOIN attachment a ON a.post = j.value LEFT JOIN post_state s ON s.post = a.post
      WHERE s.deleted_at IS NULL AND a.state IN ('pending', 'failed', 'skipped')
        AND coalesce(a.url, a.alternate_url) IS NOT NULL
        AND ($2 OR a.state <> 'skipped' OR a.failure IS NULL)
      """,
      [posts.jsonList, occasion == .asked])
    var changes: [LimitedFile.Status: [Int64]] = [:]
    var leftOut = 0
    for file in files {
      guard let next = status(of: file), next != file.status else { continue }
      changes[next, default: []].append(file.id)
      leftOut += (next.limit == nil ? 0 : 1) - (file.status.limit == nil ? 0 : 1)
    }
    for (next, ids) in changes { try write(next, ids) }
    return leftOut
  }

  private func status(of file: LimitedFile) -> LimitedFile.Status? {
    let before = FileLimits(stored: file.status.limits)
    if let limit = file.status.limit {
      switch occasion {
      case .met: guard limits.reopen(limit, leftOutUnder: before) else { return nil }
      case .newest: guard limit == .newest else { return nil }
      case .asked: break
      }
    } else if occasion == .newest {
      return nil
    }
    let all = occasion == .asked ? limits : limits.over(before)
    let isOld = occasion == .met && limits.newestBound != nil
    let limit: FileLimits.Limit? = !all.wants(file.kind) ? .kind : isOld ? .newest : nil
    let state = limit != nil ? "skipped" : file.status.state == "skipped" ? "pending" : file.status.state
    return .init(state: state, limit: limit, limits: all.stored)
  }

  private func write(_ next: LimitedFile.Status, _ ids: [Int64]) throws {
    guard let limit = next.limit else {
      return try db.run(
        """
        UPDATE attachment SET state = $1, skipped_by = NULL, limits = $2 WHERE id IN (SELECT value FROM \(db.each)($3))
        """,
        [next.state, next.limits, ids.jsonList])
    }
    try Self.leaveOut(ids, for: LeftOut(limit, of: FileLimits(stored: next.limits)), in: db)
  }

  /// Records that a limit leaves files out. They are not tried any more.
  static func leaveOut(_ ids: [Int64], for reason: LeftOut, in db: Database) throws {
    try db.run(
      """
      UPDATE attachment SET state = 'skipped', skipped_by = $1, limits = $2, attempts = 0, next_try_at = NULL,
        failure = NULL, gone_at = NULL
      WHERE id IN (SELECT value FROM \(db.each)($3))
      """,
      [reason.limit.rawValue, reason.limits.stored, ids.jsonList])
  }
}

/// A file that is not stored, and how it stands to limits.
private struct LimitedFile: RowDecodable {
  struct Status: Hashable {
    var state: String
    var limit: FileLimits.Limit?
    var limits: String?
  }

  let id: Int64
  /// Nil if only its bytes tell.
  let kind: FileLimits.Kind?
  let status: Status

  init(_ row: some RowReading) throws {
    id = try row["id"]
    let addresses: [String?] = try [row["url"], row["alternate_url"]]
    let kind = Attachment.Kind(rawValue: try row["kind"]) ?? .file
    self.kind = FileLimits.Kind(kind, addresses: addresses.compactMap(\.self))
    let (state, limit): (String, String?) = try (row["state"], row["skipped_by"])
    status = Status(
      state: state, limit: state == "skipped" ? limit.flatMap(FileLimits.Limit.init) : nil, limits: try row["limits"])
  }
}
