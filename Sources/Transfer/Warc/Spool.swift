import Blobs
import Glibc
import HTTP
import Synchronization

/// Keeps a download's bytes in a file without a name until their length and digest are known, and passes them on.
final class Spool: ByteSink {
  private struct State {
    let file: UnnamedFile
    var isWanted = false
  }

  private let sink: any ByteSink
  private let state: Mutex<State>

  /// Nil if the folder cannot have such a file.
  init?(in folder: String, before sink: any ByteSink) {
    guard let file = UnnamedFile(in: folder) else { return nil }
    self.sink = sink
    state = Mutex(State(file: file))
  }

  func begin(_ head: Response) -> Bool {
    let isWanted = sink.begin(head)
    return state.withLock { state in
      state.isWanted = isWanted
      return state.file.clear() == nil && isWanted
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try sink.write(bytes)
    if let code = state.withLock({ $0.file.append(bytes) }) {
      throw TransportError.sink(String(cString: strerror(code)))
    }
  }

  /// The digest and the length of what came; nil if nothing was wanted. Nothing may come any more.
  func end() -> (BlobID, Int)? {
    let (isWanted, count) = state.withLock { ($0.isWanted, $0.file.byteCount) }
    guard isWanted, let hash = BlobHash() else { return nil }
    let failure = copy { piece in
      piece.withUnsafeBytes { hash.add($0) }
      return nil
    }
    return failure == nil ? (hash.end(), count) : nil
  }

  /// Passes all bytes on, after `end`. Returns the code of a failure.
  func copy(to put: ([UInt8]) -> Int32?) -> Int32? {
    var offset = 0
    while true {
      guard let piece = state.withLock({ $0.file.bytes(at: offset) }) else { return errno }
      if piece.isEmpty { return nil }
      if let code = put(piece) { return code }
      offset += piece.count
    }
  }
}
