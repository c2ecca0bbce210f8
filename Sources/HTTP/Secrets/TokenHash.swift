/// The hash of a token. It is stored and compared instead of the token, so that whoever reads the file cannot sign in.
///
/// A token has at least 128 random bits, so its hash needs no salt and cannot be guessed.
package struct TokenHash: Codable, Sendable, Equatable {
  /// As it is stored.
  package let text: String

  /// The hash of a token.
  package init(of token: String) { text = base64URL(Digest.sha256(Array(token.utf8))) }

  package init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// Takes as long for hashes that differ in the first byte as for those that differ in the last.
  package static func == (one: Self, other: Self) -> Bool {
    ConstantTime.areEqual(Array(one.text.utf8), Array(other.text.utf8))
  }
}

/// Comparisons whose duration tells nothing about where the values differ.
package enum ConstantTime {
  /// Whether they are equal.
  package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
