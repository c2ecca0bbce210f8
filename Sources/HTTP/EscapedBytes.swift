import Glibc

/// Decodes bytes character by character. It decodes escapes of ASCII characters. Any other escape becomes 0.
struct EscapedBytes {
  /// What is resolved; each case resolves what those before it do. An address that stands in the query of another one is
  /// percent-encoded once more each time: `%252F`.
  enum Decoding: CaseIterable { case plain, references, percent, nestedPercent }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let isJSON: Bool
  private let reading: Decoding

  /// - Parameter isJSON: whether JSON escapes are decoded as well (RFC 8259, 7).
  init(_ bytes: UnsafeBufferPointer<UInt8>, isJSON: Bool, _ reading: Decoding) {
    (self.bytes, self.isJSON, self.reading) = (bytes, isJSON, reading)
  }

  var count: Int { bytes.count }

  /// Whether this decoding can find what the plain one does not.
  var mayDiffer: Bool {
    switch reading {
    case .plain: true
    case .references: contains(UInt8(ascii: "&"))
    case .percent, .nestedPercent: contains(UInt8(ascii: "%")) || contains(UInt8(ascii: "&"))
    }
  }

  /// Whether the bytes contain the character, also as a JSON escape.
  private func contains(_ character: UInt8) -> Bool {
    if next(character, from: 0) < count { return true }
    guard isJSON else { return false }
    var offset = next(UInt8(ascii: "\\"), from: 0)
    while offset < count {
      let (byte, length) = plain(at: offset)
      if byte == character { return true }
      offset = next(UInt8(ascii: "\\"), from: offset + length)
    }
    return false
  }

  /// The bytes with which a wanted character can begin.
  enum Starts {
    /// The character itself.
    case one(UInt8)
    /// The character itself if the next byte can begin the next wanted character, and escapes. The arrays say for each
    /// byte whether it can begin the first and the second character.
    case several(first: UInt8, starts: [Bool], seconds: [Bool])
  }

  /// The bytes with which a text of at least two characters can begin.
  func starts(of text: [UInt8]) -> Starts {
    if reading == .plain, !isJSON { return .one(text[0]) }
    var starts = [Bool](repeating: false, count: 256)
    if isJSON { starts[Int(UInt8(ascii: "\\"))] = true }
    if reading != .plain { starts[Int(UInt8(ascii: "&"))] = true }
    if reading == .percent || reading == .nestedPercent { starts[Int(UInt8(ascii: "%"))] = true }
    // What begins an escape may be followed by anything.
    var seconds = starts[Int(text[0])] ? [Bool](repeating: true, count: 256) : starts
    starts[Int(text[0])] = true
    seconds[Int(text[1])] = true
    return .several(first: text[0], starts: starts, seconds: seconds)
  }

  /// The next offset of the byte; `count` if there is none.
  private func next(_ byte: UInt8, from offset: Int) -> Int {
    guard offset < count, let base = bytes.baseAddress, let found = memchr(base + offset, Int32(byte), count - offset)
    else { return count }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// The next offset at which the text can begin; `count` if there is none.
  func next(_ starts: Starts, from offset: Int) -> Int {
    switch starts {
    case .one(let byte): next(byte, from: offset)
    case .several(let first, let starts, let seconds):
      starts.withUnsafeBufferPointer { starts in
        seconds.withUnsafeBufferPointer { next(first, starts, $0, from: offset) }
      }
    }
  }

  private func next(
    _ first: UInt8, _ starts: UnsafeBufferPointer<Bool>, _ seconds: UnsafeBufferPointer<Bool>, from offset: Int
  ) -> Int {
    var offset = offset
    while offset < count {
      let byte = bytes[offset]
      if starts[Int(byte)], byte != first || offset + 1 == count || seconds[Int(bytes[offset + 1])] { return offset }
      offset += 1
    }
    return count
  }

  /// The character at an offset, and its length in bytes.
  func character(at offset: Int) -> (byte: UInt8, length: Int) {
    switch reading {
    case .plain: plain(at: offset)
    case .references: decodedReference(at: offset)
    case .percent: percentDecoded(at: offset)
    case .nestedPercent: nestedPercentDecoded(at: offset)
    }
  }

  private func plain(at offset: Int) -> (UInt8, Int) {
    guard isJSON, bytes[offset] == UInt8(ascii: "\\"), offset + 1 < bytes.count else { return (bytes[offset], 1) }
    switch bytes[offset + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return (bytes[offset + 1], 2)
    case UInt8(ascii: "u"):
      guard offset + 6 <= bytes.count else { return (0, 2) }
      var value = 0
      for byte in bytes[offset + 2..<offset + 6] {
        guard let digit = Self.digit(byte, radix: 16) else { return (0, 2) }
        value = value << 4 | digit
      }
      return (value < 0x80 ? UInt8(value) : 0, 6)
    default: return (0, 2)
    }
  }

  /// `&amp;`, `&#116;`, `&#x74;`.
  private func decodedReference(at offset: Int) -> (UInt8, Int) {
    let (first, length) = plain(at: offset)
    guard first == UInt8(ascii: "&"), offset + length < bytes.count else { return (first, length) }
    let (second, size) = plain(at: offset + length)
    let found = second == UInt8(ascii: "#") ? numbered(at: offset + length + size) : named(at: offset + length)
    return found.map { ($0.byte, $0.end - offset) } ?? (first, length)
  }

  /// The character of a number that begins there, and where it ends; nil where there is no digit. Its semicolon may be
  /// missing (https://html.spec.whatwg.org/#decimal-character-reference-state).
  private func numbered(at start: Int) -> (byte: UInt8, end: Int)? {
    guard start < bytes.count else { return nil }
    var (offset, radix) = (start, 10)
    let (mark, size) = plain(at: start)
    if mark | 0x20 == UInt8(ascii: "x") { (offset, radix) = (start + size, 16) }
    var value: Int?
    while offset < bytes.count {
      let (byte, size) = plain(at: offset)
      guard let digit = Self.digit(byte, radix: radix) else {
        if value != nil, byte == UInt8(ascii: ";") { offset += size }
        break
      }
      // What is beyond ASCII stays so, whatever digits follow.
      value = min((value ?? 0) * radix + digit, 0x80)
      offset += size
    }
    return value.map { ($0 < 0x80 ? UInt8($0) : 0, offset) }
  }

  /// The character of a name that begins there, and where it ends.
  private func named(at start: Int) -> (byte: UInt8, end: Int)? {
    var (offset, name) = (start, [] as [UInt8])
    while offset < bytes.count, name.count <= Self.longestName {
      let (byte, size) = plain(at: offset)
      offset += size
      if byte == UInt8(ascii: ";") { return Self.names[name].map { ($0, offset) } }
      name.append(byte)
    }
    return nil
  }

  /// What a token may be made of by its names in HTML (https://html.spec.whatwg.org/#named-character-references).
  private static let names: [[UInt8]: UInt8] = {
    let names = """
      amp & AMP & lt < LT < gt > GT > quot " QUOT " apos ' excl ! num # dollar $ percnt % lpar ( rpar ) ast * midast *
      plus + comma , period . sol / colon : semi ; equals = quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ]
      Hat ^ lowbar _ UnderBar _ grave ` lcub { lbrace { verbar | vert | rcub } rbrace }
      """
    let words = names.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
    let pairs = stride(from: 0, to: words.count, by: 2).map { (words[$0], words[$0 + 1][0]) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()
  private static let longestName = "UnderBar".utf8.count

  /// `%74` (RFC 3986, 2.1).
  private func percentDecoded(at offset: Int) -> (UInt8, Int) {
    let (first, length) = decodedReference(at: offset)
    guard first == UInt8(ascii: "%"), let (byte, size) = octet(at: offset + length) else { return (first, length) }
    return (byte, length + size)
  }

  /// The byte that two digits of base 16 stand for, and how many bytes they take.
  private func octet(at offset: Int) -> (byte: UInt8, length: Int)? {
    guard offset < bytes.count else { return nil }
    let (high, highLength) = decodedReference(at: offset)
    let next = offset + highLength
    guard let one = Self.digit(high, radix: 16), next < bytes.count else { return nil }
    let (low, lowLength) = decodedReference(at: next)
    guard let other = Self.digit(low, radix: 16) else { return nil }
    return (UInt8(one << 4 | other), highLength + lowLength)
  }

  /// `%2574`, however often it was encoded.
  private func nestedPercentDecoded(at offset: Int) -> (UInt8, Int) {
    var (byte, length) = percentDecoded(at: offset)
    guard length > 1 else { return (byte, length) }
    // Each further layer leaves a percent sign, which the digits behind it follow.
    while byte == UInt8(ascii: "%"), let (inner, size) = octet(at: offset + length) {
      byte = inner
      length += size
    }
    return (byte, length)
  }

  private static func digit(_ byte: UInt8, radix: Int) -> Int? {
    let digit: Int
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = Int(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = Int(byte - UInt8(ascii: "A")) + 10
    default: return nil
    }
    return digit < radix ? digit : nil
  }
}
