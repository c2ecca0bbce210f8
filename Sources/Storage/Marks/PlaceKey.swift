/// The place of a post in an album: a text between those of its neighbours, so that a move writes one row.
///
/// A key is a whole number, whose first letter says how many digits it has, and a fraction. So keys at the end stay short.
/// https://observablehq.com/@dgreensp/implementing-fractional-indexing
enum PlaceKey {
  /// Longer keys come from many moves to one place: then the album is numbered anew.
  static let longest = 60

  private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
  private static let first = Array("a0".utf8)
  /// No number is smaller.
  private static let least = [UInt8(ascii: "A")] + Array(repeating: UInt8(ascii: "0"), count: 26)

  /// A key between two others; nil if there is none, because they are no keys or not in order.
  ///
  /// - Parameters:
  ///   - low: The key before; nil for the beginning.
  ///   - high: The key behind; nil for the end.
  static func between(_ low: String?, _ high: String?) -> String? {
    let (low, high) = (low.map { Array($0.utf8) }, high.map { Array($0.utf8) })
    guard low.map(isKey) ?? true, high.map(isKey) ?? true else { return nil }
    if let low, let high, !low.lexicographicallyPrecedes(high) { return nil }
    return key(low, high).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a text from outside is a key.
  static func isKey(_ text: String) -> Bool { isKey(Array(text.utf8)) }

  private static func key(_ low: [UInt8]?, _ high: [UInt8]?) -> [UInt8]? {
    guard let low else {
      guard let high else { return first }
      let (number, fraction) = split(high)
      if number == least { return middle([], fraction).map { number + $0 } }
      return fraction.isEmpty ? decremented(number) : number
    }
    let (number, fraction) = split(low)
    guard let high else {
      return incremented(number) ?? middle(fraction, nil).map { number + $0 }
    }
    let (highNumber, highFraction) = split(high)
    if number == highNumber { return middle(fraction, highFraction).map { number + $0 } }
    if let next = incremented(number), next.lexicographicallyPrecedes(high) { return next }
    return middle(fraction, nil).map { number + $0 }
  }

  private static func isKey(_ key: [UInt8]) -> Bool {
    guard let head = key.first, let length = length(of: head), key.count >= length, key.count <= 4 * longest,
      key.allSatisfy(digits.contains)
    else { return false }
    return key.count == length || key.last != digits[0]
  }

  /// How many letters a number has, by its first.
  private static func length(of head: UInt8) -> Int? {
    switch head {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(head - UInt8(ascii: "a")) + 2
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(UInt8(ascii: "Z") - head) + 2
    default: nil
    }
  }

  private static func split(_ key: [UInt8]) -> (number: [UInt8], fraction: [UInt8]) {
    let length = length(of: key[0]) ?? key.count
    return (Array(key.prefix(length)), Array(key.dropFirst(length)))
  }

  private static func incremented(_ number: [UInt8]) -> [UInt8]? {
    var rest = Array(number.dropFirst())
    for index in rest.indices.reversed() {
      let digit = value(rest[index]) + 1
      rest[index] = digits[digit % digits.count]
      if digit < digits.count { return [number[0]] + rest }
    }
    switch number[0] {
    case UInt8(ascii: "Z"): return first
    case UInt8(ascii: "z"): return nil
    default:
      let head = number[0] + 1
      return [head] + Array(repeating: digits[0], count: (length(of: head) ?? 2) - 1)
    }
  }

  private static func decremented(_ number: [UInt8]) -> [UInt8]? {
    var rest = Array(number.dropFirst())
    for index in rest.indices.reversed() {
      let digit = value(rest[index]) - 1
      rest[index] = digits[(digit + digits.count) % digits.count]
      if digit >= 0 { return [number[0]] + rest }
    }
    let last = digits[digits.count - 1]
    switch number[0] {
    case UInt8(ascii: "a"): return [UInt8(ascii: "Z"), last]
    case UInt8(ascii: "A"): return nil
    default:
      let head = number[0] - 1
      return [head] + Array(repeating: last, count: (length(of: head) ?? 2) - 1)
    }
  }

  private static func value(_ digit: UInt8) -> Int { digits.firstIndex(of: digit) ?? 0 }

  /// A fraction between two, neither ending in a zero; nil for the upper one means one.
  private static func middle(_ low: [UInt8], _ high: [UInt8]?) -> [UInt8]? {
    if let high, !low.lexicographicallyPrecedes(high) { return nil }
    if let high {
      // What both begin with stays; a fraction that has ended goes on with zeros.
      let common = high.indices.prefix { ($0 < low.count ? low[$0] : digits[0]) == high[$0] }.count
      if common > 0 {
        return middle(Array(low.dropFirst(common)), Array(high.dropFirst(common))).map { high.prefix(common) + $0 }
      }
    }
    let lowDigit = low.first.map(value) ?? 0
    let highDigit = high.flatMap(\.first).map(value) ?? digits.count
    if highDigit - lowDigit > 1 { return [digits[(lowDigit + highDigit + 1) / 2]] }
    if let high, high.count > 1 { return [high[0]] }
    return middle(Array(low.dropFirst()), nil).map { [digits[lowDigit]] + $0 }
  }
}
