import CCrypto
import HTTP

/// A password as it is stored: its scrypt key (RFC 7914), the salt, and the cost of a guess.
struct PasswordHash: Codable, Sendable, Equatable {
  private let key: [UInt8]
  private let salt: [UInt8]
  private let n: UInt64
  private let r: UInt64
  private let p: UInt64

  /// A guess takes 32 MB and a tenth of a second.
  init(_ password: String, salt: [UInt8], n: UInt64 = 1 << 15, r: UInt64 = 8, p: UInt64 = 1) {
    (self.salt, self.n, self.r, self.p) = (salt, n, r, p)
    key = Self.key(password, salt, n, r, p) ?? []
  }

  /// Whether it is this password.
  func matches(_ password: String) -> Bool {
    guard let guess = Self.key(password, salt, n, r, p), !key.isEmpty else { return false }
    return ConstantTime.areEqual(guess, key)
  }

  /// The fewest characters of a password (NIST SP 800-63B, 5.1.1.1).
  static let fewestCharacters = 8
  /// The most bytes of a password.
  static let mostBytes = 1024

  private static let mostMemory: UInt64 = 128 << 20

  /// The derived key; nil if a parameter is out of bounds.
  static func key(_ password: String, _ salt: [UInt8], _ n: UInt64, _ r: UInt64, _ p: UInt64) -> [UInt8]? {
    var key = [UInt8](repeating: 0, count: 32)
    let bytes = password.utf8.map { CChar(bitPattern: $0) }
    let isDone = crypto_shim_scrypt(bytes, bytes.count, salt, salt.count, n, r, p, mostMemory, &key, key.count)
    return isDone == 1 ? key : nil
  }
}
