import Blobs
import FoundationEssentials
import Glibc
import S3Blobs
import Storage

/// Copies a library into a part of a bucket. What is in it, brought into a folder, is a library.
///
/// The store is copied as it is at one moment, to a file of this machine; then the blobs that the copy names are sent; then
/// the copy, which replaces the earlier one in one step. The caller shares the lock of the library's pictures.
public struct BucketBackup {
  let store: Store
  let blobs: any BlobStoring
  let library: String
  let target: S3Blobs
  let now: Date
  let onStep: (BackupStep) -> Void

  static let storeName = "media.sqlite"

  /// What errors name.
  var location: String { target.address.description }
  /// Where the store's copy is made. It may go at any time.
  private var draft: String { "\(library)/cache/backup" }

  /// A backup of a library.
  ///
  /// - Parameters:
  ///   - store: Its store, open for writing: the first backup gives the library a name.
  ///   - blobs: Its pictures.
  ///   - library: Its folder.
  ///   - target: Where the backup is.
  ///   - now: The current time.
  ///   - onStep: Receives the progress.
  public init(
    of store: Store, _ blobs: any BlobStoring, library: String,
    to target: S3Blobs, now: Date,
    onStep: @escaping (BackupStep) -> Void = { _ in }
  ) {
    (self.store, self.blobs, self.library, self.target) = (store, blobs, library, target)
    (self.now, self.onStep) = (now, onStep)
  }

  /// Brings the backup up to date.
  ///
  /// - Parameters:
  ///   - newIdentity: A random text, with which a library is named that has no name yet.
  ///   - isNew: Whether a backup begins anew where one was before and is not found.
  /// - Returns: What was done.
  /// - Throws: `BackupError`, `StorageError` or `BlobError`. The earlier backup is as it was.
  public func run(newIdentity: String, isNew: Bool = false) throws -> BackupResult {
    try explained {
      if let own = (blobs as? PlacedBlobs)?.base as? S3Blobs, own.address == target.address {
        throw BackupError.overlap(location)
      }
      let known = BackupList(library: library)
      guard let lock = known.lock() else { throw BackupError.busy(location) }
      defer { withExtendedLifetime(lock) {} }
      let name = try Backup.name(of: store, orNew: newIdentity)
      let mark = try mark()
      if mark == nil {
        if !isNew, known.contains(location) { throw BackupError.gone(location) }
        try expectEmpty()
      }
      if let mark, mark.library != name { throw BackupError.another(location) }
      let result = try update(name, mark)
      known.add(location)
      return result
    }
  }

  private func update(_ name: String, _ mark: BackupMark?) throws -> BackupResult {
    let state = try store.state()
    if let mark, mark.isWhole, let version = mark.version, version == state.version {
      var result = BackupResult()
      result.isUnchanged = true
      return result
    }
    guard state.blobs == 0 || blobs.isThere else { throw BackupError.noPictures("\(library)/blobs") }
    if let mark, state.changes < mark.changes { throw BackupError.older(location) }
    // From here on what is there is known to be of this backup.
    let begun = mark ?? BackupMark(library: name, version: nil, changes: 0, isWhole: false, endedAt: now)
    if mark == nil { try write(begun) }
    return try withDraft { draft in
      let (state, refused) = try StoreCopying(store: store, now: now, onStep: onStep).copy(to: draft)
      guard let copy = try Store.openCopy(in: draft) else { throw BackupError.unreadable(draft) }
      defer { copy.close() }
      var copying = BucketCopying(from: blobs, to: target, named: copy, known: state.blobs, onStep)
      try copying.run()
      // Another machine that backed up meanwhile, because this one slept, has sent what this one would remove.
      guard try self.mark() == begun else { throw BackupError.busy(location) }
      let id = try target.send(fileAt: "\(draft)/\(Self.storeName)", named: Self.storeName)
      try copying.removeRest()
      var result = copying.result
      result.refused = refused
      var mark = BackupMark(
        library: name, version: state.version, changes: max(state.changes, begun.changes), isWhole: result.isWhole,
        endedAt: now)
      mark.store = id.hex
      try write(mark)
      return result
    }
  }

  /// What the backup says of itself; nil if there is none.
  func mark() throws -> BackupMark? {
    guard let bytes = try target.file(named: BackupMark.fileName, limit: BackupMark.mostBytes) else { return nil }
    guard let mark = BackupMark(bytes) else { throw BackupError.unreadable("\(location)/\(BackupMark.fileName)") }
    return mark
  }

  func write(_ mark: BackupMark) throws { try target.write(try mark.bytes(), named: BackupMark.fileName) }

  /// The blobs of a shared library must not be taken for those of a backup, which removes what its store does not name.
  private func expectEmpty() throws {
    let isTaken = try target.hasFile(named: PlacedBlobs.identityFile) || !target.page(after: nil, limit: 1).isEmpty
    if isTaken { throw BackupError.notABackup(location) }
  }

  /// Runs `body` with an empty folder of this machine.
  func withDraft<Value>(_ body: (_ folder: String) throws -> Value) throws -> Value {
    let files = FileManager.default
    try? files.removeItem(atPath: draft)
    mkdir("\(library)/cache", 0o700)
    guard mkdir(draft, 0o700) == 0 else { throw BackupError.readOnly(draft) }
    defer { try? files.removeItem(atPath: draft) }
    return try body(draft)
  }

  func explained<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch StorageError.older {
      throw StorageError.older(path: "\(location)/\(Self.storeName)")
    } catch { throw BackupError(error, in: location) ?? error }
  }
}

extension BucketBackup {
  /// Reads a backup back: its store, every row of it, and every byte of its pictures. Pictures that are damaged there are
  /// sent anew from the library.
  ///
  /// - Parameters:
  ///   - onStep: Receives the progress.
  ///   - found: Receives each finding, and whether it is mended.
  /// - Returns: The totals.
  public func verify(
    onStep: (CheckStep) -> Void, found: (Finding, _ isMended: Bool) throws -> Void
  ) throws -> CheckResult {
    try explained {
      guard var mark = try mark() else { throw BackupError.gone(location) }
      return try withDraft { draft in
        let id = try target.receive(fileNamed: Self.storeName, to: "\(draft)/\(Self.storeName)")
        guard id != nil, id?.hex == mark.store, let copy = try Store.openCopy(in: draft) else {
          mark.version = nil
          try write(mark)
          throw BackupError.unreadable("\(location)/\(Self.storeName)")
        }
        defer { copy.close() }
        var mended = 0
        var result = try copy.check(
          target, CheckPlan(deep: true), now: now, isPulling: { false }, onStep: onStep
        ) { finding, _ in
          let isMended = try mend(finding)
          if isMended { mended += 1 }
          try found(finding, isMended)
        }
        result.remaining -= mended
        if result.isDamaged {
          mark.version = nil
          try write(mark)
        }
        return result
      }
    }
  }

  private func mend(_ finding: Finding) throws -> Bool {
    switch finding.kind {
    case .missing, .length, .bytes, .unreadable:
      guard let id = finding.blob, let draft = try target.draft(copying: id, from: blobs) else { return false }
      // Bytes of the right length would stay.
      if try target.stat(id) != nil { try target.quarantine(id) }
      return try !target.keep([draft]).isEmpty
    default: return false
    }
  }
}
