import JSONReading

extension JSONObject {
  /// A text that is not empty, or a whole number's digits.
  func filled(_ name: StaticString) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// A list's texts, or the words of a text.
  func texts(_ name: StaticString) -> [String]? {
    let value = value(name)
    return value?.elements(most: 1000)?.compactMap(\.string)
      ?? value?.string.flatMap { $0.isEmpty ? nil : $0.split(separator: " ").map(String.init) }
  }

  /// A number, or a text that is one.
  func amount(_ name: StaticString) -> Double? {
    number(name) ?? string(name).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }
}
