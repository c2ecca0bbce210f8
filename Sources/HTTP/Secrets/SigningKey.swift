import CCrypto
import FoundationEssentials

/// A private key that signs by ES256 (RFC 7518, 3.4). Printing it gives `<secret>`.
public struct SigningKey: Sendable, Hashable, Codable {
  /// The key (RFC 5915) in base64 for URLs. It ends with the 64 bytes of its point.
  private let text: Secret

  /// Makes a new key. Returns nil if the system's generator fails.
  public init?() {
    var bytes = [UInt8](repeating: 0, count: 160)
    let count = Int(crypto_shim_es256_new(&bytes, Int32(bytes.count)))
    guard count > Self.pointCount else { return nil }
    text = Secret(base64URL(Array(bytes.prefix(count))))
  }

  /// Reads a key from a protected file.
  ///
  /// - Throws: A `DecodingError` if it is none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    text = try container.decode(Secret.self)
    guard bytes.count > Self.pointCount, signature(of: []) != nil else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "it is not a key")
    }
  }

  /// Writes the key to a protected file.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  private static let pointCount = 64
  private var bytes: [UInt8] { bytesOfBase64URL(text.reveal()) ?? [] }

  /// The public key's coordinates x and y in base64 for URLs, as a JWK has them (RFC 7518, 6.2.1).
  public var point: (x: String, y: String) {
    let point = Array(bytes.suffix(Self.pointCount))
    return (base64URL(Array(point.prefix(32))), base64URL(Array(point.suffix(32))))
  }

  /// The 64 bytes of a signature; nil if the key is none.
  public func signature(of message: [UInt8]) -> [UInt8]? {
    var signature = [UInt8](repeating: 0, count: 64)
    let key = bytes
    guard crypto_shim_es256_sign(key, key.count, message, message.count, &signature) == 1 else { return nil }
    return signature
  }
}

/// The bytes of base64 for URLs without padding (RFC 7515, 2); nil for anything else.
public func bytesOfBase64URL(_ text: some StringProtocol) -> [UInt8]? {
  let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  let plain = String(text).replacing("-", with: "+").replacing("_", with: "/") + padding
  return Data(base64Encoded: plain).map(Array.init)
}
