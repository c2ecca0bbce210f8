import Glibc

/// The syntax of JSON strings and numbers.
enum JSONText {
  private static let backslash = UInt8(ascii: "\\")

  /// Decodes the inside of a string (RFC 8259, 7).
  static func read(_ written: UnsafeBufferPointer<UInt8>) -> String {
    guard let first = next(in: written, from: 0) else { return String(decoding: written, as: UTF8.self) }
    var text: [UInt8] = []
    text.reserveCapacity(written.count)
    text += written[..<first]
    var index = first
    while index < written.count {
      index = min(index + append(escapeAt: index, of: written, to: &text), written.count)
      let end = next(in: written, from: index) ?? written.count
      text += written[index..<end]
      index = end
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The index of the next backslash.
  private static func next(in written: UnsafeBufferPointer<UInt8>, from index: Int) -> Int? {
    guard index < written.count, let base = written.baseAddress,
      let found = memchr(base + index, Int32(backslash), written.count - index)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Appends the character of the escape at an index, and returns the escape's length.
  private static func append(
    escapeAt index: Int, of written: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]
  ) -> Int {
    switch index + 1 < written.count ? written[index + 1] : 0 {
    case UInt8(ascii: "\""), backslash, UInt8(ascii: "/"): text.append(written[index + 1])
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      guard let unit = unit(at: index, of: written) else { fallthrough }
      if 0xD800..<0xDC00 ~= unit, let low = self.unit(at: index + 6, of: written), 0xDC00..<0xE000 ~= low {
        append(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), to: &text)
        return 12
      }
      append(unit, to: &text)
      return 6
    default: append(0xFFFD, to: &text)
    }
    return 2
  }

  /// The code unit of `\uXXXX` at an index.
  private static func unit(at index: Int, of written: UnsafeBufferPointer<UInt8>) -> UInt32? {
    guard index + 6 <= written.count, written[index] == backslash, written[index + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt32 = 0
    for byte in written[(index + 2)..<(index + 6)] {
      guard let digit = digit(byte) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  private static func append(_ number: UInt32, to text: inout [UInt8]) {
    text += (Unicode.Scalar(number) ?? "\u{FFFD}").utf8
  }

  /// Whether the bytes are a number (RFC 8259, 6).
  static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let whole = digits(&rest)
    if whole.isEmpty || whole.count > 1 && whole.first == UInt8(ascii: "0") { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      if digits(&rest).isEmpty { return false }
    }
    if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      if digits(&rest).isEmpty { return false }
    }
    return rest.isEmpty
  }

  private static func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    rest = rest.dropFirst(digits.count)
    return digits
  }
}
