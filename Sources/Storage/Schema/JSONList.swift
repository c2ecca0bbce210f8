import FoundationEssentials

// Many values as one argument of a statement, which reads them with `Database.each` or `eachText`.

extension Sequence<Int64> {
  /// The numbers as a JSON array.
  var jsonList: String { "[\(map(String.init).joined(separator: ","))]" }
}

extension Sequence<String> {
  /// The texts as a JSON array (RFC 8259, 7).
  var jsonList: String {
    let texts = map { text in
      let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      return isPlain ? "\"\(text)\"" : "\"\(text.unicodeScalars.map(Self.escaped).joined())\""
    }
    return "[\(texts.joined(separator: ","))]"
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"", "\\": "\\\(scalar)"
    case "\u{0}"..<"\u{20}": "\\u00\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
    default: String(scalar)
    }
  }
}

extension [String] {
  /// The texts of a JSON array; nil if it is none.
  init?(jsonList: String) {
    guard let texts = try? JSONDecoder().decode([String].self, from: Data(jsonList.utf8)) else { return nil }
    self = texts
  }
}
