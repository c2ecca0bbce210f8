import JSONReading

extension JSONObject {
  /// A text that is not empty, or the digits of an integer.
  package func filled(_ name: StaticString) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// The texts of a list, or the words of a text.
  package func texts(_ name: StaticString) -> [String]? {
    let value = value(name)
    return value?.elements(most: 1000)?.compactMap(\.string)
      ?? value?.string.flatMap { $0.isEmpty ? nil : $0.split(separator: " ").map(String.init) }
  }

  /// A number, or a text that holds one.
  package func amount(_ name: StaticString) -> Double? {
    number(name) ?? string(name).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }
}
