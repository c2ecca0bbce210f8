import Markup

// The texts of a document, and the markup that is dropped.

extension XMLTidy {
  /// Copies a character that XML allows and drops any other.
  mutating func character() {
    let byte = source[position]
    // XML does not allow U+FFFE and U+FFFF.
    let isNone = byte == 0xEF && begins([0xEF, 0xBF]) && position + 2 < source.count && source[position + 2] >= 0xBE
    if isNone {
      position += 3
    } else if byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      copy(1)
    } else {
      position += 1
    }
  }

  mutating func reference() {
    guard let (scalar, length) = CharacterReference.read(source[position...]) else {
      bytes += Array("&amp;".utf8)
      position += 1
      return
    }
    position += length
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x22, 0x26, 0x27, 0x3C, 0x3E: bytes += Array("&#\(scalar.value);".utf8)
    case ..<0x20, 0xFFFE, 0xFFFF: break
    default: bytes += Array(String(scalar).utf8)
    }
  }

  mutating func verbatim() {
    copy(9)
    while position < source.count, !begins("]]>") { character() }
    copy(min(3, source.count - position))
  }

  /// Skips a document type with its own declarations.
  mutating func documentType() {
    var depth = 0
    var quote: UInt8?
    while position < source.count {
      let byte = source[position]
      if quote == nil, begins("<!--") {
        skip(past: "-->", from: 4)
        continue
      }
      position += 1
      if let awaited = quote {
        if byte == awaited { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0: return
      default: break
      }
    }
  }

  mutating func skip(past end: StaticString, from offset: Int) {
    position = min(position + offset, source.count)
    while position < source.count, !begins(end) { position += 1 }
    position = min(position + end.utf8CodeUnitCount, source.count)
  }

  mutating func copy(_ count: Int) {
    bytes += source[position..<(position + count)]
    position += count
  }

  func begins(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { source[position...].starts(with: $0) }
  }

  func begins(_ text: [UInt8]) -> Bool { source[position...].starts(with: text) }
}
