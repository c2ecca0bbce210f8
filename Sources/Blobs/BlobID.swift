import CCrypto

/// The name of stored bytes: their SHA-256. The same bytes have the same name, everywhere.
public struct BlobID: Hashable, Sendable, CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  public let hex: String

  /// Reads 64 lower-case hexadecimal digits; nil for anything else, so that a name is always a harmless path.
  public init?(_ hex: String) {
    let bytes = hex.utf8
    guard bytes.count == 64, bytes.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else { return nil }
    self.hex = hex
  }

  /// The name of bytes at hand.
  public init(hashing bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: 32)
    crypto_door_sha256(bytes, bytes.count, &digest)
    self.init(digest: digest)
  }

  init(digest: [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    hex = String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The folder within `blobs/`: the first two digits.
  public var shelf: String { String(hex.prefix(2)) }
  /// Where the bytes lie within a library: `blobs/ab/…`, the other 62 digits in the folder of the first two.
  public var path: String { "blobs/\(shelf)/\(hex.dropFirst(2))" }
  /// `hex`.
  public var description: String { hex }
}
