import Blobs
import Synchronization

/// A draft in memory.
final class MemoryDraft: BlobReceiving {
  private struct State {
    /// Nil once it is discarded.
    var bytes: [UInt8]? = []
    var id: BlobID?
  }

  private let state = Mutex(State())

  /// The bytes; nil once it is discarded.
  var bytes: [UInt8]? { state.withLock(\.bytes) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(BlobError) {
    let isOpen = state.withLock { state in
      guard state.id == nil, state.bytes != nil else { return false }
      state.bytes?.append(contentsOf: bytes)
      return true
    }
    if !isOpen { throw Self.closed }
  }

  func reset() throws(BlobError) {
    let isOpen = state.withLock { state in
      guard state.bytes != nil else { return false }
      (state.bytes, state.id) = ([], nil)
      return true
    }
    if !isOpen { throw Self.closed }
  }

  @discardableResult
  func finish() throws(BlobError) -> (id: BlobID, byteCount: Int) {
    let result: (id: BlobID, byteCount: Int)? = state.withLock { state in
      guard let bytes = state.bytes else { return nil }
      let id = state.id ?? BlobID(hashing: bytes)
      state.id = id
      return (id, bytes.count)
    }
    guard let result else { throw Self.closed }
    return result
  }

  func fetch(_ range: Range<Int>) throws(BlobError) -> [UInt8] {
    try finish()
    guard let bytes else { throw Self.closed }
    return Array(bytes[range.clamped(to: 0..<bytes.count)])
  }

  func discard() { state.withLock { $0.bytes = nil } }

  private static var closed: BlobError { .io(location: MemoryBlobs.location, reason: "written after its end") }
}
