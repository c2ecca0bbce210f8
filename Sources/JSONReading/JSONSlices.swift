/// Finds the elements of a JSON array without decoding them. So each can be stored verbatim and decoded by itself: one
/// that cannot be decoded never costs the others.
///
/// The inside of an element is checked only as far as needed to find its end: strings end and brackets match.
public enum JSONSlices {
  /// Why bytes are not an array of elements.
  public enum Fault: Error, Equatable {
    /// There is only white space.
    case empty
    /// The text begins with `<`, as web pages do.
    case markup
    /// The value is an object.
    case object
    /// The value is neither an array nor an object.
    case notAnArray
    /// The text ends too early.
    case truncated
    /// The nesting is too deep.
    case tooDeep
    /// The array has more than this number of elements.
    case tooMany(Int)
    /// There is an invalid character at this offset.
    case malformed(at: Int)
  }

  /// The maximum nesting depth below the array. Common JSON parsers accept no more.
  public static let deepest = 512

  /// Returns the byte ranges of the elements of the one top-level array in `bytes`, in order (RFC 8259). Skips a byte
  /// order mark before it. An object whose names are all numbers counts as an array: PHP writes an array so of which it
  /// has removed elements.
  ///
  /// - Parameters:
  ///   - most: the maximum number of elements. One more throws `Fault.tooMany`, whatever follows.
  ///   - deepest: the maximum nesting depth below the array.
  public static func elements(
    of bytes: [UInt8], most: Int = .max, deepest: Int = JSONSlices.deepest
  ) throws(Fault) -> [Range<Int>] {
    try elements(in: bytes, at: nil, most: most, deepest: deepest)
  }

  /// Returns the same for the array that is a member of the one top-level object in `bytes`. The last member of that
  /// name counts. Throws `Fault.object` if there is none.
  ///
  /// - Parameter name: the name as it is written in the bytes, without decoding escapes. nil means the top-level array
  ///   itself.
  public static func elements(
    ofMember name: String?, in bytes: [UInt8], most: Int = .max
  ) throws(Fault) -> [Range<Int>] {
    guard let name else { return try elements(of: bytes, most: most) }
    guard let range = try member(name, in: bytes) else { throw .object }
    return try elements(in: bytes, at: range, most: most, deepest: deepest)
  }

  private static func elements(
    in bytes: [UInt8], at range: Range<Int>?, most: Int, deepest: Int
  ) throws(Fault) -> [Range<Int>] {
    do throws(Fault) {
      return try Slicer.read(bytes, at: range, deepest: deepest) { (slicer) throws(Fault) in
        try slicer.elements(most: most)
      }
    } catch {
      guard error == .object else { throw error }
      return try Slicer.read(bytes, at: range, deepest: deepest) { (slicer) throws(Fault) in
        try slicer.numberedMembers(most: most)
      }
    }
  }

  /// Returns the byte range of a member's value in the one top-level object in `bytes`, or nil if there is none. The
  /// last member of that name counts.
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
