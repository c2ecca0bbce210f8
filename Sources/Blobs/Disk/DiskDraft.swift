import CCrypto
import CSync
import Glibc
import Synchronization

/// A draft on the disk: bytes written to a file, usually one without a name, and hashed as they arrive.
///
/// Its lock admits one writer at a time.
final class DiskDraft: BlobReceiving {
  /// The maximum number of bytes that are buffered before they are written.
  static let bufferSize = 64 << 10
  /// Pieces of at least this size are written directly, since buffering would copy them.
  static let pieceSize = 16 << 10

  struct State: ~Copyable, Sendable {
    var file: Int32
    /// The path of a draft whose file has a name. It is removed with the draft.
    var path: String?
    /// Created and freed here, and used only under the lock around this state, so never by two threads at once.
    nonisolated(unsafe) let hash: OpaquePointer?
    var buffer: [UInt8] = []
    var byteCount = 0
    var id: BlobID?

    deinit {
      crypto_shim_hash_free(hash)
      if file >= 0 { close(file) }
      if let path { unlink(path) }
    }
  }

  private let state: Mutex<State>
  private let folder: String
  /// The folder of its temporary name, kept open for as long as it has one.
  private let directory: OpenDirectory

  init(file: Int32, path: String?, folder: String, within directory: OpenDirectory) throws(BlobError) {
    (self.folder, self.directory) = (folder, directory)
    let hash = crypto_shim_hash_new()
    state = Mutex(State(file: file, path: path, hash: hash))
    guard hash != nil else { throw BlobError.io(location: folder, reason: "SHA-256 is not available") }
  }

  /// Small pieces are buffered and written together.
  func write(_ bytes: UnsafeRawBufferPointer) throws(BlobError) {
    try locked { state throws(BlobError) in
      guard state.file >= 0, state.id == nil else { throw closed }
      crypto_shim_hash_add(state.hash, bytes.baseAddress, bytes.count)
      state.byteCount += bytes.count
      let isPiece = bytes.count >= DiskDraft.pieceSize
      if isPiece || state.buffer.count + bytes.count > DiskDraft.bufferSize { try flush(&state) }
      if isPiece {
        try Descriptor.write(bytes, to: state.file, path: folder)
      } else {
        state.buffer.append(contentsOf: bytes)
      }
    }
  }

  /// Receives the bytes of a file by sharing its place on the disk, and hashes them.
  ///
  /// - Returns: False if the file system cannot share them, or the file cannot be opened. The draft is as empty as before.
  func share(_ path: String) throws(BlobError) -> Bool {
    let source = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard source >= 0 else { return false }
    defer { close(source) }
    return try locked { state throws(BlobError) in try share(source, &state) }
  }

  /// What is hashed is the draft, so that a file that changes meanwhile does no harm.
  func append(contentsOf file: Int32) throws(BlobError) {
    try locked { state throws(BlobError) in
      if try share(file, &state) { return }
      try flush(&state)
      var offset = 0
      while case let piece = try Descriptor.read(file, at: offset, count: Self.copiedSize, path: folder), !piece.isEmpty
      {
        crypto_shim_hash_add(state.hash, piece, piece.count)
        try Descriptor.write(piece, to: state.file, path: folder)
        offset += piece.count
      }
      state.byteCount += offset
    }
  }

  /// The number of bytes of another file that are read at a time. The system gives each larger block anew, page by page.
  private static let copiedSize = 128 << 10

  /// - Returns: False if nothing was shared: the draft has bytes, or the file system cannot.
  private func share(_ source: Int32, _ state: inout State) throws(BlobError) -> Bool {
    guard state.file >= 0, state.id == nil else { throw closed }
    let file = state.file
    guard state.byteCount == 0, sync_shim_clone(file, source) == 0 else { return false }
    while case let piece = try Descriptor.read(file, at: state.byteCount, count: Self.copiedSize, path: folder),
      !piece.isEmpty
    {
      crypto_shim_hash_add(state.hash, piece, piece.count)
      state.byteCount += piece.count
    }
    let end = off_t(state.byteCount)
    _ = try Descriptor.retried(folder) { lseek(file, end, SEEK_SET) }
    return true
  }

  func reset() throws(BlobError) {
    try locked { state throws(BlobError) in
      guard state.file >= 0 else { throw closed }
      if state.byteCount == 0, state.id == nil { return }
      state.buffer.removeAll(keepingCapacity: true)
      state.byteCount = 0
      state.id = nil
      crypto_shim_hash_reset(state.hash)
      let file = state.file
      _ = try Descriptor.retried(folder) { ftruncate(file, 0) }
      _ = try Descriptor.retried(folder) { lseek(file, 0, SEEK_SET) }
    }
  }

  @discardableResult
  func finish() throws(BlobError) -> (id: BlobID, byteCount: Int) {
    try locked { state throws(BlobError) in
      if let id = state.id { return (id, state.byteCount) }
      guard state.file >= 0 else { throw closed }
      try flush(&state)
      state.buffer = []
      var digest = [UInt8](repeating: 0, count: 32)
      crypto_shim_hash_end(state.hash, &digest)
      let id = BlobID(digest: digest)
      state.id = id
      return (id, state.byteCount)
    }
  }

  func fetch(_ range: Range<Int>) throws(BlobError) -> [UInt8] {
    try finish()
    return try locked { state throws(BlobError) in
      guard state.file >= 0 else { throw closed }
      return try Descriptor.read(state.file, range.clamped(to: 0..<state.byteCount), path: folder)
    }
  }

  func discard() {
    state.withLock { state in
      if state.file >= 0 { close(state.file) }
      if let path = state.path { unlink(path) }
      (state.file, state.path, state.buffer) = (-1, nil, [])
    }
  }

  /// Accesses the draft's file and its temporary name, if it has one. Only for the store, between `finish` and the end.
  func locked<Result>(
    _ body: (inout State) throws(BlobError) -> Result
  ) throws(BlobError) -> Result {
    let result: Swift.Result<Result, BlobError> = state.withLock { state in
      do throws(BlobError) { return .success(try body(&state)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private var closed: BlobError { .io(location: folder, reason: "written after its end") }

  private func flush(_ state: inout State) throws(BlobError) {
    try Descriptor.write(state.buffer, to: state.file, path: folder)
    state.buffer.removeAll(keepingCapacity: true)
  }
}
