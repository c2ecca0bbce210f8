/// Reads the lines of an iCalendar file: it joins folded lines, and takes CRLF or LF as their end (RFC 5545, 3.1).
struct ContentLineReader {
  private let read: () throws -> [UInt8]
  private var buffer: [UInt8] = []
  private var index = 0
  private var isAtEnd = false
  private var isAtStart = true
  /// The longest line that is kept: longer than any file that an entry holds.
  private let most: Int

  init(most: Int, read: @escaping () throws -> [UInt8]) { (self.most, self.read) = (most, read) }

  /// The next line that is not empty, and whether it was cut because it is too long; nil at the end.
  mutating func next() throws -> (bytes: [UInt8], isCut: Bool)? {
    while let first = try physicalLine() {
      var line = first.prefix(most)
      var isCut = first.count > most
      while let byte = try peek(), byte == 0x20 || byte == 0x09 {
        index += 1
        guard let more = try physicalLine() else { break }
        isCut = isCut || line.count + more.count > most
        line += more.prefix(most - line.count)
      }
      if !line.isEmpty { return (Array(line), isCut) }
    }
    return nil
  }

  private mutating func peek() throws -> UInt8? {
    while index == buffer.count {
      guard try fill() else { return nil }
    }
    return buffer[index]
  }

  /// A line without its end; of a line that is too long, one byte more than is kept.
  private mutating func physicalLine() throws -> ArraySlice<UInt8>? {
    guard try peek() != nil else { return nil }
    var line: [UInt8] = []
    repeat {
      let end = buffer[index...].firstIndex(of: 0x0A)
      line += buffer[index..<(end ?? buffer.count)].prefix(max(0, most + 1 - line.count))
      index = end.map { $0 + 1 } ?? buffer.count
      if end != nil { break }
    } while try peek() != nil
    if line.last == 0x0D { line.removeLast() }
    if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isAtStart = false
    return line[...]
  }

  private mutating func fill() throws -> Bool {
    guard !isAtEnd else { return false }
    buffer = try read()
    index = 0
    isAtEnd = buffer.isEmpty
    return !isAtEnd
  }
}
