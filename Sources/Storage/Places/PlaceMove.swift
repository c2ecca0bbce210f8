import Blobs
import Posts

/// Moves the pictures of a library on a server to another place. If that is the place where they are, it verifies them there
/// and says anew whose they are.
///
/// Each picture is compared with its hash in the new place before the library names it. The earlier place keeps its files, and
/// is no library's any more.
public struct PlaceMove: Sendable {
  /// What was done.
  public struct Result: Sendable, Equatable {
    /// Pictures that are in the new place, whole.
    public var verified = 0
    /// How many of them were copied.
    public var copied = 0
    /// The bytes of those that were copied.
    public var bytes = 0
    /// Pictures that count as stored, and are in neither place.
    public var missing = 0
  }

  private let store: Store
  private let source, target: any BlobPlace
  /// Pictures are read and written so many at once.
  private static let lanes = Lanes(16)
  private static let chunk = 200

  /// - Parameters:
  ///   - store: The library, open to be written.
  ///   - source: Where its address says that the pictures are.
  ///   - target: Where they are to be.
  public init(of store: Store, from source: any BlobPlace, to target: any BlobPlace) {
    (self.store, self.source, self.target) = (store, source, target)
  }

  private var isStaying: Bool { source.location == target.location }

  /// Runs the move. It can be repeated if it was interrupted.
  ///
  /// - Parameters:
  ///   - lost: Whether any number of pictures may be missing.
  ///   - copies: Whether the earlier place stays another library's: this one is a copy of it.
  ///   - onStep: Receives how many pictures were looked at, of how many.
  /// - Throws: `BlobError` if one of the places cannot be used, or is another library's; `StorageError.busy` while
  ///   workers pull; `PicturesMissing`. Nothing is changed then but for pictures that were copied.
  public func run(
    lost: Bool = false, copies: Bool = false, onStep: (_ done: Int, _ known: Int) -> Void = { _, _ in }
  ) throws -> Result {
    let found = try store.pictureLocation()
    try expectPlaces(found)
    guard try !store.isLeased() else { throw StorageError.busy(path: store.path) }
    var result = Result()
    let (stored, known, last) = try store.blobNumbers()
    try copy(after: .min, to: last, known: known, into: &result, onStep)
    guard lost || result.missing <= LossLimit.most(of: stored) else {
      throw PicturesMissing(count: result.missing, known: stored, location: target.location)
    }
    try enter(found)
    if !isStaying, !copies { try source.removeFile(named: PictureLocation.fileName) }
    // What was stored meanwhile. Numbers are not given out in the order of the commits.
    if !isStaying { try copy(after: last - 10_000, to: .max, known: nil, into: &result) { _, _ in } }
    return result
  }

  private func expectPlaces(_ found: PictureLocation?) throws {
    let identity = try target.libraryIdentity()
    if identity?.isEmpty == true { throw PlaceFault.damaged.error(at: target.location) }
    if !isStaying, let identity, identity == found?.identity { throw PlaceFault.here.error(at: target.location) }
    let isOwn = identity == nil || (isStaying && identity == found?.identity)
    guard isOwn else { throw PlaceFault.another.error(at: target.location) }
    if try identity == nil && target.isOccupied() { throw PlaceFault.occupied.error(at: target.location) }
    if !isStaying, identity == nil, let outer = target.outerLibrary() {
      throw PlaceFault.within(outer).error(at: target.location)
    }
    guard let found, !isStaying else { return }
    guard try source.libraryIdentity() == found.identity else {
      throw PlaceFault.elsewhere(found.address).error(at: source.location)
    }
  }

  /// Copies and verifies pictures by their numbers.
  ///
  /// - Parameter known: About how many there are; nil if those that are in the new place need not be counted or read.
  private func copy(
    after first: Int64, to end: Int64, known: Int?, into result: inout Result, _ onStep: (Int, Int) -> Void
  ) throws {
    var (last, done) = (first, 0)
    while last < end {
      let rows = try store.read { try BlobRow.after(last, limit: Self.chunk, in: $0) }
      guard let next = rows.last?.id else { return }
      let found = Self.lanes.map(rows) { row throws(BlobError) in try self.finding(of: row, verifies: known != nil) }
      for (row, finding) in zip(rows, found) {
        switch try finding.get() {
        case .there where known == nil: break
        case .there: result.verified += 1
        case .copied:
          result.verified += 1
          result.copied += 1
          result.bytes += row.byteCount
        case .missing: if row.isStored, known != nil { result.missing += 1 }
        }
      }
      done += rows.count
      last = next
      onStep(done, max(done, known ?? 0))
    }
  }

  private enum Finding { case there, copied, missing }

  private func finding(of row: BlobRow, verifies: Bool) throws(BlobError) -> Finding {
    guard let id = row.blob else { return .missing }
    if !verifies, try target.contains(id) { return .there }
    switch target.condition(of: id, byteCount: row.byteCount) {
    case .good: return .there
    case .withheld(let reason): throw .io(location: target.location, reason: reason)
    default: break
    }
    guard !isStaying else { return .missing }
    do {
      guard let draft = try target.draft(copying: id, from: source) else { return .missing }
      _ = try target.keep([draft])
      return .copied
    } catch { throw error as? BlobError ?? .io(location: target.location, reason: "\(error)") }
  }

  /// Has the library and the new place name each other. A kill in between leaves a place without a mark, which refuses
  /// everybody until this is repeated.
  private func enter(_ found: PictureLocation?) throws {
    if let found, try target.libraryIdentity() == found.identity { return }
    var now = found
    if found == nil {
      now = try store.claimPictureLocation(at: target.location)
    } else if let found, found.address != target.location {
      now = try store.movePictureLocation(found, to: target.location)
    }
    guard let now, now.address == target.location else { throw StorageError.busy(path: store.path) }
    if try !target.create(now.bytes, named: PictureLocation.fileName), try target.libraryIdentity() != now.identity {
      throw PlaceFault.another.error(at: target.location)
    }
  }
}

/// More pictures are missing than chance explains.
public struct PicturesMissing: ExplainedError, Equatable {
  let count, known: Int
  let location: String

  /// What is missing.
  public var summary: String { "\(count) of \(known) pictures are neither in \(location) nor where they were" }
  /// To look whether it is the right place.
  public var cure: String? { "check both addresses; --lost goes on without them" }
  /// 74.
  public var exitCode: ExitCode { .storage }
}

extension Store {
  /// Whether a worker holds a lease.
  fileprivate func isLeased() throws(StorageError) -> Bool {
    try read { try $0.hasRow("SELECT 1 FROM lease WHERE until > clock_timestamp()") }
  }

  /// How many pictures count as stored, how many have a row, and the highest number of a row.
  fileprivate func blobNumbers() throws(StorageError) -> (stored: Int, known: Int, last: Int64) {
    try read { db in
      (
        try db.value("SELECT count(*) FROM blob WHERE \(BlobRow.isStored)") ?? 0,
        try db.value("SELECT count(*) FROM blob") ?? 0, try db.value("SELECT coalesce(max(id), 0) FROM blob") ?? 0
      )
    }
  }
}
