extension StringProtocol {
  /// The text with each `%XX` as the byte that it stands for; nil if that is not UTF-8, or if two hexadecimal digits do
  /// not follow each `%`.
  package var percentDecoded: String? {
    var (rest, plain) = (Array(utf8)[...], [UInt8]())
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        plain.append(byte)
        continue
      }
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      guard digits.count == 2 else { return nil }
      plain.append(UInt8(digits[0] << 4 | digits[1]))
      rest = rest.dropFirst(2)
    }
    return String(validating: plain, as: UTF8.self)
  }
}
