import Blobs
import HTTP
import Posts
import Synchronization

/// Writes a download into a blob's draft, and keeps the announced length and any disk error. Some stores hand out pictures
/// as they were compressed once, without saying so: one such layer is taken off. It refuses what exceeds a limit.
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
    var bounds: FileBounds
  }

  private struct Exceeded: Error {}

  private let draft: any BlobReceiving
  /// Whether a layer of gzip is taken off: it is a picture's, not a file's own.
  private let unwraps: Bool
  private let state: Mutex<State>

  init(_ draft: any BlobReceiving, unwraps: Bool = false, bounds: FileBounds = FileBounds()) {
    (self.draft, self.unwraps) = (draft, unwraps)
    state = Mutex(State(bounds: bounds))
  }

  /// The length that the server announced for the written bytes; nil if it announced none, or a layer was taken off.
  var announced: Int? { state.withLock { $0.gzip == nil ? $0.announced : nil } }
  /// Why the library accepted no more bytes.
  var failure: BlobError? { state.withLock { $0.failure } }
  /// The limit that the file exceeds.
  var exceeded: FileLimits.Limit? { state.withLock(\.bounds.exceeded) }
  /// Whether the end of a layer is missing.
  var isCutShort: Bool { state.withLock { $0.gzip?.isAtEnd == false } }

  func begin(_ head: Response) -> Bool {
    let announced = head.headers["Content-Length"].flatMap { Int($0) }
    let wasDecoded = head.isDecoded
    let isWithin = state.withLock { state in
      state = State(announced: announced, failure: state.failure, wasDecoded: wasDecoded, bounds: state.bounds)
      return state.bounds.begin(announced: announced)
    }
    guard isWithin else { return false }
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
      guard let gzip = state.gzip else { return try keep(bytes, &state.failure, &state.bounds) }
      var (failure, bounds) = (nil as BlobError?, state.bounds)
      defer { (state.failure, state.bounds) = (state.failure ?? failure, bounds) }
      try gzip.read(bytes) { try keep($0, &failure, &bounds) }
    }
  }

  /// The download ended. Returns whether a whole file is left out because of its kind.
  func end(_ header: MediaHeader? = nil) -> Bool {
    state.withLock { state in
      state.bounds.end()
      return header.map(state.bounds.leavesOut) ?? false
    }
  }

  private func keep(
    _ bytes: UnsafeRawBufferPointer, _ failure: inout BlobError?, _ bounds: inout FileBounds
  ) throws {
    guard bounds.count(bytes) else { throw Exceeded() }
    do throws(BlobError) {
      try draft.write(bytes)
    } catch {
      failure = error
      throw error
    }
  }
}
