/// Finds the elements of one array in a JSON text that may be longer than memory, piece by piece.
///
/// What precedes the array is skipped, so that JavaScript's `name = [` may stand before it. The inside of an element is
/// checked only as far as needed to find its end.
///
/// An object may have several members of one name, of which the last counts (RFC 8259, 4). Mastodon writes an empty array
/// before the whole one. Which array is the last is known after a first reading.
///
/// A collection of ActivityStreams may hold its first page, and that the next: their elements are those of the collection.
struct JSONElements {
  /// Why a text is no array of elements.
  enum Fault: Error, Equatable {
    /// The text ends too early.
    case truncated
    /// There is no such array.
    case absent
    /// There is an invalid character at this offset.
    case malformed(at: Int)
  }

  /// An element, or the length of one that is longer than allowed.
  enum Found {
    case element([UInt8])
    case tooLong(bytes: Int)
  }

  /// The deepest nesting, as in `JSONSlices`.
  private static let deepest = 512
  private static let longestName = 64
  private static let mostDeclared = 1 << 50

  /// The arrays of that name that began so far, apart from those of pages within.
  private(set) var arrays = 0
  /// The elements of the last of them that were found so far.
  private(set) var count = 0
  /// The number that the outermost object's member `total` has; nil if it has none.
  private(set) var declared: Int?

  private let member: [UInt8]?
  private let total: [UInt8]?
  private let hasPages: Bool
  private let longest: Int
  /// The index of the array whose elements are found; nil for those of all.
  private let wanted: Int?
  private var offset = 0
  private var depth = 0
  /// The depth inside of the object whose members are looked at: the outermost one, or a page within.
  private var objectDepth = 1
  private var isInPages = false
  private var isInString = false
  private var isEscaped = false
  /// The depth inside of the array; nil before and after it.
  private var arrayDepth: Int?
  /// The last string of that object, which may be the name of a member.
  private var name: [UInt8] = []
  private var isNamed = false
  private var isInTotal = false
  private var isInElement = false
  private var element: [UInt8] = []
  private var elementLength = 0

  /// Finds the elements of the outermost array, or of the outermost object's member with this name.
  ///
  /// - Parameters:
  ///   - member: The member's name.
  ///   - total: The name of the member that says how many elements there are.
  ///   - wanted: The index of the array whose elements are found, among those with this name; nil for all.
  ///   - hasPages: Whether pages within are read, too.
  ///   - longest: The most bytes of an element.
  init(member: String?, total: String? = nil, wanted: Int? = nil, hasPages: Bool = false, longest: Int) {
    (self.member, self.total, self.hasPages) = (member.map { Array($0.utf8) }, total.map { Array($0.utf8) }, hasPages)
    (self.wanted, self.longest) = (wanted, longest)
  }

  /// Reads the next piece, and calls `found` with each element that ends in it.
  mutating func read(_ piece: [UInt8], _ found: (Found) throws -> Void) throws {
    var start = 0
    for (index, byte) in piece.enumerated() {
      if isInString {
        readInString(byte)
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        begin(at: index, &start)
        isInString = true
        if depth == objectDepth, arrayDepth == nil { name = [] }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if opensArray(byte) {
          depth += 1
          (arrayDepth, count) = (depth, 0)
          if objectDepth == 1 { arrays += 1 } else { isInPages = true }
          continue
        }
        if opensPage(byte) { objectDepth += 1 }
        begin(at: index, &start)
        depth += 1
        if depth > Self.deepest { throw Fault.malformed(at: offset + index) }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        guard depth > 0 else { throw Fault.malformed(at: offset + index) }
        if arrayDepth == depth {
          guard byte == UInt8(ascii: "]") else { throw Fault.malformed(at: offset + index) }
          try end(piece, start..<index, found)
          arrayDepth = nil
        }
        if depth == objectDepth, depth > 1 { objectDepth -= 1 }
        depth -= 1
        if arrayDepth == depth { try end(piece, start..<(index + 1), found) }
      case UInt8(ascii: ","):
        if arrayDepth == depth { try end(piece, start..<index, found) }
        isNamed = false
        isInTotal = false
      case UInt8(ascii: ":"):
        isNamed = depth == objectDepth && arrayDepth == nil
        isInTotal = isNamed && objectDepth == 1 && name == total
        if isInTotal { declared = nil }
      case 0x20, 0x09, 0x0A, 0x0D: break
      default:
        if isInTotal, depth == 1 { readTotal(byte) }
        begin(at: index, &start)
      }
    }
    if isInElement { append(piece[min(start, piece.count)...]) }
    offset += piece.count
  }

  /// Ends the text.
  ///
  /// - Throws: `Fault.truncated` or `Fault.absent`.
  func finish() throws(Fault) {
    if isInString || depth > 0 { throw .truncated }
    if arrays == 0, !isInPages { throw .absent }
  }

  private mutating func readTotal(_ byte: UInt8) {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return isInTotal = false }
    declared = min(declared ?? 0, Self.mostDeclared) * 10 + Int(byte - UInt8(ascii: "0"))
  }

  private mutating func readInString(_ byte: UInt8) {
    if depth == objectDepth, arrayDepth == nil, name.count < Self.longestName, byte != UInt8(ascii: "\"") {
      name.append(byte)
    }
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private func opensArray(_ byte: UInt8) -> Bool {
    guard byte == UInt8(ascii: "["), arrayDepth == nil else { return false }
    guard let member else { return depth == 0 && arrays == 0 }
    return depth == objectDepth && isNamed && (name == member || hasPages && name == Self.items)
  }

  /// The other name of a collection's elements (https://www.w3.org/TR/activitystreams-vocabulary/#dfn-items).
  private static let items = Array("items".utf8)
  private static let pages = ["first", "next"].map { Array($0.utf8) }

  private func opensPage(_ byte: UInt8) -> Bool {
    hasPages && byte == UInt8(ascii: "{") && arrayDepth == nil && depth == objectDepth && isNamed
      && Self.pages.contains(name)
  }

  private mutating func begin(at index: Int, _ start: inout Int) {
    guard let arrayDepth, arrayDepth == depth, !isInElement else { return }
    guard objectDepth > 1 || wanted.map({ $0 == arrays - 1 }) ?? true else { return }
    (isInElement, start) = (true, index)
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    elementLength += bytes.count
    if elementLength <= longest { element += bytes } else { element = [] }
  }

  private mutating func end(_ piece: [UInt8], _ range: Range<Int>, _ found: (Found) throws -> Void) throws {
    guard isInElement else { return }
    append(piece[range])
    let whole: Found = elementLength <= longest ? .element(element) : .tooLong(bytes: elementLength)
    (isInElement, element, elementLength) = (false, [], 0)
    count += 1
    try found(whole)
  }
}
