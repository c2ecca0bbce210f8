/// One line of an iCalendar file: a name, parameters and a value (RFC 5545, 3.1).
struct ContentLine: Equatable {
  /// The name in upper case.
  let name: String
  /// The parameters by their names in upper case, without quotes; of several values, all of them as written.
  let parameters: [String: String]
  /// The value as written.
  let value: Substring

  /// Reads an unfolded line; nil if it is none.
  init?(_ line: String) {
    var rest = line[...]
    let name = Self.word(&rest)
    guard !name.isEmpty else { return nil }
    var parameters: [String: String] = [:]
    while rest.utf8.first == UInt8(ascii: ";") {
      rest = rest.dropFirst()
      let key = Self.word(&rest)
      guard rest.utf8.first == UInt8(ascii: "="), parameters.count < 100 else { return nil }
      rest = rest.dropFirst()
      parameters[key] = Self.parameter(&rest)
    }
    guard rest.utf8.first == UInt8(ascii: ":") else { return nil }
    self.name = name
    self.parameters = parameters
    value = rest.dropFirst()
  }

  private static func word(_ rest: inout Substring) -> String {
    let word = rest.utf8.prefix { byte in
      (65...90).contains(byte & 0xDF) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
    }
    rest = rest[word.endIndex...]
    return String(Substring(word)).uppercased()
  }

  /// A value ends at a colon or a semicolon outside quotes. Its escapes are those of RFC 6868.
  private static func parameter(_ rest: inout Substring) -> String {
    var text: [UInt8] = []
    var isQuoted = false
    var end = rest.utf8.startIndex
    while end < rest.utf8.endIndex {
      let byte = rest.utf8[end]
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted, byte == UInt8(ascii: ":") || byte == UInt8(ascii: ";") {
        break
      } else {
        text.append(byte)
      }
      end = rest.utf8.index(after: end)
    }
    rest = rest[end...]
    return String(decoding: text, as: UTF8.self).replacing("^n", with: "\n").replacing("^'", with: "\"")
      .replacing("^^", with: "^")
  }
}

extension ContentLine {
  /// The value as text, without escapes (RFC 5545, 3.3.11).
  var text: String { Self.texts(value, separator: nil).first ?? "" }

  /// The values of a list of texts.
  var texts: [String] { Self.texts(value, separator: UInt8(ascii: ",")) }

  private static func texts(_ value: Substring, separator: UInt8?) -> [String] {
    var texts: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in value.utf8 {
      if isEscaped {
        isEscaped = false
        texts[texts.count - 1].append(byte == UInt8(ascii: "n") || byte == UInt8(ascii: "N") ? 0x0A : byte)
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == separator {
        texts.append([])
      } else {
        texts[texts.count - 1].append(byte)
      }
    }
    return texts.map { String(decoding: $0, as: UTF8.self) }
  }
}
