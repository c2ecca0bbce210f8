/// Writes JSON into one array of bytes. It is for forms that are written a million times; others are `Encodable`.
struct JSONBytes {
  private(set) var bytes: [UInt8] = []

  /// Removes what was written, and keeps the room.
  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  /// Text that is JSON already.
  mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Text that is JSON already.
  mutating func raw(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// A whole number.
  mutating func integer(_ number: some BinaryInteger) { raw(String(number)) }

  /// A string, with only those escapes that JSON demands (RFC 8259, 7).
  mutating func string(_ text: String) {
    bytes.append(0x22)
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices where utf8[index] < 0x20 || utf8[index] == 0x22 || utf8[index] == 0x5C {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
        escape(utf8[index])
        start = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }
    bytes.append(0x22)
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case 0x22: raw("\\\"" as StaticString)
    case 0x5C: raw("\\\\" as StaticString)
    case 0x0A: raw("\\n" as StaticString)
    case 0x0D: raw("\\r" as StaticString)
    case 0x09: raw("\\t" as StaticString)
    default:
      raw("\\u00" as StaticString)
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}
