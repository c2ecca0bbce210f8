import CCrypto

/// The name of stored bytes: their SHA-256. The same bytes have the same name everywhere.
public struct BlobID: Hashable, Sendable, CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  public let hex: String

  /// Parses 64 lower-case hexadecimal digits. Returns nil for anything else, so that a name is always a safe path.
  public init?(_ hex: String) {
    let bytes = hex.utf8
    guard bytes.count == 64, bytes.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else { return nil }
    self.hex = hex
  }

  /// The name of these bytes.
  public init(hashing bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: 32)
    crypto_shim_sha256(bytes, bytes.count, &digest)
    self.init(digest: digest)
  }

  /// The name of the bytes with a SHA-256, its 32 bytes.
  public init(digest: [UInt8]) {
    let digit = { (half: UInt8) in half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10 }
    hex = String(unsafeUninitializedCapacity: 2 * digest.count) { space in
      for (index, byte) in digest.enumerated() {
        space.initializeElement(at: 2 * index, to: digit(byte >> 4))
        space.initializeElement(at: 2 * index + 1, to: digit(byte & 15))
      }
      return 2 * digest.count
    }
  }

  /// The folder within `blobs/`: the first two digits.
  public var folderName: String { String(hex.prefix(2)) }
  /// The path within a library: `blobs/ab/…`, the other 62 digits in the folder of the first two.
  public var path: String { "blobs/\(folderName)/\(hex.dropFirst(2))" }
  /// `hex`.
  public var description: String { hex }
}
