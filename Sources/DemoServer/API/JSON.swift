import FoundationEssentials
import Web

/// JSON to send, with `null` where Mastodon sends null, which encoders omit.
public enum JSON: Sendable, Encodable {
  case null
  case bool(Bool)
  case number(Int)
  case decimal(Double)
  case text(String)
  case list([JSON])
  case object([(String, JSON)])

  /// A text, or null.
  static func maybe(_ text: String?) -> JSON { text.map(JSON.text) ?? .null }

  /// This object with more members.
  func adding(_ more: KeyValuePairs<String, JSON>) -> JSON {
    guard case .object(let pairs) = self else { return self }
    return .object(pairs + more.map { ($0.key, $0.value) })
  }

  /// RFC 8259, UTF-8.
  public var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Its texts and numbers always encode.
    return Array((try? encoder.encode(self)) ?? Data())
  }

  /// Writes `null` where it stands.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null: try String?.none.encode(to: encoder)
    case .bool(let flag): try flag.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .decimal(let number): try number.encode(to: encoder)
    case .text(let text): try text.encode(to: encoder)
    case .list(let items): try items.encode(to: encoder)
    case .object(let pairs):
      var members: JSONMembers = [:]
      for (name, value) in pairs { members[name] = value }
      try members.encode(to: encoder)
    }
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
