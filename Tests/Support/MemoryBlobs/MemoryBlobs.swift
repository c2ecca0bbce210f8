import Blobs
import Foundation
import Synchronization

/// A store of blobs in this process's memory, for tests of what uses a store. It has no files.
///
/// It stands where a store of another kind than a folder will stand, and `BlobStoreContractTests` hold it to the same.
public final class MemoryBlobs: BlobStoring {
  struct Entry {
    let bytes: [UInt8]
    let storedAt: Date
    let version: Int
  }

  struct State {
    var blobs: [BlobID: Entry] = [:]
    var quarantined: [BlobID: [UInt8]] = [:]
    var lines: [String] = []
    var versions = 0
  }

  /// What people know it by.
  static let location = "memory"

  let state = Mutex(State())
  private let limits = Mutex((capacity: Int.max, isReadOnly: false))
  private let reader = Mutex<(@Sendable (BlobID) -> Bool)?>(nil)
  private let now: @Sendable () -> Date

  /// An empty store with a clock.
  public init(now: @escaping @Sendable () -> Date) { self.now = now }

  /// Accepts no more than this number of bytes in all.
  public func limit(to capacity: Int) { limits.withLock { $0.capacity = capacity } }

  /// Accepts no change from now on.
  public func makeReadOnly() { limits.withLock { $0.isReadOnly = true } }

  /// Calls `body` with each blob that is read. Where it returns false, other bytes are read.
  public func onRead(_ body: @escaping @Sendable (BlobID) -> Bool) { reader.withLock { $0 = body } }

  /// The lines in quarantine.
  public var quarantinedLines: [String] { state.withLock(\.lines) }

  /// The blobs in quarantine.
  public var quarantined: [BlobID: [UInt8]] { state.withLock(\.quarantined) }

  /// Damages a stored blob.
  public func replace(_ id: BlobID, by bytes: [UInt8]) {
    state.withLock { state in
      guard let old = state.blobs[id] else { return }
      state.blobs[id] = Entry(bytes: bytes, storedAt: old.storedAt, version: old.version)
    }
  }

  /// A draft in memory.
  public func draft() throws(BlobError) -> any BlobReceiving {
    try expectWritable()
    return MemoryDraft()
  }

  /// Gives drafts their names. Nothing survives the process.
  public func keep(_ drafts: [any BlobReceiving]) throws(BlobError) -> [Kept] {
    try expectWritable()
    var kept: [Kept] = []
    for draft in drafts {
      guard let draft = draft as? MemoryDraft else {
        throw .io(location: Self.location, reason: "a draft is another store's")
      }
      let (id, byteCount) = try draft.finish()
      kept.append(Kept(id: id, byteCount: byteCount, wasStored: try store(draft.bytes, as: id)))
      draft.discard()
    }
    return kept
  }

  /// Returns whether the bytes were stored before.
  private func store(_ bytes: [UInt8]?, as id: BlobID) throws(BlobError) -> Bool {
    let (now, capacity) = (now(), limits.withLock(\.capacity))
    let isStored: Bool? = state.withLock { state in
      let old = state.blobs[id]?.bytes
      let isStored = old.map { BlobID(hashing: $0) == id } ?? false
      guard let bytes = isStored ? old : bytes else { return nil }
      let used = state.blobs.values.reduce(0) { $0 + $1.bytes.count } - (old?.count ?? 0)
      guard bytes.count <= capacity - used else { return nil }
      state.versions += 1
      state.blobs[id] = Entry(bytes: bytes, storedAt: now, version: state.versions)
      return isStored
    }
    guard let isStored else { throw .full(location: Self.location) }
    return isStored
  }

  /// Removes a blob unless it was stored again.
  public func remove(_ blob: BlobInfo) throws(BlobError) -> Bool {
    try expectWritable()
    return state.withLock { state in
      guard let entry = state.blobs[blob.id], "\(entry.version)" == blob.version else { return false }
      state.blobs[blob.id] = nil
      return true
    }
  }

  /// A blob's length and time.
  public func stat(_ id: BlobID) throws(BlobError) -> BlobInfo? {
    state.withLock { $0.blobs[id].map { Self.info(id, $0) } }
  }

  /// A part of a blob's bytes.
  public func fetch(_ id: BlobID, _ range: Range<Int>) throws(BlobError) -> [UInt8] {
    guard let bytes = state.withLock({ $0.blobs[id]?.bytes }) else { throw .missing(id) }
    let part = Array(bytes[range.clamped(to: 0..<bytes.count)])
    return reader.withLock({ $0 })?(id) == false ? part.map { ~$0 } : part
  }

  /// The next blobs by name.
  public func page(after last: BlobID?, limit: Int) throws(BlobError) -> [BlobInfo] {
    state.withLock { state in
      state.blobs.keys.map(\.hex).filter { last == nil || $0 > last!.hex }.sorted().prefix(limit).compactMap { hex in
        BlobID(hex).flatMap { id in state.blobs[id].map { Self.info(id, $0) } }
      }
    }
  }

  /// Moves a blob's bytes to `quarantined`.
  public func quarantine(_ id: BlobID) throws(BlobError) -> Bool {
    try expectWritable()
    return state.withLock { state in
      guard let entry = state.blobs.removeValue(forKey: id) else { return false }
      state.quarantined[id] = entry.bytes
      return true
    }
  }

  /// False: nothing but blobs is here.
  public func quarantine(_ residue: BlobResidue) throws(BlobError) -> Bool { false }

  /// Adds a line to `quarantinedLines`.
  public func appendToQuarantine(_ line: String) throws(BlobError) {
    try expectWritable()
    state.withLock { $0.lines.append(line) }
  }

  private func expectWritable() throws(BlobError) {
    if limits.withLock(\.isReadOnly) { throw .readOnly(location: Self.location) }
  }

  private static func info(_ id: BlobID, _ entry: Entry) -> BlobInfo {
    BlobInfo(id: id, byteCount: entry.bytes.count, storedAt: entry.storedAt, version: "\(entry.version)")
  }
}
