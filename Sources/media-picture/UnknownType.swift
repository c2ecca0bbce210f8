/// What a file is that is neither a picture nor a film.
enum UnknownType {
  /// The number of bytes that tell it.
  static let headLength = 512

  /// Its name in a sentence, by its first bytes.
  static func name(_ head: [UInt8]) -> String {
    if let known = signatures.first(where: { head.starts(with: $0.bytes) }) { return known.name }
    if isText(head) { return "text" }
    return "of an unknown kind, which begins with " + head.prefix(8).map(hexadecimal).joined(separator: " ")
  }

  private static let signatures: [(bytes: [UInt8], name: String)] = [
    (Array("%PDF".utf8), "a PDF document"), (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
    (Array("8BPS".utf8), "a Photoshop document"), (Array("{\\rtf".utf8), "an RTF document"),
    (Array("Rar!".utf8), "a RAR archive"), ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive"),
    ([0x1F, 0x8B], "compressed by gzip"), ([0x28, 0xB5, 0x2F, 0xFD], "compressed by zstd"),
    ([0x7F, 0x45, 0x4C, 0x46], "a program"), (Array("wOF".utf8), "a font"),
  ]

  private static func isText(_ head: [UInt8]) -> Bool {
    guard !head.contains(where: { $0 < 0x20 && !(0x09...0x0D).contains($0) }) else { return false }
    // The last character may be cut.
    return (0...3).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0\(digits)" : digits
  }
}
