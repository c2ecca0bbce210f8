import FoundationEssentials
import Machine
import Posts

// Edits of posts made by hand. The rows are read and written in one transaction: two edits at once follow each other.

extension Store {
  /// Changes a post made by hand. The old wording becomes a revision. It is on disk when this returns.
  ///
  /// - Parameters:
  ///   - id: The post's number.
  ///   - edit: What to change.
  ///   - now: The time of the edit.
  /// - Returns: Whether anything changed.
  /// - Throws: `StorageError.unknownPosts` if there is no such post, `StorageError.notEdited` if it may not be changed so;
  ///   then it stays as it was.
  @discardableResult
  public func edit(_ id: Int64, _ edit: PostEdit, now: Date) throws(StorageError) -> Bool {
    try writeDurably { db in try PostEditing(db: db, id: id, edit: edit, now: now).run() }
  }
}

/// One edit within its transaction.
private struct PostEditing {
  let db: Database
  let id: Int64
  let edit: PostEdit
  let now: Date

  /// - Returns: Whether anything changed.
  func run() throws -> Bool {
    guard let stored = try PostReader(db: db).posts([id]).first else { throw StorageError.unknownPosts([id]) }
    try check(stored)
    let (start, finish) = try times(stored)
    let title = (edit.title ?? stored.title).flatMap { $0.isEmpty ? nil : $0.storable }
    let caption = (edit.caption ?? stored.caption).storable
    let isReworded = title != stored.title || caption != stored.caption
    let isMoved = start != stored.createdAt || finish != stored.endsAt
    if isReworded { try keepRevision() }
    let changed = [
      isReworded || isMoved, try retag(stored, at: start), try removeFiles(stored), try addFiles(),
    ]
    guard changed.contains(true) else { return false }
    try rewrite(stored, title: title, caption: caption, start: start, finish: finish)
    guard let left = try PostReader(db: db).posts([id]).first else { return true }
    if left.title == nil, left.caption.isEmpty, left.attachments.isEmpty { throw refused(.nothingLeft) }
    return true
  }

  private func refused(_ reason: EditRefusal) -> StorageError { .notEdited(id, reason) }

  private func check(_ stored: StoredPost) throws {
    guard stored.isManual else { throw refused(.pulled) }
    // Times are stored by the millisecond.
    if let basis = edit.basis, UTC.text(basis) != UTC.text(stored.updatedAt) { throw refused(.changedMeanwhile) }
    let known = Set(stored.attachments.map(\.id))
    guard edit.removed.allSatisfy(known.contains) else { throw refused(.noAttachment) }
  }

  /// Start and finish as they are stored. An entry that is moved keeps its length.
  private func times(_ stored: StoredPost) throws -> (start: Date, finish: Date?) {
    let start = rounded(edit.start ?? stored.createdAt)
    let moved = stored.endsAt.map { $0.addingTimeInterval(start.timeIntervalSince(stored.createdAt)) }
    let finish = (edit.finish ?? moved).map(rounded)
    guard finish.map({ $0 > start || (edit.start == nil && edit.finish == nil) }) ?? true else {
      throw refused(.endsBeforeStart)
    }
    return (start, finish)
  }

  private func rounded(_ moment: Date) -> Date { UTC.date(UTC.text(moment)) ?? moment }

  private func retag(_ stored: StoredPost, at start: Date) throws -> Bool {
    let removed = Set(edit.removedTags.map(Feed.tagName))
    var tags = stored.tags.filter { !removed.contains($0) }
    for tag in edit.addedTags.map(Feed.tagName) where !tags.contains(tag) { tags.append(tag) }
    guard tags != stored.tags else { return false }
    var writer = TagWriter(db: db)
    _ = try writer.update(tags, of: id, createdAt: UTC.text(start))
    try writer.write()
    return true
  }

  private func removeFiles(_ stored: StoredPost) throws -> Bool {
    for attachment in edit.removed {
      try db.run("DELETE FROM attachment WHERE id = $1 AND post = $2", [attachment, id])
    }
    return !edit.removed.isEmpty
  }

  private func addFiles() throws -> Bool {
    guard !edit.added.isEmpty else { return false }
    var writer = AttachmentWriter(db: db, state: "pending")
    let rows = try writer.append(edit.added.map(\.attachment), to: id)
    try PictureWriter(db: db, now: now).attach(zip(rows, edit.added).map { ($1.blob, .attachment($0), nil) })
    return true
  }

  private func keepRevision() throws {
    try db.run(
      """
      INSERT INTO revision (post, seen_at, title, caption, caption_html, warning)
      SELECT id, $1, title, caption, caption_html, warning FROM post WHERE id = $2
      """,
      [UTC.text(now), id])
  }

  private func rewrite(_ stored: StoredPost, title: String?, caption: String, start: Date, finish: Date?) throws {
    let html = caption == stored.caption ? stored.captionHTML : nil
    // It grows with each edit, even if the clock goes back: `basis` tells edits apart by it.
    let updated = max(UTC.text(now), UTC.text(stored.updatedAt.addingTimeInterval(0.001)))
    try db.run(
      """
      UPDATE post SET title = $1, caption = $2, caption_html = $3, created_at = $4, ends_at = $5, edited_at = $6,
        updated_at = $7, digest = $8
      WHERE id = $9
      """,
      [
        title, caption, html, UTC.text(start), finish.map(UTC.text), UTC.text(now), updated,
        TextDigest.of([title, caption, html, stored.warning]), id,
      ])
  }
}
