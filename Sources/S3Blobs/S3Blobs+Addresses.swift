import Blobs

// Addresses under which others read blobs from the service itself.

extension S3Blobs {
  /// The origin of the addresses, such as `https://s3.example`.
  ///
  /// - Throws: `BlobError.service` if no key is known, or the origin cannot stand in a content security policy.
  public func origin() throws(BlobError) -> String { try client.origin() }

  /// An address under which anybody can read a blob until it expires. It names the key, but not its secret part. It holds the
  /// token of a temporary key, which is worth nothing without the secret part.
  ///
  /// - Parameters:
  ///   - id: The blob. It is not looked for.
  ///   - contentType: The value of `Content-Type` in the service's answer.
  ///   - disposition: The value of `Content-Disposition` in it.
  ///   - seconds: For how long, from now on.
  /// - Throws: `BlobError.service` if no key is known.
  public func address(
    of id: BlobID, contentType: String, disposition: String, for seconds: Int
  ) throws(BlobError) -> String {
    try client.readingAddress(
      ofKey: address.key(id),
      answering: [("response-content-type", contentType), ("response-content-disposition", disposition)], for: seconds)
  }
}
