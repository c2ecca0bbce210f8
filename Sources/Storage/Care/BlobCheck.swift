import Blobs
import Foundation
import GRDB
import Posts

/// Holds the rows of pictures and their files to each other.
struct BlobCheck {
  let check: LibraryCheck
  let repair: Bool

  private var store: Store { check.store }
  private var blobs: DiskBlobs { check.blobs }

  /// How many rows are read, and mended, at once.
  private static let chunk = 200
  /// For how long bytes of a pull may lie there before a row says so.
  private static let landing: TimeInterval = 600

  /// Returns the posts whose pictures were given up.
  func run(onStep: (CheckStep) -> Void, report: (Finding, Bool) throws -> Void) throws -> [Int64] {
    let known: Int = try store.read { try $0.row("SELECT count(*) FROM blob")?[0] ?? 0 }
    var (last, done, bytes) = (Int64.min, 0, 0)
    var posts: [Int64] = []
    while true {
      let rows = try blobRows(after: last)
      guard let end = rows.last else { break }
      var faulty: [(row: BlobRow, finding: Finding)] = []
      for row in rows {
        if let finding = try finding(of: row) { faulty.append((row, finding)) }
        (done, bytes) = (done + 1, bytes + row.byteCount)
        onStep(.pictures(done: done, known: known, bytes: bytes))
      }
      if repair, !faulty.isEmpty { posts += try giveUp(faulty.map(\.row)) }
      for (_, finding) in faulty { try report(finding, repair) }
      last = end.id
    }
    onStep(.folders)
    try blobs.eachEntry { entry in
      if let finding = try finding(of: entry) { try report(finding, try repair && mend(entry)) }
    }
    try reportUnreferenced(report)
    return posts
  }

  // MARK: From the rows to the files

  private func blobRows(after last: Int64) throws -> [BlobRow] {
    try store.read { db in
      try db.rows("SELECT id, sha256, bytes FROM blob WHERE id > ? ORDER BY id LIMIT ?", [last, Self.chunk])
        .map { BlobRow(id: $0[0], name: $0[1], byteCount: $0[2]) }
    }
  }

  private func finding(of row: BlobRow) throws -> Finding? {
    guard condition(of: row) != .good else { return nil }
    // It may have been let go, or written anew, since its row was read.
    let post = try store.read { db in
      try db.row(
        """
        SELECT (SELECT post FROM attachment WHERE blob = blob.id ORDER BY post LIMIT 1) FROM blob
        WHERE id = ? AND sha256 = ? AND bytes = ?
        """,
        [row.id, row.name, row.byteCount]
      )
    }
    guard let post else { return nil }
    return words(for: condition(of: row), of: row).map { kind, words in
      Finding(kind, words, path: row.blob?.path, blob: row.blob, post: post[0])
    }
  }

  private func condition(of row: BlobRow) -> BlobCondition {
    row.blob.map { blobs.condition(of: $0, byteCount: row.byteCount) } ?? .missing
  }

  private func words(for condition: BlobCondition, of row: BlobRow) -> (Finding.Kind, String)? {
    let name = row.blob?.path ?? row.name
    return switch condition {
    case .good: nil
    case .missing: (.missing, "\(name) is missing")
    case .wrongLength(let length): (.length, "\(name) has \(length) bytes instead of \(row.byteCount)")
    case .wrongBytes: (.bytes, "\(name) has other bytes than were stored")
    case .unreadable(let reason): (.unreadable, "\(name) cannot be read (\(reason))")
    }
  }

  /// First the files, then the rows: a kill between leaves rows without files, which the next check finds.
  private func giveUp(_ rows: [BlobRow]) throws -> [Int64] {
    for row in rows { if let blob = row.blob { try blobs.quarantine(blob.path) } }
    return try store.writeDurably { db in
      let writer = PictureWriter(db: db, now: check.start)
      return try rows.flatMap { try writer.giveUp(blob: $0.id) }
    }
  }

  // MARK: From the files to the rows

  private func finding(of entry: ShelfEntry) throws -> Finding? {
    switch entry.kind {
    case .leftover:
      return Finding(.leftover, "\(entry.path) was left behind by an interrupted download", path: entry.path)
    case .foreign:
      return Finding(.foreign, "\(entry.path) is no picture of the library", path: entry.path)
    case .blob(let id):
      // Bytes come before their row: what just came is waited for, and the row is read after that is known.
      if try isKnown(id) || entry.changedAt >= check.start.addingTimeInterval(-1) { return nil }
      if check.isPulling(), entry.changedAt > check.start.addingTimeInterval(-Self.landing) { return nil }
      guard try !isKnown(id), blobs.contains(id) else { return nil }
      return Finding(.orphan, "\(entry.path) is known to no row", blob: id, byteCount: entry.byteCount)
    }
  }

  private func isKnown(_ id: BlobID) throws -> Bool {
    try store.read { db in try db.row("SELECT 1 FROM blob WHERE sha256 = ?", [id.hex]) != nil }
  }

  /// A file with the right bytes gets its row, for whoever fetches the same picture; `Store.collectGarbage` takes it
  /// where nobody does. Everything else is moved away.
  private func mend(_ entry: ShelfEntry) throws -> Bool {
    guard case .blob(let id) = entry.kind, blobs.condition(of: id) == .good else {
      return try blobs.quarantine(entry.path) != nil
    }
    let header = try blobs.header(of: id)
    let blob = StoredBlob(
      id: id,
      byteCount: entry.byteCount,
      mediaType: header.type?.rawValue,
      width: header.size?.width,
      height: header.size?.height
    )
    try store.writeDurably { db in _ = try PictureWriter(db: db, now: entry.changedAt).row(of: blob) }
    return true
  }

  private func reportUnreferenced(_ report: (Finding, Bool) throws -> Void) throws {
    var last = Int64.min
    while true {
      let rows = try store.read { db in
        try db.rows("\(Garbage.unreferenced) AND id > ? ORDER BY id LIMIT ?", [last, Self.chunk])
      }
      guard let end = rows.last else { return }
      for row in rows {
        guard let id = BlobID(row[1]) else { continue }
        try report(Finding(.unreferenced, "nothing shows \(id.path)", blob: id, byteCount: row[2]), false)
      }
      last = end[0]
    }
  }
}

/// A blob as its row tells of it.
private struct BlobRow {
  let id: Int64
  let name: String
  let byteCount: Int

  var blob: BlobID? { BlobID(name) }
}
