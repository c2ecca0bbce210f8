import Glibc

/// One pass over the bytes of an array or object.
struct Slicer {
  typealias Fault = JSONSlices.Fault

  private let bytes: UnsafeBufferPointer<UInt8>
  private let deepest: Int
  private var index: Int
  /// The closing brackets that are expected.
  private var open: [UInt8] = []

  /// Calls `read` with a slicer for a range of the bytes, or for all of them.
  static func read<Value>(
    _ bytes: [UInt8], at range: Range<Int>? = nil, deepest: Int = JSONSlices.deepest,
    _ read: (inout Slicer) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in
      var slicer = Slicer(buffer, at: range ?? 0..<buffer.count, deepest: deepest)
      return try read(&slicer)
    }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, at range: Range<Int>, deepest: Int) {
    self.bytes = UnsafeBufferPointer(rebasing: bytes[..<range.upperBound])
    self.deepest = deepest
    self.index = range.lowerBound
    if range.lowerBound == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { self.index = 3 }
  }

  /// Calls `found` with each member of an object: the range of its name between the quotes, whether the name contains
  /// no escape, and the range of its value.
  mutating func members(_ found: (_ name: Range<Int>, _ isPlain: Bool, _ value: Range<Int>) -> Void) throws(Fault) {
    switch skipSpace() {
    case UInt8(ascii: "{"): index += 1
    case nil: throw .empty
    case UInt8(ascii: "<"): throw .markup
    default: throw .malformed(at: index)
    }
    while let byte = skipSpace(), byte != UInt8(ascii: "}") {
      guard byte == UInt8(ascii: "\"") else { throw .malformed(at: index) }
      let start = index + 1
      let isPlain = try string()
      let name = start..<(index - 1)
      guard skipSpace() == UInt8(ascii: ":") else { throw index < bytes.count ? .malformed(at: index) : .truncated }
      index += 1
      found(name, isPlain, try element())
      if skipSpace() == UInt8(ascii: ",") { index += 1 }
    }
    guard skipSpace() != nil else { throw .truncated }
    index += 1
    if skipSpace() != nil { throw .malformed(at: index) }
  }

  /// The ranges of the elements of an array.
  mutating func elements(most: Int) throws(Fault) -> [Range<Int>] {
    try begin()
    var found: [Range<Int>] = []
    if skipSpace() == UInt8(ascii: "]") {
      index += 1
    } else {
      repeat {
        if found.count == most { throw .tooMany(most) }
        found.append(try element())
      } while try isFollowedByElement()
    }
    if skipSpace() != nil { throw .malformed(at: index) }
    return found
  }

  /// The ranges of the values of an object whose names are all numbers. Throws `Fault.object` for any other.
  mutating func numberedMembers(most: Int) throws(Fault) -> [Range<Int>] {
    let bytes = bytes
    var found: [Range<Int>] = []
    var isNumbered = true
    do throws(Fault) {
      try members { name, _, value in
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        isNumbered = isNumbered && !name.isEmpty && bytes[name].allSatisfy { digits.contains($0) }
        if isNumbered, found.count <= most { found.append(value) }
      }
    } catch {
      throw isNumbered && !found.isEmpty ? error : .object
    }
    guard isNumbered, !found.isEmpty else { throw .object }
    if found.count > most { throw .tooMany(most) }
    return found
  }

  /// The ranges of the first `most` elements of an array, up to the first malformed one. Extra commas are skipped.
  mutating func firstElements(most: Int) throws(Fault) -> [Range<Int>] {
    try begin()
    var found: [Range<Int>] = []
    while found.count < most {
      while skipSpace() == UInt8(ascii: ",") { index += 1 }
      guard let element = try? element() else { break }
      found.append(element)
    }
    return found
  }

  private mutating func begin() throws(Fault) {
    switch skipSpace() {
    case nil: throw .empty
    case UInt8(ascii: "["): index += 1
    case UInt8(ascii: "<"): throw .markup
    case UInt8(ascii: "{"): throw .object
    default: throw .notAnArray
    }
  }

  /// Whether another element follows. If not, the array ends.
  private mutating func isFollowedByElement() throws(Fault) -> Bool {
    guard let byte = skipSpace() else { throw .truncated }
    guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") else { throw .malformed(at: index) }
    index += 1
    return byte == UInt8(ascii: ",")
  }

  private mutating func element() throws(Fault) -> Range<Int> {
    guard let first = skipSpace() else { throw .truncated }
    let start = index
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): try container()
    case UInt8(ascii: "\""): try string()
    default: scalar()
    }
    if index == start { throw .malformed(at: index) }
    return start..<index
  }

  private mutating func scalar() {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), UInt8(ascii: "\""),
        0x20, 0x09, 0x0A, 0x0D:
        return
      default: index += 1
      }
    }
  }

  private mutating func container() throws(Fault) {
    repeat {
      guard index < bytes.count else { throw .truncated }
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        try string()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if open.count == deepest { throw .tooDeep }
        // Each closing bracket's code is its opening bracket's plus 2.
        open.append(byte + 2)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if open.popLast() != byte { throw .malformed(at: index) }
      default: break
      }
      index += 1
    } while !open.isEmpty
  }

  /// Skips to after the string's closing quote. Returns whether the string contains no escape. Does not check escapes.
  @discardableResult
  private mutating func string() throws(Fault) -> Bool {
    let start = index + 1
    index = start
    var quote = find(UInt8(ascii: "\""), before: bytes.count)
    while let end = quote {
      guard let escape = find(UInt8(ascii: "\\"), before: end) else {
        let isPlain = index == start
        index = end + 1
        return isPlain
      }
      index = escape + 2
      if index > end { quote = find(UInt8(ascii: "\""), before: bytes.count) }
    }
    throw .truncated
  }

  /// The next index of the byte.
  private func find(_ byte: UInt8, before end: Int) -> Int? {
    guard index < end, let base = bytes.baseAddress, let found = memchr(base + index, Int32(byte), end - index) else {
      return nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  private mutating func skipSpace() -> UInt8? {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      default: return bytes[index]
      }
    }
    return nil
  }
}
