import Blobs
import Synchronization

/// What a service can do, found out once per store.
final class S3Abilities: Sendable {
  private let known = Mutex<Bool?>(nil)

  /// Whether the service refuses to write where something is, if it is asked to: `If-None-Match: *`.
  ///
  /// - Throws: `BlobError.readOnly` if the store may not be written.
  func hasConditionalPut(_ client: S3Client) throws(BlobError) -> Bool {
    if let known = known.withLock(\.self) { return known }
    let found = try Self.probe(client)
    known.withLock { $0 = found }
    return found
  }

  /// Writes an object twice. From the second time on, one request is enough.
  private static func probe(_ client: S3Client) throws(BlobError) -> Bool {
    var call = S3Call(.put, client.address.key("media-blobs"), fields: [("if-none-match", "*")])
    call.body = Array("Pictures of a library of media.\n".utf8)
    for _ in 0..<2 {
      switch try client.send(call, accepting: [400, 412, 501]).status {
      case 412: return true
      case 400, 501:
        call.fields = []
        _ = try client.send(call)
        return false
      default: break
      }
    }
    return false
  }
}
