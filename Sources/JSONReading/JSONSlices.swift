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
    try Slicer.read(bytes, deepest: deepest) { (slicer) throws(Fault) in try slicer.elements(most: most) }
  }

  /// The same for the array that is a member of the one top-level object in `bytes`, the last of that name; its name is
  /// looked for as it is written. Without such a member it is `.object`. Without a name it is the top-level array itself.
  public static func elements(
    ofMember name: String?, in bytes: [UInt8], most: Int = .max
  ) throws(Fault) -> [Range<Int>] {
    guard let name else { return try elements(of: bytes, most: most) }
    guard let place = try member(name, in: bytes) else { throw .object }
    return try Slicer.read(bytes, at: place) { (slicer) throws(Fault) in try slicer.elements(most: most) }
  }

  /// Where the value of that member of the one top-level object in `bytes` stands, the last of that name; nil where
  /// there is none.
  public static func member(_ name: String, in bytes: [UInt8]) throws(Fault) -> Range<Int>? {
    var found: Range<Int>?
    try Slicer.read(bytes) { (slicer) throws(Fault) in
      try slicer.members { member, _, value in
        if bytes[member].elementsEqual(name.utf8) { found = value }
      }
    }
    return found
  }
}
