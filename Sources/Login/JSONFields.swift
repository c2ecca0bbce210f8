// Answers of servers in which every field may be missing or of another kind.

import Foundation

/// A JSON object read field by field: a number where a text is promised is taken for its digits, anything else is not
/// there.
struct JSONFields {
  private let fields: [String: Field]

  /// The object in a body; nil where the body is none.
  init?(_ body: [UInt8]) {
    guard let fields = try? JSONDecoder().decode([String: Field].self, from: Data(body)) else { return nil }
    self.fields = fields
  }

  private init(_ fields: [String: Field]) { self.fields = fields }

  /// An object within this one.
  func fields(_ name: String) -> JSONFields? {
    if case .object(let fields) = fields[name] { fields } else { nil }
  }

  /// A text that is not empty, or a whole number's digits.
  func text(_ name: String) -> String? {
    switch fields[name] {
    case .text(let text) where !text.isEmpty: text
    case .number(let number): Int64(exactly: number).map { String($0) }
    default: nil
    }
  }

  /// A list's texts, or the words of a text.
  func texts(_ name: String) -> [String]? {
    switch fields[name] {
    case .texts(let texts): texts
    case .text(let text) where !text.isEmpty: text.split(separator: " ").map(String.init)
    default: nil
    }
  }

  /// A number, or a text that is one.
  func number(_ name: String) -> Double? {
    switch fields[name] {
    case .number(let number): number
    case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  private enum Field: Decodable {
    case text(String), number(Double), texts([String]), object(JSONFields), other

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let texts = try? value.decode([String].self) {
        self = .texts(texts)
      } else if let fields = try? value.decode([String: Field].self) {
        self = .object(JSONFields(fields))
      } else {
        self = .other
      }
    }
  }
}
