import CCrypto
import FoundationEssentials

/// A password as it is stored: its scrypt key (RFC 7914), the salt, and the cost of a guess.
package struct PasswordHash: Codable, Sendable, Equatable {
  private let key: [UInt8]
  private let salt: [UInt8]
  private let n: UInt64
  private let r: UInt64
  private let p: UInt64

  /// A guess takes 32 MB and a tenth of a second.
  package init(_ password: String, salt: [UInt8], n: UInt64 = 1 << 15, r: UInt64 = 8, p: UInt64 = 1) {
    (self.salt, self.n, self.r, self.p) = (salt, n, r, p)
    key = Self.key(password, salt, n, r, p) ?? []
  }

  /// Reads what `stored` wrote; nil for any other text.
  package init?(stored text: String) {
    guard let read = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
    self = read
  }

  /// As a text to be stored.
  package var stored: String {
    // Numbers always encode.
    String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self)
  }

  /// Whether it is this password.
  package func matches(_ password: String) -> Bool {
    guard let guess = Self.key(password, salt, n, r, p), !key.isEmpty else { return false }
    return ConstantTime.areEqual(guess, key)
  }

  /// The fewest characters of a password (NIST SP 800-63B, 5.1.1.1).
  package static let fewestCharacters = 8
  /// The most bytes of a password.
  package static let mostBytes = 1024

  /// Why a text cannot be a new password.
  package enum Trouble: Sendable {
    case short, long

    /// What is wrong.
    package var words: String {
      switch self {
      case .short: "the password has fewer than \(fewestCharacters) characters"
      case .long: "the password has more than \(mostBytes) bytes"
      }
    }
    /// What to do about it.
    package static let cure = "choose another one"
  }

  /// What keeps a text from being a new password; nil if nothing does.
  package static func trouble(with password: String) -> Trouble? {
    password.count < fewestCharacters ? .short : password.utf8.count > mostBytes ? .long : nil
  }

  private static let mostMemory: UInt64 = 128 << 20

  /// The derived key; nil if a parameter is out of bounds.
  package static func key(_ password: String, _ salt: [UInt8], _ n: UInt64, _ r: UInt64, _ p: UInt64) -> [UInt8]? {
    var key = [UInt8](repeating: 0, count: 32)
    let bytes = password.utf8.map { CChar(bitPattern: $0) }
    let isDone = crypto_shim_scrypt(bytes, bytes.count, salt, salt.count, n, r, p, mostMemory, &key, key.count)
    return isDone == 1 ? key : nil
  }
}
