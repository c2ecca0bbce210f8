/// Lays out an answer for reading: each member of JSON on its own line. All other characters stay as they are, and a text that
/// is not JSON stays whole.
enum IndentedJSON {
  // Longer answers stay as they are, and deeper nesting looks the same: indentation must not outgrow what is indented.
  private static let longest = 1 << 20
  private static let deepest = 12

  static func text(_ bytes: [UInt8]) -> String {
    let first = bytes.first { !isSpace($0) }
    guard bytes.count <= longest, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count * 2)
    var (depth, isString, isEscaped) = (0, false, false)
    func breakLine() {
      out.append(UInt8(ascii: "\n"))
      out.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * min(max(depth, 0), deepest)))
    }
    for (index, byte) in bytes.enumerated() {
      if isString {
        out.append(byte)
        (isString, isEscaped) = (isEscaped || byte != UInt8(ascii: "\""), !isEscaped && byte == UInt8(ascii: "\\"))
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        out.append(byte)
        depth += 1
        if !closes(bytes, after: index) { breakLine() }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if let last = out.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { breakLine() }
        out.append(byte)
      case UInt8(ascii: ","):
        out.append(byte)
        breakLine()
      case UInt8(ascii: ":"): out.append(contentsOf: ": ".utf8)
      case UInt8(ascii: "\""):
        out.append(byte)
        isString = true
      default: if !isSpace(byte) { out.append(byte) }
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func closes(_ bytes: [UInt8], after index: Int) -> Bool {
    let next = bytes[(index + 1)...].first { !isSpace($0) }
    return next == UInt8(ascii: "}") || next == UInt8(ascii: "]")
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
