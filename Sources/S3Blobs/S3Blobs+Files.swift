import Blobs
import Glibc
import HTTP
import Machine

// Files beside the blobs, such as the store of a backup.

extension S3Blobs {
  /// Reads a small file.
  ///
  /// - Parameters:
  ///   - name: Its name within the prefix.
  ///   - limit: The maximum number of its bytes.
  /// - Returns: Its bytes; nil if it is absent.
  public func file(named name: String, limit: Int = 1 << 20) throws(BlobError) -> [UInt8]? {
    var call = S3Call(.get, address.key(name))
    call.limit = limit
    let answer = try client.send(call, accepting: [404])
    if answer.status != 404 { return answer.body }
    let fault = S3Fault(answer)
    if fault.code == "NoSuchBucket" { throw fault.error(at: address, region: "", isWriting: false) }
    return nil
  }

  /// Writes a small file, in one step.
  public func write(_ bytes: [UInt8], named name: String) throws(BlobError) {
    var call = S3Call(.put, address.key(name))
    call.body = bytes
    _ = try client.send(call)
  }

  /// Sends a file of any size. It replaces an earlier one in one step.
  ///
  /// - Returns: The name of its bytes.
  public func send(fileAt path: String, named name: String) throws(BlobError) -> BlobID {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw .io(location: path, reason: String(cString: strerror(errno))) }
    defer { close(file) }
    let draft = S3Draft(try cache.draft())
    defer { draft.discard() }
    try draft.append(contentsOf: file)
    let (id, byteCount) = try draft.finish()
    _ = try upload(draft, id, to: address.key(name), byteCount: byteCount, isConditional: false)
    return id
  }

  /// Fetches a file of any size.
  ///
  /// - Parameter path: The path of the new file, which must not exist.
  /// - Returns: The name of its bytes; nil if it is absent.
  public func receive(fileNamed name: String, to path: String) throws(BlobError) -> BlobID? {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw BlobError(location: path) }
    defer { close(file) }
    guard let sink = FileSink(file) else { throw .io(location: path, reason: "SHA-256 is not available") }
    var call = S3Call(.get, address.key(name))
    call.limit = .max
    return try client.send(call, accepting: [404], to: sink).status == 404 ? nil : sink.end()
  }
}

/// Writes a body to a file and hashes it. The network's thread has ended its work before the caller reads the result, so that
/// one thread at a time uses it.
private final class FileSink: ByteSink, @unchecked Sendable {
  private let file: Int32
  private var hash: BlobHash

  init?(_ file: Int32) {
    guard let hash = BlobHash() else { return nil }
    (self.file, self.hash) = (file, hash)
  }

  func begin(_ head: Response) -> Bool {
    guard let new = BlobHash(), ftruncate(file, 0) == 0, lseek(file, 0, SEEK_SET) == 0 else { return false }
    hash = new
    return true
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    hash.add(bytes)
    if let code = writeAll(bytes, to: file) { throw BlobError(location: "a file", code: code) }
  }

  /// The name of all bytes. Called once.
  func end() -> BlobID { hash.end() }
}
