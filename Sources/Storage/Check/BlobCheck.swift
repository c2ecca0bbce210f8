import Blobs
import FoundationEssentials
import Glibc
import Machine
import Posts

/// Compares the rows of pictures with their files.
struct BlobCheck {
  let check: LibraryCheck
  let repair: Bool
  /// Whether to look for pictures that came without their end.
  let deep: Bool
  /// Whether any number of pictures without a file may be given up.
  let lost: Bool

  private var store: Store { check.store }
  private var blobs: any BlobStoring { check.blobs }

  /// How many rows are read and repaired at once.
  private static let chunk = 200
  /// Blobs of a service are read so many at once.
  private static let lanes = Lanes(16)
  private static let together = 64
  /// How long, in seconds, a pull's file may exist before its row.
  private static let landing: TimeInterval = 600

  /// Runs the check.
  ///
  /// - Returns: The posts whose pictures were given up.
  func run(onStep: (CheckStep) -> Void, report: (Finding, Bool) throws -> Void) throws -> [Int64] {
    try expectAnswer()
    let known: Int = try store.read { try $0.value("SELECT count(*) FROM blob") ?? 0 }
    var limit = try LossLimit(of: store, in: blobs, isLifted: lost)
    if repair { try limit.lookAhead(in: store) }
    var (isRefused, posts) = (false, [Int64]())
    var (last, done, bytes) = (Int64.min, 0, 0)
    // Folders that this user may not enter, and the number of pictures in them.
    var closed: [String: Int] = [:]
    while true {
      let rows = try store.read { db in try BlobRow.after(last, limit: Self.chunk, in: db) }
      var faulty: [FaultyBlob] = []
      try eachCondition(of: rows) { row, condition in
        if let fault = try fault(of: row, condition) {
          if case .withheld = condition, let folder = closedFolder(of: row) {
            closed[folder, default: 0] += 1
          } else {
            if fault.isOfDisk { limit.countLoss() }
            faulty.append(fault)
          }
        }
        // A damaged row holds any number.
        (done, bytes) = (done + 1, bytes &+ row.byteCount)
        onStep(.pictures(done: done, known: known, bytes: bytes))
      }
      if !isRefused, !limit.allowsLoss {
        isRefused = true
        // A folder that may not be entered is there.
        if closed["blobs"] == nil { try report(limit.finding, false) }
      }
      if repair { try mend(&faulty, mayGiveUp: !isRefused, posts: &posts) }
      for fault in faulty { try report(fault.finding, fault.isMended) }
      guard let end = rows.last else { break }
      last = end.id
    }
    for (folder, count) in closed.sorted(by: { $0.key < $1.key }) { try report(.closed(folder, count), false) }
    onStep(.folders)
    // A service lists all its keys for them, so they are listed once.
    var residues: [BlobResidue] = []
    try blobs.eachResidue { residues.append($0) }
    var orphans = 0
    try blobs.eachBlob(passingUnread: residues.contains { $0.kind == .unread }) { blob in
      guard try isOrphan(blob) else { return }
      let isMended = try repair && mend(blob)
      if !isMended { orphans += 1 }
      try report(.orphan(blob), isMended)
    }
    let others = foldersOfOthers(among: residues)
    for residue in residues where closed["blobs"] == nil && closed[residue.name] == nil {
      // A folder that contains one of theirs stays, too.
      let isOthers = others.contains { "\(residue.name)/".hasPrefix($0) || $0.hasPrefix("\(residue.name)/") }
      try report(Finding(residue, isOthers: isOthers), repair && !isOthers && blobs.quarantine(residue))
    }
    if orphans > Garbage.mostOrphans(of: known) { try report(.strangers(orphans), false) }
    try reportUnreferenced(report)
    return posts
  }

  /// A service that does not answer, or lets this user not in, says nothing about the pictures.
  private func expectAnswer() throws {
    do throws(BlobError) { _ = try blobs.page(after: nil, limit: 1) } catch { if case .service = error { throw error } }
  }

  /// The folders of other libraries and of backups among the pictures, and those that may be: nothing in them is moved.
  private func foldersOfOthers(among residues: [BlobResidue]) -> Set<String> {
    var folders: Set<String> = []
    for residue in residues {
      if residue.kind == .unread { folders.insert("\(residue.name)/") }
      let parts = residue.name.split(separator: "/")
      guard let name = parts.last, DiskBlobs.marks.contains(String(name)) else { continue }
      let folder = parts.dropLast().map { "\($0)/" }.joined()
      // All that is among the pictures begins with their own folder.
      folders.formUnion(parts.count > 2 ? [folder] : ["\(residue.name)/", "\(folder)\(folder)"])
    }
    return folders
  }

  // MARK: From the rows to the files

  /// Reads blobs of a service many at once: each waits for the network. A disk reads one file after another.
  private func eachCondition(of rows: [BlobRow], _ body: (BlobRow, BlobCondition) throws -> Void) throws {
    guard let blob = rows.first?.blob, blobs.localFile(of: blob) == nil else {
      for row in rows { try body(row, condition(of: row)) }
      return
    }
    for start in stride(from: 0, to: rows.count, by: Self.together) {
      let some = Array(rows[start..<min(start + Self.together, rows.count)])
      let found = Self.lanes.map(some) { row throws(BlobError) in condition(of: row) }
      // It may have ceased to answer, which takes long to find out for each.
      let isAway = found.allSatisfy { if case .success(.withheld) = $0 { true } else { false } }
      if isAway { try expectAnswer() }
      for (row, condition) in zip(some, found) { try body(row, condition.get()) }
    }
  }

  private func fault(of row: BlobRow, _ first: BlobCondition) throws -> FaultyBlob? {
    guard first != .good else {
      return try row.isGivenUp ? fault(ofReturned: row) : isCutShort(row) ? FaultyBlob(cut: row) : nil
    }
    // The blob may have been removed or written again since its row was read, or was read wrongly.
    guard let row = try store.read({ db in try row.again(in: db) }) else { return nil }
    let condition = self.condition(of: row)
    if condition == .good { return nil }
    // A picture that was given up has no file, which is known.
    if condition == .missing, !row.isShown { return nil }
    return FaultyBlob(row, condition)
  }

  /// The folder of a picture that this user may not enter; nil if the picture itself cannot be read.
  private func closedFolder(of row: BlobRow) -> String? {
    guard let blob = row.blob, let file = blobs.localFile(of: blob) else { return nil }
    let (folder, all) = (PathText.parent(of: file), PathText.parent(of: PathText.parent(of: file)))
    if access(all, X_OK) != 0 { return "blobs" }
    return access(folder, X_OK) != 0 ? PathText.parent(of: blob.path) : nil
  }

  private func isCutShort(_ row: BlobRow) throws -> Bool {
    guard deep, row.isShown, let blob = row.blob else { return false }
    return try blobs.header(of: blob).fault(expecting: .anything, announced: row.byteCount) == .cutShort
  }

  /// A file is stored before the row that shows it.
  private func fault(ofReturned row: BlobRow) throws -> FaultyBlob? {
    if check.isPulling() { return nil }
    guard let row = try store.read({ db in try row.again(in: db) }), row.isGivenUp else { return nil }
    return FaultyBlob(row, .good)
  }

  private func condition(of row: BlobRow) -> BlobCondition {
    row.blob.map { blobs.condition(of: $0, byteCount: row.byteCount) } ?? .missing
  }

  /// Repairs the files before the rows: a kill in between leaves rows without files, which the next check finds.
  private func mend(_ faulty: inout [FaultyBlob], mayGiveUp: Bool, posts: inout [Int64]) throws {
    // Bytes that are right when they are read once more stay, whatever was read before. Those of a cut picture are what came.
    faulty.removeAll { $0.remedy == .giveUp && $0.finding.kind != .cut && condition(of: $0.row) == .good }
    let indices = faulty.indices.filter {
      faulty[$0].remedy == .restore || (mayGiveUp && faulty[$0].remedy == .giveUp)
    }
    guard !indices.isEmpty else { return }
    for row in indices.map({ faulty[$0] }) where row.remedy == .giveUp && !row.row.isOnly {
      if let blob = row.row.blob { try blobs.quarantine(blob) }
    }
    let mended = faulty
    let (given, shown) = try store.writeDurably { db in
      let writer = PictureWriter(db: db, now: check.start)
      var (given, shown): ([Int64], Set<Int64>) = ([], [])
      for fault in indices.map({ mended[$0] }) {
        if fault.remedy == .restore {
          try writer.restore(blob: fault.row.id)
        } else {
          given += try writer.giveUp(blob: fault.row.id)
          if try fault.row.again(in: db)?.isShown ?? false { shown.insert(fault.row.id) }
        }
      }
      return (given, shown)
    }
    posts += given
    for index in indices { faulty[index].isMended = !shown.contains(faulty[index].row.id) }
  }

  // MARK: From the files to the rows

  private func isOrphan(_ blob: BlobInfo) throws -> Bool {
    // A blob is stored before its row. So skip blobs that are new, and read the row after that.
    if try store.isKnown(blob.id) || blob.storedAt >= check.start.addingTimeInterval(-1) { return false }
    if check.isPulling(), blob.storedAt > check.start.addingTimeInterval(-Self.landing) { return false }
    return try !store.isKnown(blob.id) && blobs.contains(blob.id)
  }

  /// Inserts the row of a blob with the right bytes, for a later fetch of the same picture; `Store.collectGarbage`
  /// removes it if there is none. Quarantines wrong bytes.
  private func mend(_ blob: BlobInfo) throws -> Bool {
    // A disk or a service may give wrong bytes once.
    switch (blobs.condition(of: blob.id), blobs.condition(of: blob.id)) {
    case (.good, _), (_, .good): break
    case (.withheld, _), (_, .withheld): return false
    default: return try blobs.quarantine(blob.id)
    }
    let row = StoredBlob(id: blob.id, byteCount: blob.byteCount, header: try blobs.header(of: blob.id))
    try store.writeDurably { db in _ = try PictureWriter(db: db, now: blob.storedAt).row(of: row) }
    return true
  }

  private func reportUnreferenced(_ report: (Finding, Bool) throws -> Void) throws {
    var last = Int64.min
    while true {
      let rows: [UnreferencedBlob] = try store.read { db in
        try db.rows("\(Garbage.unreferenced) AND id > $1 ORDER BY id LIMIT $2", [last, Self.chunk])
      }
      guard let end = rows.last else { return }
      for row in rows {
        guard let id = row.blob else { continue }
        try report(Finding(.unreferenced, "nothing shows \(id.path)", blob: id, byteCount: row.byteCount), false)
      }
      last = end.id
    }
  }
}
