import Blobs
import Synchronization

/// Finds out whether blobs are where a library keeps its pictures, as late as it can: who reads and writes no bytes asks no
/// service for them.
final class PlaceCheck: Sendable {
  private struct State {
    /// The library; nil until it is opened.
    var store: Store?
    var found: PictureLocation?
    /// Whether bytes may be read, and whether they may be written and removed.
    var (isReadable, isVerified) = (false, false)
    var fault: BlobError?
  }

  private let base: any BlobPlace
  private let state = Mutex(State())

  /// Of so many pictures one must be in a place that is recorded for the first time.
  private static let sample = 20

  init(_ base: any BlobPlace) { self.base = base }

  /// Whether the place is a folder. Its address depends on where a machine has mounted it, and asking costs nothing.
  private var isFolder: Bool { base.location.hasPrefix("/") }

  /// Holds the blobs to the place that a library knows.
  ///
  /// - Throws: `StorageError`, or `BlobError` if its pictures are elsewhere.
  func follow(_ store: Store) throws {
    try state.withLock { state in
      let found = try store.pictureLocation()
      if state.store == nil || found != state.found { state = State() }
      (state.store, state.found) = (store, found)
      if state.isVerified { return }
      if isFolder {
        try verify(&state, isWriting: false)
      } else if let found, found.address != base.location {
        throw PlaceFault.elsewhere(found.address).error(at: base.location)
      }
    }
  }

  /// Lets through who reads bytes, or who writes or removes some. The first who writes records the place.
  func expect(isWriting: Bool = false) throws(BlobError) {
    try state.withLock { state throws(BlobError) in
      if state.isVerified || (!isWriting && (state.isReadable || state.store == nil)) { return }
      if let fault = state.fault { throw fault }
      try verify(&state, isWriting: isWriting)
    }
  }

  private func verify(_ state: inout State, isWriting: Bool) throws(BlobError) {
    guard let store = state.store else { throw .io(location: base.location, reason: "its library is not open") }
    let identity = try base.libraryIdentity()
    if identity?.isEmpty == true { throw refused(.damaged, &state) }
    // Another connection may have recorded the place meanwhile.
    if state.found == nil, identity != nil {
      state.found = try Self.explained(base) { () throws(StorageError) in try store.pictureLocation() }
    }
    guard let found = state.found else {
      guard identity == nil else { throw refused(.another, &state) }
      state.isReadable = true
      if isWriting { try claim(&state, store) }
      return
    }
    if identity == found.identity, isFolder || found.address == base.location {
      state.isVerified = true
    } else if found.address != base.location {
      throw refused(.elsewhere(found.address), &state)
    } else if identity != nil {
      throw refused(.another, &state)
    } else if try !Self.explained(base, { () throws(StorageError) in try store.oldestBlobs(limit: 1) }).isEmpty {
      throw refused(.unmarked, &state)
    } else if isWriting {
      // Another connection may have marked the place and stored a picture meanwhile.
      if try holdsBlobs(), try base.libraryIdentity() == nil { throw refused(.unknown, &state) }
      try mark(found, &state, store)
    }
  }

  private func holdsBlobs() throws(BlobError) -> Bool { try !base.page(after: nil, limit: 1).isEmpty }

  /// Records where the pictures are. The row comes first: a place with a row and without a mark is marked by the next.
  private func claim(_ state: inout State, _ store: Store) throws(BlobError) {
    if try base.isOccupied() { throw refused(.occupied, &state) }
    if let outer = base.outerLibrary() { throw refused(.within(outer), &state) }
    let known = try Self.explained(base) { () throws(StorageError) in try store.oldestBlobs(limit: Self.sample) }
    // Garbage collection would remove what another library stored there. Whoever stores a picture has recorded the place.
    if known.isEmpty, try holdsBlobs(), try Self.explained(base, store.pictureLocation) == nil {
      throw refused(.unknown, &state)
    }
    var isThere = known.isEmpty
    for blob in known where try base.contains(blob) {
      isThere = true
      break
    }
    guard isThere else { throw refused(.absent, &state) }
    let found = try Self.explained(base) { () throws(StorageError) in
      try store.claimPictureLocation(at: base.location)
    }
    guard let found else { throw .io(location: base.location, reason: "its library does not take its address") }
    state.found = found
    guard found.address == base.location else { throw refused(.elsewhere(found.address), &state) }
    do throws(BlobError) { try mark(found, &state, store) } catch {
      // What cannot be marked cannot hold pictures: another machine's address may.
      _ = try? store.movePictureLocation(found, to: nil)
      state.found = nil
      throw error
    }
  }

  private func mark(_ found: PictureLocation, _ state: inout State, _ store: Store) throws(BlobError) {
    if try !base.create(found.bytes, named: PictureLocation.fileName), try base.libraryIdentity() != found.identity {
      // Another library came first.
      _ = try? store.movePictureLocation(found, to: nil)
      throw refused(.another, &state)
    }
    state.isVerified = true
  }

  private func refused(_ fault: PlaceFault, _ state: inout State) -> BlobError {
    let error = fault.error(at: base.location)
    state.fault = error
    return error
  }

  /// A failure of the library, as one of its blobs.
  private static func explained<Value>(
    _ base: any BlobPlace, _ body: () throws(StorageError) -> Value
  ) throws(BlobError) -> Value {
    do throws(StorageError) { return try body() } catch { throw .io(location: base.location, reason: error.summary) }
  }
}
