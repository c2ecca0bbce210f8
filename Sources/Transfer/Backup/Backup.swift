import Blobs
import FoundationEssentials
import Storage

/// Copies a library into a folder, which is a library then, too.
///
/// The store is copied as it is at one moment; then the blobs that this copy names; then the copy takes its place, in one
/// step. So a backup that is cut off leaves the earlier one, and a store never stands without its blobs. The caller shares
/// the lock of the library's pictures: pulls may add some meanwhile, and nobody on this machine removes any. What another
/// machine removes is counted as lost.
public struct Backup {
  let store: Store
  let blobs: any BlobStoring
  let library: String
  let now: Date
  let pause: () -> Void
  let onStep: (BackupStep) -> Void

  /// The setting under which a library keeps the name that its backups know it by.
  private static let identity = "library-identity"
  /// Somebody may write all the time, or the store have no version at all.
  private static let mostPauses = 80

  /// A backup of a library.
  ///
  /// - Parameters:
  ///   - store: Its store, open for writing: the first backup gives the library a name.
  ///   - blobs: Its pictures.
  ///   - library: Its folder.
  ///   - now: The current time.
  ///   - pause: Waits for some milliseconds.
  ///   - onStep: Receives the progress.
  public init(
    of store: Store, _ blobs: any BlobStoring, library: String, now: Date,
    pause: @escaping () -> Void, onStep: @escaping (BackupStep) -> Void = { _ in }
  ) {
    (self.store, self.blobs, self.library, self.now) = (store, blobs, library, now)
    (self.pause, self.onStep) = (pause, onStep)
  }

  /// Brings a folder up to date.
  ///
  /// - Parameters:
  ///   - path: The folder, absolute.
  ///   - newIdentity: A random text, with which a library is named that has no name yet.
  ///   - isNew: Whether a backup begins anew where one was before and is not found.
  /// - Returns: What was done.
  /// - Throws: `BackupError`, `StorageError` or `BlobError`. The earlier backup is as it was.
  public func run(into path: String, newIdentity: String, isNew: Bool = false) throws -> BackupResult {
    do {
      let folder = try BackupFolder(path, beside: library)
      let known = BackupList(library: library)
      if try folder.mark() == nil, !isNew, known.contains(path) { throw BackupError.gone(path) }
      let lock = try folder.lock()
      defer { withExtendedLifetime(lock) {} }
      let result = try update(folder, try Self.name(of: store, orNew: newIdentity))
      known.add(path)
      return result
    } catch { throw BackupError(error, in: path) ?? error }
  }

  /// The name that a library's backups know it by.
  static func name(of store: Store, orNew new: String) throws -> String {
    if let name = try store.setting(identity) { return name }
    try store.set(identity, to: new)
    return try store.setting(identity) ?? new
  }

  /// The state of a store that was written a moment ago has no version yet. A copy without one is made again the next time.
  private func settledState() throws -> StoreState {
    for _ in 0..<Self.mostPauses {
      let state = try store.state()
      if state.version != nil { return state }
      pause()
    }
    return try store.state()
  }

  private func update(_ folder: BackupFolder, _ name: String) throws -> BackupResult {
    let mark = try folder.mark()
    if let mark, mark.library != name { throw BackupError.another(folder.path) }
    let earlier = mark == nil ? nil : try folder.earlierStore()
    defer { earlier?.close() }
    if let mark, let earlier, try earlier.state().changes > mark.changes { throw BackupError.used(folder.path) }
    let state = try settledState()
    let isClean = mark?.isWhole == true && !folder.isUnfinished
    if isClean, let version = mark?.version, version == state.version, folder.hasStore {
      var result = BackupResult()
      result.isUnchanged = true
      return result
    }
    guard state.blobs == 0 || blobs.isThere else { throw BackupError.noPictures("\(library)/blobs") }
    if let mark, state.changes < mark.changes { throw BackupError.older(folder.path) }
    try folder.makeDraft()
    do {
      return try copy(to: folder, name, since: isClean ? earlier : nil, before: mark?.changes ?? 0)
    } catch {
      // A full disk needs the space.
      folder.clearDraft()
      throw error
    }
  }

  /// - Parameters:
  ///   - earlier: The store whose blobs are all in the backup; nil if each has to be looked for.
  ///   - changes: The number of the last change that the backup held so far.
  private func copy(
    to folder: BackupFolder, _ name: String, since earlier: Store?, before changes: Int64
  ) throws -> BackupResult {
    let (state, refused) = try StoreCopying(store: store, now: now, onStep: onStep).copy(to: folder.draft)
    guard let copy = try Store.openCopy(in: folder.draft) else { throw BackupError.unreadable(folder.draft) }
    defer { copy.close() }
    let target = DiskBlobs(library: folder.path)
    var copying = BlobCopying(from: blobs, to: target, named: copy, known: state.blobs) { onStep($0) }
    try copying.run(since: earlier)
    var mark = BackupMark(
      library: name, version: nil, changes: max(state.changes, changes), isWhole: false, endedAt: now)
    // Between these two a kill makes the next backup look for each blob.
    try folder.write(mark)
    try Store.move(copyFrom: folder.draft, to: folder.path)
    try copying.removeRest(isSearched: earlier == nil)
    (mark.version, mark.changes) = (state.version, state.changes)
    var result = copying.result
    result.refused = refused
    mark.isWhole = result.isWhole
    try folder.write(mark)
    folder.removeDraft()
    return result
  }
}

extension BackupFolder {
  /// The store of the last backup; nil if there is none, or if an earlier version wrote it, and so this one takes its place.
  func earlierStore() throws -> Store? {
    guard hasStore else { return nil }
    do { return try Store.openCopy(in: path) } catch StorageError.older { return nil }
  }

  /// Whether it holds a store.
  var hasStore: Bool { FileManager.default.fileExists(atPath: "\(path)/media.sqlite") }
}
