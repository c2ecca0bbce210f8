import Blobs
import HTTP

extension S3Blobs: BlobPlace {
  /// `s3://bucket/prefix`.
  public var location: String { address.description }

  /// Whether there is an object of the name within the prefix.
  public func hasFile(named name: String) throws(BlobError) -> Bool {
    var call = S3Call(.head, address.key(name))
    call.limit = .max
    return try client.send(call, accepting: [404]).status != 404
  }

  /// Writes an object within the prefix. Two that do so at once may both succeed at a service that cannot refuse to replace an
  /// object.
  public func create(_ bytes: [UInt8], named name: String) throws(BlobError) -> Bool {
    let isConditional = try hasConditionalPut()
    if !isConditional, try hasFile(named: name) { return false }
    var call = S3Call(.put, address.key(name), fields: isConditional ? [("if-none-match", "*")] : [])
    call.body = bytes
    return try client.send(call, accepting: isConditional ? [412] : []).status != 412
  }

  /// Asks for the objects above. A key may be good for this prefix alone.
  public func outerPlace(holding names: [String]) -> String? {
    for prefix in Self.outerPaths(of: address.prefix) {
      for name in names {
        let call = S3Call(.head, prefix.isEmpty ? name : "\(prefix)/\(name)")
        guard (try? client.send(call, accepting: [404]))?.status ?? 404 == 404 else {
          return prefix.isEmpty ? "s3://\(address.bucket)" : "s3://\(address.bucket)/\(prefix)"
        }
      }
    }
    return nil
  }

  /// Removes an object within the prefix.
  public func removeFile(named name: String) throws(BlobError) {
    _ = try client.send(S3Call(.delete, address.key(name)), accepting: [404])
  }
}
