/// Finds the elements of one array in a JSON text that may be longer than memory, piece by piece.
///
/// What precedes the array is skipped, so that JavaScript's `name = [` may stand before it. The inside of an element is
/// checked only as far as needed to find its end.
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

  private let member: [UInt8]?
  private let longest: Int
  private var offset = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The depth inside of the array; nil before and after it.
  private var arrayDepth: Int?
  private var isDone = false
  /// The last string of the outermost object, which may be the name of a member.
  private var name: [UInt8] = []
  private var isNamed = false
  private var isInElement = false
  private var element: [UInt8] = []
  private var elementLength = 0

  /// Finds the elements of the outermost array, or of the outermost object's member with this name.
  ///
  /// - Parameter longest: The most bytes of an element.
  init(member: String?, longest: Int) {
    self.member = member.map { Array($0.utf8) }
    self.longest = longest
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
        if depth == 1, arrayDepth == nil { name = [] }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if opensArray(byte) {
          depth += 1
          arrayDepth = depth
          continue
        }
        begin(at: index, &start)
        depth += 1
        if depth > Self.deepest { throw Fault.malformed(at: offset + index) }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        guard depth > 0 else { throw Fault.malformed(at: offset + index) }
        if arrayDepth == depth {
          guard byte == UInt8(ascii: "]") else { throw Fault.malformed(at: offset + index) }
          try end(piece, start..<index, found)
          (arrayDepth, isDone) = (nil, true)
        }
        depth -= 1
        if arrayDepth == depth { try end(piece, start..<(index + 1), found) }
      case UInt8(ascii: ","):
        if arrayDepth == depth { try end(piece, start..<index, found) }
        isNamed = false
      case UInt8(ascii: ":"): isNamed = depth == 1 && arrayDepth == nil
      case 0x20, 0x09, 0x0A, 0x0D: break
      default: begin(at: index, &start)
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
    if !isDone { throw .absent }
  }

  private mutating func readInString(_ byte: UInt8) {
    if depth == 1, arrayDepth == nil, name.count < Self.longestName, byte != UInt8(ascii: "\"") { name.append(byte) }
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private func opensArray(_ byte: UInt8) -> Bool {
    guard byte == UInt8(ascii: "["), arrayDepth == nil, !isDone else { return false }
    guard let member else { return depth == 0 }
    return depth == 1 && isNamed && name == member
  }

  private mutating func begin(at index: Int, _ start: inout Int) {
    guard let arrayDepth, arrayDepth == depth, !isInElement else { return }
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
    try found(whole)
  }
}
