/// An untrusted JSON value (RFC 8259, 3). Accessors return nil if the value has another type.
public struct JSONValue: Sendable {
  let bytes: [UInt8]
  let range: Range<Int>

  /// The value's bytes, unchanged.
  public var written: ArraySlice<UInt8> { bytes[range] }

  /// The string, with its escapes decoded. Servers truncate texts within an emoji or a letter. So half a surrogate
  /// pair, an invalid escape and invalid UTF-8 become U+FFFD: otherwise the whole text would be lost.
  public var string: String? {
    bytes.withUnsafeBufferPointer { bytes in
      guard bytes[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
      return JSONText.read(UnsafeBufferPointer(rebasing: bytes[range.dropFirst().dropLast()]))
    }
  }

  /// The string, or the digits of a whole number.
  public var text: String? {
    string ?? whole(Int64.self).map { String($0) } ?? whole(UInt64.self).map { String($0) }
  }

  /// The number, rounded to a `Double`.
  public var number: Double? {
    guard let token, let number = Double(token), number.isFinite else { return nil }
    return number
  }

  /// The whole number, also if it is written as `1.0` or `1e2`.
  public var integer: Int? { whole(Int.self) }

  /// The Boolean. A whole number also counts: 0 is false, any other is true.
  public var bool: Bool? {
    switch word {
    case "true": true
    case "false": false
    default: integer.map { $0 != 0 }
    }
  }

  /// The object.
  public var object: JSONObject? { JSONObject(bytes, at: range) }

  /// Whether the value is null. Some servers distinguish null from an absent member.
  public var isNull: Bool { word == "null" }

  /// The first `most` elements of the array, since a hostile one may have a million. Ends before the first malformed
  /// element.
  public func elements(most: Int) -> [JSONValue]? {
    let ranges = try? Slicer.read(bytes, at: range) { (slicer) throws(JSONSlices.Fault) in
      try slicer.firstElements(most: most)
    }
    return ranges?.map { JSONValue(bytes: bytes, range: $0) }
  }

  private func whole<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    guard let token else { return nil }
    // Beyond 2^53, a number with a fraction or an exponent may differ from the one that was written.
    return Integer(token) ?? number.flatMap { abs($0) < 0x1p53 ? Integer(exactly: $0) : nil }
  }

  /// The text of a JSON number; nil for others that Swift accepts, such as `+1`, `0x1p3` and `nan`.
  private var token: Substring? { JSONText.isNumber(bytes[range]) ? word : nil }

  private var word: Substring { Substring(decoding: bytes[range], as: UTF8.self) }
}
