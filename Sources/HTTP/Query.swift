extension Request {
  /// The first query field of that name in a URL or relative reference, decoded as a form (`+` is a space).
  ///
  /// A `%` without two hexadecimal digits stays as it is. Invalid UTF-8 becomes U+FFFD.
  public static func parameter(_ name: String, of url: String) -> String? {
    let address = url.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let question = address.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    for field in address[address.index(after: question)...].split(separator: UInt8(ascii: "&")) {
      let halves = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      if decoded(halves[0]) == name { return halves.count > 1 ? decoded(halves[1]) : "" }
    }
    return nil
  }

  /// All query fields of a URL or relative reference in order, decoded as a form.
  static func fields(of url: String) -> [(String, String)] {
    let address = url.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let question = address.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    return address[address.index(after: question)...].split(separator: UInt8(ascii: "&")).map { field in
      let halves = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (decoded(halves[0]), halves.count > 1 ? decoded(halves[1]) : "")
    }
  }

  private static func decoded(_ text: Substring.UTF8View) -> String {
    let bytes = Array(text)
    var out: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), let byte = escape(bytes[index...].dropFirst().prefix(2)) {
        out.append(byte)
        index += 3
      } else {
        out.append(bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
        index += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func escape(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
