import Blobs
import Glibc
import HTTP
import Synchronization

/// Keeps a download's bytes in a file without a name until their length and digest are known, and passes them on.
final class Spool: ByteSink {
  private struct State {
    let file: Int32
    var count = 0
    var isWanted = false
  }

  private let sink: any ByteSink
  private let state: Mutex<State>

  /// Nil if the folder cannot have such a file.
  init?(in folder: String, before sink: any ByteSink) {
    var template = Array("\(folder)/.media-XXXXXX.part".utf8CString)
    let file = mkstemps(&template, 5)
    guard file >= 0 else { return nil }
    // Without its name it goes with this process.
    unlink(template)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    self.sink = sink
    state = Mutex(State(file: file))
  }

  deinit { state.withLock { _ = close($0.file) } }

  func begin(_ head: Response) -> Bool {
    let isWanted = sink.begin(head)
    return state.withLock { state in
      (state.count, state.isWanted) = (0, isWanted)
      return ftruncate(state.file, 0) == 0 && lseek(state.file, 0, SEEK_SET) == 0 && isWanted
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try sink.write(bytes)
    try state.withLock { state in
      var rest = bytes
      while !rest.isEmpty {
        let count = Glibc.write(state.file, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw TransportError.sink(String(cString: strerror(errno))) }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      state.count += bytes.count
    }
  }

  /// The digest and the length of what came; nil if nothing was wanted. Nothing may come any more.
  func end() -> (BlobID, Int)? {
    let (isWanted, count) = state.withLock { ($0.isWanted, $0.count) }
    guard isWanted, let hash = BlobHash() else { return nil }
    let failure = copy { piece in
      piece.withUnsafeBytes { hash.add($0) }
      return nil
    }
    return failure == nil ? (hash.end(), count) : nil
  }

  /// Passes all bytes on, after `end`. Returns the code of a failure.
  func copy(to put: ([UInt8]) -> Int32?) -> Int32? {
    let (file, end) = state.withLock { ($0.file, $0.count) }
    var offset = 0
    while offset < end {
      var piece = [UInt8](repeating: 0, count: min(1 << 20, end - offset))
      let count = pread(file, &piece, piece.count, offset)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      if let code = put(Array(piece.prefix(count))) { return code }
      offset += count
    }
    return nil
  }
}
