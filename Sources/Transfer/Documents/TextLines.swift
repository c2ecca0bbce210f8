/// Splits a text that may be longer than memory into its lines, piece by piece.
struct TextLines {
  /// A line without its end, or the length of one that is longer than allowed.
  enum Found {
    case line([UInt8])
    case tooLong(bytes: Int)
  }

  private let longest: Int
  private var line: [UInt8] = []
  private var length = 0

  /// Splits into lines of at most this many bytes.
  init(longest: Int) { self.longest = longest }

  /// Reads the next piece, and calls `found` with each line that ends in it and is not empty.
  mutating func read(_ piece: [UInt8], _ found: (Found) throws -> Void) throws {
    var rest = piece[...]
    while let end = rest.firstIndex(of: 0x0A) {
      append(rest[..<end])
      rest = rest[(end + 1)...]
      try finish(found)
    }
    append(rest)
  }

  /// Ends the text.
  mutating func finish(_ found: (Found) throws -> Void) throws {
    let whole: Found = length <= longest ? .line(line.last == 0x0D ? line.dropLast() : line) : .tooLong(bytes: length)
    let isEmpty = length == 0 || length == 1 && line == [0x0D]
    (line, length) = ([], 0)
    if !isEmpty { try found(whole) }
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    length += bytes.count
    if length <= longest { line += bytes } else { line = [] }
  }
}
