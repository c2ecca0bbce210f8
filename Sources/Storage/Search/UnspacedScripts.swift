/// Scripts that put no spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese.
///
/// The tokenizer takes a whole sentence of them for one word, of which only the beginning would be found. So the index also has
/// such texts with each character as a word of its own, and a search for several of them is one for a phrase.
enum UnspacedScripts {
  /// https://www.unicode.org/Public/UCD/latest/ucd/Scripts.txt
  private static let ranges: [ClosedRange<UInt32>] = [
    0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x312F, 0x31A0...0x31BF,
    0x31F0...0x31FF,
    0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x3FFFF,
  ]

  private static func hasScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x0E00 && ranges.contains { $0.contains(scalar.value) }
  }

  /// Whether a text may have characters of these scripts: in UTF-8 they all begin with such a byte. Most texts have none.
  static func mayBe(in text: some StringProtocol) -> Bool { text.utf8.contains { $0 >= 0xE0 } }

  /// A text with each character of these scripts as a word of its own; nil if it has none.
  static func separated(_ text: some StringProtocol) -> String? {
    guard mayBe(in: text), text.unicodeScalars.contains(where: hasScalar) else { return nil }
    var separated = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if hasScalar(scalar) { separated.append(contentsOf: [" ", scalar, " "]) } else { separated.append(scalar) }
    }
    return String(separated)
  }
}
