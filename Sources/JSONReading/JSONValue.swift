/// A value that a stranger wrote in JSON (RFC 8259, 3), read as what it is asked for as; nil where it is anything else.
public struct JSONValue: Sendable {
  let bytes: [UInt8]
  let place: Range<Int>

  /// The bytes as they were written.
  public var written: ArraySlice<UInt8> { bytes[place] }

  /// The string with its escapes read. Servers cut texts in the middle of an emoji or a letter: half a surrogate pair,
  /// an escape that stands for nothing and what is no UTF-8 read as U+FFFD, for the whole text would be lost otherwise.
  public var string: String? {
    bytes.withUnsafeBufferPointer { bytes in
      guard bytes[place.lowerBound] == UInt8(ascii: "\"") else { return nil }
      return JSONText.read(UnsafeBufferPointer(rebasing: bytes[place.dropFirst().dropLast()]))
    }
  }

  /// The string, or the digits of a whole number.
  public var text: String? {
    string ?? whole(Int64.self).map { String($0) } ?? whole(UInt64.self).map { String($0) }
  }

  /// The number, as near as `Double` comes to it.
  public var number: Double? {
    guard let token, let number = Double(token), number.isFinite else { return nil }
    return number
  }

  /// The whole number; `1.0` and `1e2` are such, too.
  public var integer: Int? { whole(Int.self) }

  /// The truth; of whole numbers 0 is false.
  public var truth: Bool? {
    switch word {
    case "true": true
    case "false": false
    default: integer.map { $0 != 0 }
    }
  }

  /// The object.
  public var object: JSONObject? { JSONObject(bytes, at: place) }

  /// Whether it is null, which is not the same everywhere as being absent.
  public var isNull: Bool { word == "null" }

  /// The first `most` elements of the array, for a hostile one is a million long; those before one that makes no sense.
  public func elements(most: Int) -> [JSONValue]? {
    let places = try? Slicer.read(bytes, at: place) { (slicer) throws(JSONSlices.Fault) in
      try slicer.firstElements(most: most)
    }
    return places?.map { JSONValue(bytes: bytes, place: $0) }
  }

  private func whole<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    guard let token else { return nil }
    // Beyond 2^53 a number with a fraction or an exponent is no longer the one that was written.
    return Integer(token) ?? number.flatMap { abs($0) < 0x1p53 ? Integer(exactly: $0) : nil }
  }

  /// What stands there, where it is a number of JSON: Swift reads others, such as `+1`, `0x1p3` and `nan`.
  private var token: Substring? { JSONText.isNumber(bytes[place]) ? word : nil }

  private var word: Substring { Substring(decoding: bytes[place], as: UTF8.self) }
}
