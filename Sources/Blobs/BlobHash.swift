import CCrypto

/// A SHA-256 of bytes that come piece by piece. Used by one thread at a time.
package final class BlobHash {
  private let state: OpaquePointer

  /// Nil if the system offers no SHA-256.
  package init?() {
    guard let state = crypto_shim_hash_new() else { return nil }
    self.state = state
  }

  deinit { crypto_shim_hash_free(state) }

  package func add(_ bytes: UnsafeRawBufferPointer) { crypto_shim_hash_add(state, bytes.baseAddress, bytes.count) }

  /// The name of all bytes. Nothing can be added any more.
  package func end() -> BlobID {
    var digest = [UInt8](repeating: 0, count: 32)
    crypto_shim_hash_end(state, &digest)
    return BlobID(digest: digest)
  }
}
