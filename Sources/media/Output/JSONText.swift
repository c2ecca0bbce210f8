import Foundation
import Terminal

/// JSON as the command prints it: one object a line, keys in order, slashes as they are.
enum JSONText {
  /// A value on one line.
  static func line(_ value: some Encodable) throws -> Inert {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Inert(json: String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
