import Blobs

extension BlobStoring {
  /// Stores bytes.
  @discardableResult
  public func keep(_ bytes: [UInt8]) throws -> Kept {
    let draft = try draft()
    try bytes.withUnsafeBytes { try draft.write($0) }
    return try keep([draft])[0]
  }
}
