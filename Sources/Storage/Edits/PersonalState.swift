import FoundationEssentials
import Machine

// What a person does to posts. It is stored apart from what is pulled, so that no pull undoes it.

/// What a delete or a restore did.
public struct Deletion: Sendable, Hashable {
  /// The posts whose state it changed. Undo needs these.
  public var changed: [Int64] = []
  /// The numbers that belong to no post.
  public var unknown: [Int64] = []
  /// When it was done, if not at the given time: a machine whose clock is ahead had changed one of them.
  public internal(set) var time: Date?
  /// The number of the change, by which it is undone; nil if nothing changed, or nobody undoes it.
  public internal(set) var change: Int64?

  /// Creates a result; by default nothing changed.
  public init(changed: [Int64] = [], unknown: [Int64] = []) { (self.changed, self.unknown) = (changed, unknown) }
}

extension Store {
  /// Deletes posts. They are hidden, keep their facts, and stay deleted when they are pulled again.
  ///
  /// The change is durable when the call returns.
  ///
  /// - Parameters:
  ///   - ids: The posts' numbers. Unknown numbers are reported; the others are deleted nevertheless.
  ///   - marker: Whose last change it becomes, for `undo`; nil for a change that nobody undoes.
  ///   - now: The time of the deletion.
  ///   - dryRun: Whether nothing is stored. The result tells what would change.
  /// - Returns: The posts that changed and the unknown numbers.
  @discardableResult
  public func delete(
    _ ids: [Int64], by marker: Marker? = nil, now: Date, dryRun: Bool = false
  ) throws(StorageError) -> Deletion {
    try setDeleted(true, ids, by: marker, now: now, dryRun)
  }

  /// Restores deleted posts, and has pictures fetched again that were removed meanwhile.
  ///
  /// The change is durable when the call returns.
  ///
  /// - Returns: The posts that changed and the unknown numbers.
  @discardableResult
  public func restore(
    _ ids: [Int64], by marker: Marker? = nil, now: Date, dryRun: Bool = false
  ) throws(StorageError) -> Deletion {
    try setDeleted(false, ids, by: marker, now: now, dryRun)
  }

  /// Restores every deleted post that carries a tag, or that a feed of that tag brought.
  ///
  /// - Returns: The posts that changed.
  @discardableResult
  public func restore(
    tag: String, by marker: Marker? = nil, now: Date, dryRun: Bool = false
  ) throws(StorageError) -> Deletion {
    try restore(try deletedPosts(of: PostListQuery(tag: tag)), by: marker, now: now, dryRun: dryRun)
  }

  /// Restores the posts that were deleted together, at a moment.
  ///
  /// - Returns: The posts that changed.
  @discardableResult
  public func restore(
    deletedAt moment: Date, by marker: Marker? = nil, now: Date, dryRun: Bool = false
  ) throws(StorageError) -> Deletion {
    let ids: [Int64] = try read { db in
      try db.values("SELECT post FROM post_state WHERE deleted_at IS NOT NULL AND deleted_at = $1", [UTC.text(moment)])
    }
    return try restore(ids, by: marker, now: now, dryRun: dryRun)
  }

  private func setDeleted(
    _ isDeleted: Bool, _ ids: [Int64], by marker: Marker?, now: Date, _ isDryRun: Bool
  ) throws(StorageError) -> Deletion {
    let change = { (db: Database) throws -> Deletion in
      let before = try marker == nil ? [:] : Self.deletionStates(of: ids, in: db)
      var result = try Self.setDeleted(isDeleted, ids, now: now, in: db)
      if let marker, !result.changed.isEmpty {
        let count = result.changed.count == 1 ? "1 post" : "\(result.changed.count) posts"
        var writer = try MarkWriter("\(isDeleted ? "delete" : "restore") \(count)", by: marker, now: now, in: db)
        let written = Self.deletionState(isDeleted, at: result.time ?? now)
        try writer.remember("deleted", "", result.changed.map { ($0, before[$0], written) })
        result.change = try writer.end()
      }
      return result
    }
    return try isDryRun ? trial(change) : writeDurably(change)
  }

  /// Whether posts are deleted, and since when, as a text that changes with each delete and restore. A post that never was
  /// deleted has none.
  static func deletionStates(of ids: [Int64], in db: Database) throws -> [Int64: String] {
    let states = try db.rows(
      """
      SELECT s.post, s.deleted_at, s.restored_at FROM \(db.each)($1) j \(db.crossJoin) post_state s ON s.post = j.value
      """, [ids.jsonList]
    ) { row -> (Int64, String)? in
      let (deleted, restored): (String?, String?) = (try row["deleted_at"], try row["restored_at"])
      guard let time = deleted ?? restored else { return nil }
      return (try row["post"], deletionState(deleted != nil, at: time))
    }
    return Dictionary(states.compactMap(\.self)) { $1 }
  }

  static func deletionState(_ isDeleted: Bool, at time: Date) -> String { deletionState(isDeleted, at: UTC.text(time)) }

  private static func deletionState(_ isDeleted: Bool, at time: String) -> String {
    "\(isDeleted ? deletedState : "restored") \(time)"
  }

  /// Whether such a text says that a post is deleted. Earlier versions wrote `1`.
  static func isDeleted(_ state: String?) -> Bool { state.map { $0 == "1" || $0.hasPrefix(deletedState) } ?? false }

  private static let deletedState = "deleted"

  static func setDeleted(_ isDeleted: Bool, _ ids: [Int64], now: Date, in db: Database) throws -> Deletion {
    var result = Deletion()
    var (seen, last): (Set<Int64>, String) = ([], "")
    let latest = UTC.text(now + mostAhead)
    for id in ids where seen.insert(id).inserted {
      let times: (deleted: String?, restored: String?)? = try db.row(
        """
        SELECT s.deleted_at, s.restored_at FROM post p LEFT JOIN post_state s ON s.post = p.id WHERE p.id = $1
        """, [id]
      ) { (deleted: try $0["deleted_at"], restored: try $0["restored_at"]) }
      guard let times else {
        result.unknown.append(id)
        continue
      }
      guard (times.deleted != nil) != isDeleted else { continue }
      last = [last, times.deleted, times.restored].compactMap(\.self).filter { $0 < latest }.max() ?? last
      result.changed.append(id)
    }
    let time = time(now, after: last)
    if time != UTC.text(now) { result.time = UTC.date(time) }
    for id in result.changed { try setDeleted(isDeleted, id, time, now: now, in: db) }
    return result
  }

  /// How far ahead, in seconds, another machine's clock may be. A later time is wrong, and posts deleted at it would stay in the
  /// trash until then.
  private static let mostAhead: TimeInterval = 2 * 86_400

  /// A time after what another machine wrote, whose clock may be ahead: the later of a delete and a restore counts.
  private static func time(_ now: Date, after last: String) -> String {
    guard last >= UTC.text(now), let last = UTC.date(last) else { return UTC.text(now) }
    return UTC.text(last + 0.001)
  }

  private static func setDeleted(
    _ isDeleted: Bool, _ id: Int64, _ time: String, now: Date, in db: Database
  ) throws {
    try db.run(
      isDeleted
        ? """
        INSERT INTO post_state (post, deleted_at) VALUES ($1, $2)
        ON CONFLICT (post) DO UPDATE SET deleted_at = excluded.deleted_at
        """
        : "UPDATE post_state SET deleted_at = NULL, restored_at = $2 WHERE post = $1",
      [id, time])
    if !isDeleted { try PictureWriter(db: db, now: now).requeue(ofPost: id) }
  }
}
