import Blobs
import HTTP
import Synchronization

/// A draft whose bytes wait in a file of this machine until they are sent.
final class S3Draft: BlobReceiving {
  let spool: any BlobReceiving

  init(_ spool: any BlobReceiving) { self.spool = spool }

  func write(_ bytes: UnsafeRawBufferPointer) throws(BlobError) { try spool.write(bytes) }

  func append(contentsOf file: Int32) throws(BlobError) { try spool.append(contentsOf: file) }

  func reset() throws(BlobError) { try spool.reset() }

  @discardableResult
  func finish() throws(BlobError) -> (id: BlobID, byteCount: Int) { try spool.finish() }

  func fetch(_ range: Range<Int>) throws(BlobError) -> [UInt8] { try spool.fetch(range) }

  func discard() { spool.discard() }
}

/// Collects a body in memory.
final class BytesSink: ByteSink {
  private let body = Mutex<[UInt8]>([])

  var bytes: [UInt8] { body.withLock(\.self) }

  func begin(_ head: Response) -> Bool {
    body.withLock { $0 = [] }
    return true
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws { body.withLock { $0.append(contentsOf: bytes) } }
}

/// Writes a body to a draft, unless it is announced to be too long.
final class DraftSink: ByteSink {
  private let draft: any BlobReceiving
  private let limit: Int
  private let refused = Mutex(false)

  init(_ draft: any BlobReceiving, limit: Int) { (self.draft, self.limit) = (draft, limit) }

  /// Whether the body was not taken.
  var isRefused: Bool { refused.withLock(\.self) }

  func begin(_ head: Response) -> Bool {
    let isShort = head.headers["Content-Length"].flatMap { Int($0) }.map { $0 <= limit } ?? false
    let isReady = isShort && (try? draft.reset()) != nil
    refused.withLock { $0 = !isReady }
    return isReady
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws { try draft.write(bytes) }
}

/// Hashes a body. The network's thread has ended its work before the caller reads the result, so that one thread at a time
/// uses it.
final class HashSink: ByteSink, @unchecked Sendable {
  private var hash: BlobHash
  private var byteCount = 0

  /// Nil if the system offers no SHA-256.
  init?() {
    guard let hash = BlobHash() else { return nil }
    self.hash = hash
  }

  func begin(_ head: Response) -> Bool {
    guard let new = BlobHash() else { return false }
    (hash, byteCount) = (new, 0)
    return true
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    hash.add(bytes)
    byteCount += bytes.count
  }

  /// The name and number of all bytes. Called once.
  func end() -> (BlobID, Int) { (hash.end(), byteCount) }
}
