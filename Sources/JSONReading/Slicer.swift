import Foundation

/// One pass over the bytes of an array or object.
struct Slicer {
  typealias Fault = JSONSlices.Fault

  private let bytes: UnsafeBufferPointer<UInt8>
  private let deepest: Int
  private var place: Int
  /// The closing brackets that are awaited.
  private var open: [UInt8] = []

  /// Has `read` go over what stands at a place of the bytes, over all of them if none is named.
  static func read<Value>(
    _ bytes: [UInt8], at place: Range<Int>? = nil, deepest: Int = JSONSlices.deepest,
    _ read: (inout Slicer) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in
      var slicer = Slicer(buffer, at: place ?? 0..<buffer.count, deepest: deepest)
      return try read(&slicer)
    }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, at place: Range<Int>, deepest: Int) {
    self.bytes = UnsafeBufferPointer(rebasing: bytes[..<place.upperBound])
    self.deepest = deepest
    self.place = place.lowerBound
    if place.lowerBound == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { self.place = 3 }
  }

  /// Tells `found` of each member of an object: where its name stands, between its quotes, whether nothing in that is
  /// escaped, and where its value stands.
  mutating func members(_ found: (_ name: Range<Int>, _ isPlain: Bool, _ value: Range<Int>) -> Void) throws(Fault) {
    switch skipSpace() {
    case UInt8(ascii: "{"): place += 1
    case nil: throw .empty
    case UInt8(ascii: "<"): throw .markup
    default: throw .malformed(at: place)
    }
    while let byte = skipSpace(), byte != UInt8(ascii: "}") {
      guard byte == UInt8(ascii: "\"") else { throw .malformed(at: place) }
      let start = place + 1
      let isPlain = try string()
      let name = start..<(place - 1)
      guard skipSpace() == UInt8(ascii: ":") else { throw place < bytes.count ? .malformed(at: place) : .truncated }
      place += 1
      found(name, isPlain, try element())
      if skipSpace() == UInt8(ascii: ",") { place += 1 }
    }
    guard skipSpace() != nil else { throw .truncated }
    place += 1
    if skipSpace() != nil { throw .malformed(at: place) }
  }

  /// Where the elements of an array stand, one behind the other.
  mutating func elements(most: Int) throws(Fault) -> [Range<Int>] {
    try begin()
    var found: [Range<Int>] = []
    if skipSpace() == UInt8(ascii: "]") {
      place += 1
    } else {
      repeat {
        if found.count == most { throw .tooMany(most) }
        found.append(try element())
      } while try isFollowed()
    }
    if skipSpace() != nil { throw .malformed(at: place) }
    return found
  }

  /// Where the first `most` elements of an array stand, up to one that makes no sense; a comma too many is passed over.
  mutating func firstElements(most: Int) throws(Fault) -> [Range<Int>] {
    try begin()
    var found: [Range<Int>] = []
    while found.count < most {
      while skipSpace() == UInt8(ascii: ",") { place += 1 }
      guard let element = try? element() else { break }
      found.append(element)
    }
    return found
  }

  private mutating func begin() throws(Fault) {
    switch skipSpace() {
    case nil: throw .empty
    case UInt8(ascii: "["): place += 1
    case UInt8(ascii: "<"): throw .markup
    case UInt8(ascii: "{"): throw .object
    default: throw .notAnArray
    }
  }

  /// Whether another element comes, or the array ends.
  private mutating func isFollowed() throws(Fault) -> Bool {
    guard let byte = skipSpace() else { throw .truncated }
    guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") else { throw .malformed(at: place) }
    place += 1
    return byte == UInt8(ascii: ",")
  }

  private mutating func element() throws(Fault) -> Range<Int> {
    guard let first = skipSpace() else { throw .truncated }
    let start = place
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): try container()
    case UInt8(ascii: "\""): try string()
    default: scalar()
    }
    if place == start { throw .malformed(at: place) }
    return start..<place
  }

  private mutating func scalar() {
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), UInt8(ascii: "\""),
        0x20, 0x09, 0x0A, 0x0D:
        return
      default: place += 1
      }
    }
  }

  private mutating func container() throws(Fault) {
    repeat {
      guard place < bytes.count else { throw .truncated }
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\""):
        try string()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if open.count == deepest { throw .tooDeep }
        // Both closing brackets stand two places after their opening one.
        open.append(byte + 2)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if open.popLast() != byte { throw .malformed(at: place) }
      default: break
      }
      place += 1
    } while !open.isEmpty
  }

  /// Past the string's closing quote; whether nothing in it is escaped. What an escape stands for is not looked at.
  @discardableResult
  private mutating func string() throws(Fault) -> Bool {
    let start = place + 1
    place = start
    var quote = find(UInt8(ascii: "\""), before: bytes.count)
    while let end = quote {
      guard let escape = find(UInt8(ascii: "\\"), before: end) else {
        let isPlain = place == start
        place = end + 1
        return isPlain
      }
      place = escape + 2
      if place > end { quote = find(UInt8(ascii: "\""), before: bytes.count) }
    }
    throw .truncated
  }

  /// Where the byte stands next.
  private func find(_ byte: UInt8, before end: Int) -> Int? {
    guard place < end, let base = bytes.baseAddress, let found = memchr(base + place, Int32(byte), end - place) else {
      return nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  private mutating func skipSpace() -> UInt8? {
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x09, 0x0A, 0x0D: place += 1
      default: return bytes[place]
      }
    }
    return nil
  }
}
