import Blobs
import HTTP
import Synchronization

/// Writes a download into a blob's draft, and keeps the announced length and any disk error.
///
/// The transport calls it from one thread; the fetcher reads it after the download has ended.
final class PictureSink: ByteSink {
  private struct State {
    var announced: Int?
    var failure: BlobError?
  }

  private let draft: any BlobReceiving
  private let state = Mutex(State())

  init(_ draft: any BlobReceiving) { self.draft = draft }

  /// The length that the server announced, if any: the transport accepts no body that was compressed on the way.
  var announced: Int? { state.withLock { $0.announced } }
  /// Why the library accepted no more bytes.
  var failure: BlobError? { state.withLock { $0.failure } }

  func begin(_ head: Response) -> Bool {
    let announced = head.headers["Content-Length"].flatMap { Int($0) }
    state.withLock { $0.announced = announced }
    do throws(BlobError) {
      try draft.reset()
      return true
    } catch {
      state.withLock { $0.failure = error }
      return false
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    do throws(BlobError) {
      try draft.write(bytes)
    } catch {
      state.withLock { $0.failure = error }
      throw error
    }
  }
}
