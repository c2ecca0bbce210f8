import Blobs
import FoundationEssentials
import Storage

/// Copies a store into a folder, as one in a folder: the file of one that is in a folder, the records of one on a server.
struct StoreCopying {
  let store: Store
  let now: Date
  let onStep: (BackupStep) -> Void

  /// The records of a transaction.
  private static let batch = 500

  /// Copies it as it is at one moment. When this returns, the copy survives a loss of power.
  ///
  /// - Parameter folder: A folder without a store.
  /// - Returns: The state of the copied store, and how many records the copy refused, by reason.
  /// - Throws: `StorageError`. The folder holds no store then.
  func copy(to folder: String) throws -> (state: StoreState, refused: [String: Int]) {
    do {
      return (try store.copy(to: folder) { onStep(.store(done: $0, known: $1)) }, [:])
    } catch StorageError.copiedByServer {
      return try copyRecords(to: folder)
    }
  }

  private func copyRecords(to folder: String) throws -> (state: StoreState, refused: [String: Int]) {
    let aside = "\(folder)/records"
    // Of a backup that was cut off.
    try? FileManager.default.removeItem(atPath: aside)
    defer { try? FileManager.default.removeItem(atPath: aside) }
    // What is written after this may be copied, and is copied again the next time.
    let state = try store.state()
    let copy = try Store.open(library: aside, for: .writing, now: now)
    defer { copy.close() }
    let refused = try merge(into: copy)
    // Whoever uses the copy as a library gets beyond this number. The next backup notices it.
    try copy.beginChanges(at: state.changes)
    _ = try copy.copy(to: folder)
    return (state, refused)
  }

  private func merge(into copy: Store) throws -> [String: Int] {
    var (records, feeds, done): ([LibraryRecord], [TransferredFeed], Int) = ([], [], 0)
    var refused: [String: Int] = [:]
    func store() throws {
      // Their bytes are copied after the store.
      let merged = try copy.merge(records, stored: Set(records.flatMap(\.blobs)), dryRun: false, now: now)
      for reason in merged.refused.values { refused[reason, default: 0] += 1 }
      done += records.count
      records.removeAll(keepingCapacity: true)
      onStep(.store(done: done, known: done))
    }
    try copy.beginMerge()
    try self.store.eachRecord(of: nil, raw: true) { record in
      if case .feed(let feed) = record { feeds.append(feed) }
      records.append(record)
      if records.count >= Self.batch { try store() }
    }
    try store()
    for feed in feeds { _ = try copy.mergeCoverage(of: feed) }
    return refused
  }
}
