/// Finds the elements of a JSON array without reading them, so that each can be kept verbatim and decoded on its own:
/// one that cannot be read never costs the others.
///
/// What stands inside an element is checked only as far as its end must be found: that strings end and brackets match.
public enum JSONSlices {
  /// Why bytes are no array of elements.
  public enum Fault: Error, Equatable {
    /// There is nothing but white space.
    case empty
    /// It begins with `<`, as web pages do.
    case markup
    /// It is a JSON object.
    case object
    /// It is something else than an array.
    case notAnArray
    /// It ends in the middle.
    case truncated
    /// It nests deeper than is read.
    case tooDeep
    /// It has more elements than this.
    case tooMany(Int)
    /// Something stands where it must not, at this offset.
    case malformed(at: Int)
  }

  /// The deepest nesting that is read, the array itself left out (JSON readers take no more).
  public static let deepest = 512

  /// The byte ranges of the elements of the one top-level array in `bytes`, in order (RFC 8259; a byte order mark
  /// before it is passed over). One element more than `most` ends the search, whatever follows.
  public static func elements(
    of bytes: [UInt8], most: Int = .max, deepest: Int = JSONSlices.deepest
  ) throws(Fault) -> [Range<Int>] {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in
      var slicer = Slicer(bytes: buffer, most: most, deepest: deepest)
      return try slicer.elements()
    }
  }

  /// The same for the array that is a member of the one top-level object in `bytes`, the last of that name; its name is
  /// looked for as it is written. Without such a member it is `.object`. Without a name it is the top-level array itself.
  public static func elements(
    ofMember name: String?, in bytes: [UInt8], most: Int = .max
  ) throws(Fault) -> [Range<Int>] {
    guard let name else { return try elements(of: bytes, most: most) }
    return try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in
      var slicer = Slicer(bytes: buffer, most: most, deepest: deepest)
      guard let place = try slicer.member(name) else { throw .object }
      slicer = Slicer(bytes: UnsafeBufferPointer(rebasing: buffer[..<place.upperBound]), most: most, deepest: deepest)
      slicer.place = place.lowerBound
      return try slicer.elements()
    }
  }

  /// Where the value of that member of the one top-level object in `bytes` stands, the last of that name; nil where
  /// there is none.
  public static func member(_ name: String, in bytes: [UInt8]) throws(Fault) -> Range<Int>? {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in
      var slicer = Slicer(bytes: buffer, most: .max, deepest: deepest)
      return try slicer.member(name)
    }
  }
}

/// One pass over the bytes of an array.
private struct Slicer {
  typealias Fault = JSONSlices.Fault

  let bytes: UnsafeBufferPointer<UInt8>
  let most: Int
  let deepest: Int
  var place = 0
  /// The closing brackets that are awaited.
  var open: [UInt8] = []

  init(bytes: UnsafeBufferPointer<UInt8>, most: Int, deepest: Int) {
    self.bytes = bytes
    self.most = most
    self.deepest = deepest
  }

  /// Where the value of an object's member stands.
  mutating func member(_ name: String) throws(Fault) -> Range<Int>? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    switch skipSpace() {
    case UInt8(ascii: "{"): place += 1
    case nil: throw .empty
    case UInt8(ascii: "<"): throw .markup
    default: throw .malformed(at: place)
    }
    var found: Range<Int>?
    while let byte = skipSpace(), byte != UInt8(ascii: "}") {
      guard byte == UInt8(ascii: "\"") else { throw .malformed(at: place) }
      let start = place + 1
      try string()
      let isWanted = bytes[start..<(place - 1)].elementsEqual(name.utf8)
      guard skipSpace() == UInt8(ascii: ":") else { throw place < bytes.count ? .malformed(at: place) : .truncated }
      place += 1
      let value = try element()
      if isWanted { found = value }
      if skipSpace() == UInt8(ascii: ",") { place += 1 }
    }
    guard skipSpace() != nil else { throw .truncated }
    place += 1
    if skipSpace() != nil { throw .malformed(at: place) }
    return found
  }

  mutating func elements() throws(Fault) -> [Range<Int>] {
    if place == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
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

  /// Past the string's closing quote; what an escape stands for is not looked at.
  private mutating func string() throws(Fault) {
    place += 1
    while true {
      skipPlainText()
      guard place < bytes.count else { throw .truncated }
      let byte = bytes[place]
      place += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
  }

  /// Past bytes that are neither quote nor backslash, eight at a time; may stop early.
  private mutating func skipPlainText() {
    let base = UnsafeRawPointer(bytes.baseAddress!)
    while place + 8 <= bytes.count {
      let word = base.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if Slicer.holds(UInt8(ascii: "\""), word) || Slicer.holds(UInt8(ascii: "\\"), word) { break }
      place += 8
    }
    while place < bytes.count, bytes[place] != UInt8(ascii: "\""), bytes[place] != UInt8(ascii: "\\") { place += 1 }
  }

  private static func holds(_ byte: UInt8, _ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let zeroed = word ^ (ones &* UInt64(byte))
    return (zeroed &- ones) & ~zeroed & (ones << 7) != 0
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
