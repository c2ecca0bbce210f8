/// JSON to send: names in the order written, and `null` where Mastodon sends null, which encoders omit.
public enum JSON: Sendable {
  case null
  case bool(Bool)
  case number(Int)
  case decimal(Double)
  case text(String)
  case list([JSON])
  case object([(String, JSON)])

  /// A text, or null.
  static func maybe(_ text: String?) -> JSON { text.map(JSON.text) ?? .null }

  /// This object with more members at its end.
  func adding(_ more: KeyValuePairs<String, JSON>) -> JSON {
    guard case .object(let pairs) = self else { return self }
    return .object(pairs + more.map { ($0.key, $0.value) })
  }

  /// RFC 8259, UTF-8.
  public var bytes: [UInt8] {
    var out: [UInt8] = []
    write(to: &out)
    return out
  }

  private func write(to out: inout [UInt8]) {
    switch self {
    case .null: out += "null".utf8
    case .bool(let flag): out += (flag ? "true" : "false").utf8
    case .number(let number): out += String(number).utf8
    case .decimal(let number): out += String(number).utf8
    case .text(let text): JSON.quote(text, to: &out)
    case .list(let items):
      JSON.enclose(items, "[", "]", to: &out) { $0.write(to: &$1) }
    case .object(let pairs):
      JSON.enclose(pairs, "{", "}", to: &out) { pair, out in
        JSON.quote(pair.0, to: &out)
        out.append(UInt8(ascii: ":"))
        pair.1.write(to: &out)
      }
    }
  }

  private static func enclose<Item>(
    _ items: [Item],
    _ open: String,
    _ close: String,
    to out: inout [UInt8],
    _ each: (Item, inout [UInt8]) -> Void
  ) {
    out += open.utf8
    for (index, item) in items.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      each(item, &out)
    }
    out += close.utf8
  }

  private static func quote(_ text: String, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): out += "\\n".utf8
      case 0..<32: out += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      default: out.append(byte)
      }
    }
    out.append(UInt8(ascii: "\""))
  }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// An object.
  public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }
  /// A list.
  public init(arrayLiteral elements: JSON...) { self = .list(elements) }
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .number(value) }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
}
