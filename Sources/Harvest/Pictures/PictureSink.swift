import Blobs
import HTTP
import Synchronization

/// Writes a download into a blob's draft, and keeps the announced length and any disk error. Some stores hand out pictures
/// as they were compressed once, without saying so: one such layer is taken off.
///
/// The transport calls it from one thread; the fetcher reads it after the download has ended.
final class PictureSink: ByteSink {
  private struct State {
    var announced: Int?
    var failure: BlobError?
    var gzip: GzipReader?
    var hasBegun = false
    /// Whether the transport has taken a layer off.
    var wasDecoded = false
  }

  private let draft: any BlobReceiving
  /// Whether a layer of gzip is taken off: it is a picture's, not a file's own.
  private let unwraps: Bool
  private let state = Mutex(State())

  init(_ draft: any BlobReceiving, unwraps: Bool = false) { (self.draft, self.unwraps) = (draft, unwraps) }

  /// The length that the server announced for the written bytes; nil if it announced none, or a layer was taken off.
  var announced: Int? { state.withLock { $0.gzip == nil ? $0.announced : nil } }
  /// Why the library accepted no more bytes.
  var failure: BlobError? { state.withLock { $0.failure } }
  /// Whether the end of a layer is missing.
  var isCutShort: Bool { state.withLock { $0.gzip?.isAtEnd == false } }

  func begin(_ head: Response) -> Bool {
    let announced = head.headers["Content-Length"].flatMap { Int($0) }
    let wasDecoded = head.isDecoded
    state.withLock { state in
      state = State(announced: announced, failure: state.failure, wasDecoded: wasDecoded)
    }
    do throws(BlobError) {
      try draft.reset()
      return true
    } catch {
      state.withLock { $0.failure = error }
      return false
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      if unwraps, !state.hasBegun, bytes.starts(with: GzipReader.mark) {
        if state.wasDecoded { throw GzipReader.Fault.twice }
        state.gzip = GzipReader()
      }
      state.hasBegun = true
      guard let gzip = state.gzip else { return try keep(bytes, &state.failure) }
      var failure: BlobError?
      defer { state.failure = state.failure ?? failure }
      try gzip.read(bytes) { try keep($0, &failure) }
    }
  }

  private func keep(_ bytes: UnsafeRawBufferPointer, _ failure: inout BlobError?) throws {
    do throws(BlobError) {
      try draft.write(bytes)
    } catch {
      failure = error
      throw error
    }
  }
}
