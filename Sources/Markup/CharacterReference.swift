/// Decodes `&amp;`, `&#39;`, `&#x1F600;` as https://html.spec.whatwg.org/#numeric-character-reference-end-state says.
public enum CharacterReference {
  /// Returns the character and the reference's length, or nil if `bytes`, which begin with `&`, begin with no
  /// reference.
  ///
  /// A reference ends with `;`. Text such as `AT&T` and `?a=1&copy=2` stays as it is.
  public static func read(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> (Unicode.Scalar, length: Int)? {
    let window = bytes.prefix(2 + max(NamedCharacters.longest, longestNumber))
    guard let end = window.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let body = window[window.startIndex + 1..<end]
    let scalar = body.first == UInt8(ascii: "#") ? number(body.dropFirst()) : NamedCharacters.scalar(body)
    return scalar.map { ($0, length: end - window.startIndex + 1) }
  }

  // `#x` and the digits of the greatest character, with a few leading zeros.
  private static let longestNumber = 12

  private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
    let isHex = digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
    let digits = isHex ? digits.dropFirst() : digits
    guard let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
    guard let value = UInt64(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10) else { return nil }
    if let meant = windows1252[value] { return meant }
    return UInt32(exactly: value).flatMap { $0 == 0 ? nil : Unicode.Scalar($0) } ?? "\u{FFFD}"
  }

  // Pages written on Windows use the numbers of control characters for these characters.
  private static let windows1252: [UInt64: Unicode.Scalar] = [
    0x80: "€", 0x82: "‚", 0x83: "ƒ", 0x84: "„", 0x85: "…", 0x86: "†", 0x87: "‡", 0x88: "ˆ", 0x89: "‰", 0x8A: "Š",
    0x8B: "‹", 0x8C: "Œ", 0x8E: "Ž", 0x91: "‘", 0x92: "’", 0x93: "“", 0x94: "”", 0x95: "•", 0x96: "–", 0x97: "—",
    0x98: "˜", 0x99: "™", 0x9A: "š", 0x9B: "›", 0x9C: "œ", 0x9E: "ž", 0x9F: "Ÿ",
  ]
}
