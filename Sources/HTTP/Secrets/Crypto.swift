import CCrypto

/// Digests of short texts, for the proofs that a login needs.
public enum Digest {
  /// Loads libcrypto, or ends the process with a message. Call it before the program takes over the terminal.
  public static func load() { _ = crypto_door() }

  /// SHA-256 (FIPS 180-4), 32 bytes.
  public static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let input = Array(bytes)
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    crypto_shim_sha256(input, input.count, &digest)
    return digest
  }

  /// SHA-1 (FIPS 180-4), 20 bytes. Only for handshakes of RFC 6455.
  static func sha1(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    crypto_shim_sha1(bytes, bytes.count, &digest)
    return digest
  }

  /// HMAC with SHA-1 (RFC 2104), 20 bytes. Only for signatures of RFC 5849.
  static func hmacSHA1(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    crypto_shim_hmac_sha1(key, key.count, bytes, bytes.count, &digest)
    return digest
  }

  /// HMAC with SHA-256 (RFC 2104), 32 bytes.
  public static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    crypto_shim_hmac_sha256(key, key.count, bytes, bytes.count, &digest)
    return digest
  }

  /// Base64 with padding (RFC 4648, 4).
  public static func base64(_ bytes: [UInt8]) -> String {
    let text = base64URL(bytes).replacing("-", with: "+").replacing("_", with: "/")
    return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  }
}

/// Base64 for URLs without padding (RFC 4648, 5; RFC 7636, appendix A).
public func base64URL(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count * 4 + 2) / 3)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    text += [18, 12, 6, 0].prefix(group.count + 1).map { alphabet[bits >> $0 & 63] }
  }
  return String(decoding: text, as: UTF8.self)
}

/// Unpredictable bytes from the operating system's generator, for `state` and code verifiers.
public func randomBytes(_ count: Int) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
}
