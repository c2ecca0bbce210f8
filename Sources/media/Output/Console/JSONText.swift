import FoundationEssentials
import Terminal
import Web

/// The command's JSON: one object a line, sorted keys, unescaped slashes.
enum JSONText {
  /// A value on one line.
  static func line(_ value: some Encodable) throws -> SafeText {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return SafeText(json: String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// An object on one line.
  static func object(_ members: JSONMembers) throws -> SafeText { try line(members) }
}
