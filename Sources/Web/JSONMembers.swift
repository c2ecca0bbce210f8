import FoundationEssentials

/// A JSON object by the names of its members, in any order. A member without a value is null.
package struct JSONMembers: Encodable, Sendable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private var members: [(name: String, value: (any Encodable & Sendable)?)]

  package init(dictionaryLiteral members: (String, (any Encodable & Sendable)?)...) {
    self.members = members.map { (name: $0.0, value: $0.1) }
  }

  /// Sets a member that has no value yet.
  package subscript(name: String) -> (any Encodable & Sendable)? {
    get { members.first { $0.name == name }?.value }
    set { members.append((name, newValue)) }
  }

  /// An object without the members that have no value.
  package init(present object: JSONMembers) { members = object.members.filter { $0.value != nil } }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members {
      let key = Name(stringValue: name)
      if let value { try container.encode(value, forKey: key) } else { try container.encodeNil(forKey: key) }
    }
  }

  /// The object on one line, with its names in order and slashes as they are.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts, finite numbers and lists of them always encode.
    return String(decoding: (try? encoder.encode(self)) ?? Data("{}".utf8), as: UTF8.self)
  }
}
