/// Finds a secret in a server's text, also if it is escaped: in JSON, as character references, percent-encoded, or
/// nested.
///
/// Only the whole secret counts, and only one of at least ``shortest`` characters: a shorter one occurs by chance.
public struct SecretSearch: Sendable {
  /// The minimum length of a secret that is searched for.
  public static let shortest = 16

  private let secret: [UInt8]
  /// How far to go back in the secret after a mismatch (Knuth, Morris and Pratt). So the time grows only with the text,
  /// whatever token the server chose.
  private let fallbacks: [Int]

  /// - Returns: nil if there is no secret, or one that is too short to be searched for.
  public init?(_ secret: Secret?) {
    guard let secret = secret.map({ Array($0.reveal().utf8) }), secret.count >= Self.shortest else { return nil }
    self.secret = secret
    var fallbacks = [Int](repeating: 0, count: secret.count)
    var length = 0
    for offset in 1..<secret.count {
      while length > 0, secret[offset] != secret[length] { length = fallbacks[length - 1] }
      if secret[offset] == secret[length] { length += 1 }
      fallbacks[offset] = length
    }
    self.fallbacks = fallbacks
  }

  /// Whether a text contains the secret.
  public func isPart(of text: some StringProtocol) -> Bool {
    var text = String(text)
    return text.withUTF8 { !ranges(in: $0, isJSON: false).isEmpty }
  }

  /// Returns the text with the secret replaced by `<secret>`.
  public func hidden(in text: String) -> String {
    var copy = text
    let found = copy.withUTF8 { ranges(in: $0, isJSON: false) }
    return found.isEmpty ? text : String(decoding: replaced(found, in: Array(text.utf8)), as: UTF8.self)
  }

  /// Returns JSON with the secret replaced by `<secret>`. It stays valid JSON.
  public func hidden(inJSON bytes: [UInt8]) -> [UInt8] {
    let found = bytes.withUnsafeBufferPointer { ranges(in: $0, isJSON: true) }
    return found.isEmpty ? bytes : replaced(found, in: bytes)
  }

  private func replaced(_ ranges: [Range<Int>], in bytes: [UInt8]) -> [UInt8] {
    var (kept, offset): ([UInt8], Int) = ([], 0)
    for range in ranges where range.lowerBound >= offset {
      kept += bytes[offset..<range.lowerBound]
      kept += "<secret>".utf8
      offset = range.upperBound
    }
    return kept + bytes[offset...]
  }

  /// The ranges of the secret, in order. Each decoding is tried by itself: the beginning of an escape in one may be the
  /// text before the secret in another.
  private func ranges(in bytes: UnsafeBufferPointer<UInt8>, isJSON: Bool) -> [Range<Int>] {
    guard bytes.count >= secret.count else { return [] }
    let found = EscapedBytes.Decoding.allCases.flatMap { reading in
      ranges(in: EscapedBytes(bytes, isJSON: isJSON, reading))
    }
    return found.sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
  }

  private func ranges(in text: EscapedBytes) -> [Range<Int>] {
    guard text.mayDiffer else { return [] }
    let starts = text.starts(of: secret)
    var found: [Range<Int>] = []
    // The offsets of the last characters read.
    var begins: [Int] = []
    var (offset, matched, read) = (0, 0, 0)
    while true {
      if matched == 0 { offset = text.next(starts, from: offset) }
      guard offset < text.count else { return found }
      let (byte, length) = text.character(at: offset)
      while matched > 0, secret[matched] != byte { matched = fallbacks[matched - 1] }
      if secret[matched] == byte {
        if begins.isEmpty { begins = [Int](repeating: 0, count: secret.count) }
        matched += 1
      }
      if !begins.isEmpty { begins[read % secret.count] = offset }
      read += 1
      offset += length
      if matched == secret.count {
        found.append(begins[read % secret.count]..<offset)
        matched = 0
      }
    }
  }
}
