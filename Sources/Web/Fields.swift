import FoundationEssentials
import Posts

/// A client's parameters by name, from a query, a form, JSON or multipart. Names lose a trailing `[]`.
package struct Fields: Sendable {
  private var values: [String: [String]] = [:]

  package subscript(name: String) -> String? { values[name]?.last }

  package func all(_ name: String) -> [String] { values[name] ?? [] }

  /// True for the values that Rails reads as true.
  package func flag(_ name: String) -> Bool {
    self[name].map { !["", "0", "f", "false", "off", "no"].contains($0.lowercased()) } ?? false
  }

  /// A number without its sign, as Mastodon reads limits; text that is not a number counts as 0.
  package func count(_ name: String, atMost most: Int) -> Int? {
    self[name].map { Int(min((Int($0) ?? 0).magnitude, UInt(most))) }
  }

  package mutating func add(_ name: String, _ value: String) {
    let bare = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
    values[bare, default: []].append(value)
  }

  /// A query or a form (https://url.spec.whatwg.org/#urlencoded-parsing).
  package init(form: String = "") {
    for pair in form.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      add(Fields.decoded(parts[0]), parts.count > 1 ? Fields.decoded(parts[1]) : "")
    }
  }

  /// A body of one of the three types that Mastodon reads; nil if it does not match its type.
  package init?(body: Data, type: String) {
    self.init()
    let kind = type.prefix { $0 != ";" }.trimmingWhiteSpace.lowercased()
    switch kind {
    case "application/json":
      guard let object = try? JSONDecoder().decode([String: JSONField].self, from: body) else { return nil }
      for (name, field) in object { for value in field.values { add(name, value) } }
    case "multipart/form-data":
      guard let boundary = Fields.parameter("boundary", of: type) else { return nil }
      add(multipart: body, boundary: boundary)
    default:
      self = Fields(form: String(decoding: body, as: UTF8.self))
    }
  }

  /// Reads the text parts (RFC 7578) without files.
  private mutating func add(multipart body: Data, boundary: String) {
    let text = String(decoding: body, as: UTF8.self)
    for part in text.components(separatedBy: "--" + boundary).dropFirst() {
      guard let gap = part.firstRange(of: "\r\n\r\n"), let name = Fields.parameter("name", of: part[..<gap.lowerBound])
      else {
        continue
      }
      let value = part[gap.upperBound...]
      add(name, String(value.hasSuffix("\r\n") ? value.dropLast() : value))
    }
  }

  private static func parameter(_ name: String, of header: some StringProtocol) -> String? {
    for piece in String(header).unicodeScalars.split(whereSeparator: { ";\r\n".unicodeScalars.contains($0) }) {
      let parts = Substring(piece).trimmingWhiteSpace.split(separator: "=", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name {
        return String(parts[1].drop { $0 == "\"" }.prefix { $0 != "\"" })
      }
    }
    return nil
  }

  private static func decoded(_ text: some StringProtocol) -> String {
    let spaced = String(text).replacing("+", with: " ")
    return spaced.percentDecoded ?? spaced
  }
}

/// The text values of a field of a JSON object. Numbers are as Swift writes them; objects count as absent.
private struct JSONField: Decodable {
  let values: [String]

  init(from decoder: any Decoder) throws {
    if var list = try? decoder.unkeyedContainer() {
      var values: [String] = []
      while !list.isAtEnd { values += try list.decode(JSONField.self).values }
      self.values = values
      return
    }
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      values = [text]
    } else if let flag = try? value.decode(Bool.self) {
      values = [flag ? "true" : "false"]
    } else if let number = try? value.decode(Int64.self) {
      values = ["\(number)"]
    } else if let number = try? value.decode(Double.self) {
      values = ["\(number)"]
    } else {
      values = []
    }
  }
}
