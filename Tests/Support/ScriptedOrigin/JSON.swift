/// A JSON value whose text is the same on every run, for bodies that tests compare byte by byte.
public indirect enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Int)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  /// The value as JSON text, names in order, with the fewest escapes.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): String(value)
    case .text(let value): JSON.quoted(value)
    case .list(let values): "[\(values.map(\.description).joined(separator: ","))]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\(JSON.quoted($0.key)):\($0.value)" }.joined(separator: ",") + "}"
    }
  }

  /// A member of an object; nil for anything else.
  public subscript(name: String) -> JSON? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The object with some members replaced.
  public func replacing(_ others: [String: JSON]) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.merging(others) { $1 })
  }

  private static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case _ where scalar.value < 32:
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}

extension JSON: CustomStringConvertible, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .number(value) }
  /// A string.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A list.
  public init(arrayLiteral elements: JSON...) { self = .list(elements) }
  /// An object; the last of members with the same name wins.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements) { $1 })
  }
}
