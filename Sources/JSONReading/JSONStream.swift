/// Splits a stream of JSON into its top-level values, without holding more of it than one value: the elements of one array,
/// or values that follow each other, such as one a line (https://github.com/ndjson/ndjson-spec).
///
/// As in `JSONSlices`, the inside of a value is checked only as far as needed to find its end.
public struct JSONStream {
  /// A value of the stream.
  public struct Element: Sendable {
    /// Its bytes, verbatim.
    public let bytes: [UInt8]
    /// The offset of its first byte in the stream.
    public let offset: Int
  }

  /// Why the stream is none of values.
  public enum Fault: Error, Equatable {
    /// There is only white space.
    case empty
    /// The text begins with `<`, as web pages do.
    case markup
    /// There is an invalid character at this offset.
    case malformed(at: Int)
    /// The text ends within the value that begins at this offset.
    case truncated(at: Int)
    /// The value at this offset is longer than allowed.
    case tooLong(at: Int)
  }

  private let most: Int
  private let read: () throws -> [UInt8]
  private var buffer: [UInt8] = []
  /// The offset of the buffer's first byte.
  private var base = 0
  private var index = 0
  private var isAtEnd = false
  private var part = Part.start

  private enum Part { case start, first, between, values, done }

  /// - Parameters:
  ///   - most: The maximum number of bytes of one value.
  ///   - read: Returns the next bytes; none at the end.
  public init(most: Int, read: @escaping () throws -> [UInt8]) { (self.most, self.read) = (most, read) }

  /// The next value; nil at the end.
  ///
  /// - Throws: `Fault`, or what `read` throws.
  public mutating func next() throws -> Element? {
    if index >= 1 << 20 {
      buffer.removeFirst(index)
      (base, index) = (base + index, 0)
    }
    guard try begin() else { return nil }
    let start = index
    let end = try end(of: start)
    let element = Element(bytes: Array(buffer[start..<end]), offset: base + start)
    index = end
    return element
  }

  /// Skips what separates values. Returns whether a value follows.
  private mutating func begin() throws -> Bool {
    while let byte = try skipSpace() {
      switch (part, byte) {
      case (.start, UInt8(ascii: "[")): part = .first
      case (.start, UInt8(ascii: "<")): throw Fault.markup
      case (.start, UInt8(ascii: "{")), (.values, UInt8(ascii: "{")):
        part = .values
        return true
      case (.first, UInt8(ascii: "]")), (.between, UInt8(ascii: "]")): part = .done
      case (.between, UInt8(ascii: ",")):
        index += 1
        guard let next = try skipSpace() else { throw Fault.truncated(at: base + index) }
        if next == UInt8(ascii: "]") || next == UInt8(ascii: ",") { throw Fault.malformed(at: base + index) }
        return true
      case (.first, let byte) where byte != UInt8(ascii: ","):
        part = .between
        return true
      default: throw Fault.malformed(at: base + index)
      }
      index += 1
    }
    switch part {
    case .start: throw Fault.empty
    case .first, .between: throw Fault.truncated(at: base + index)
    case .values, .done: return false
    }
  }

  /// The index after the value that begins at `start`.
  private mutating func end(of start: Int) throws -> Int {
    var scan = Scan(index: start)
    while true {
      let isWhole = buffer.withUnsafeBufferPointer { scan.run($0) }
      guard scan.index - start <= most else { throw Fault.tooLong(at: base + start) }
      if isWhole {
        if scan.index == start { throw Fault.malformed(at: base + start) }
        return scan.index
      }
      guard try fill() else {
        if scan.isScalar { return scan.index }
        throw Fault.truncated(at: base + start)
      }
    }
  }

  private mutating func skipSpace() throws -> UInt8? {
    if base == 0, index == 0, part == .start {
      while buffer.count < 3, try fill() {}
      if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }
    repeat {
      while index < buffer.count {
        switch buffer[index] {
        case 0x20, 0x09, 0x0A, 0x0D: index += 1
        default: return buffer[index]
        }
      }
      // Here, nothing of the buffer is needed any more.
      base += buffer.count
      index = 0
      buffer.removeAll(keepingCapacity: true)
    } while try fill()
    return nil
  }

  private mutating func fill() throws -> Bool {
    guard !isAtEnd else { return false }
    let bytes = try read()
    isAtEnd = bytes.isEmpty
    buffer += bytes
    return !bytes.isEmpty
  }
}

/// The search for a value's end, which goes on when more bytes have come.
private struct Scan {
  var index: Int
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private(set) var isScalar = false

  init(index: Int) { self.index = index }

  /// Whether the value ends within the bytes. If not, all of them were looked at.
  mutating func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    while index < bytes.count {
      let byte = bytes[index]
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
          if depth == 0 { return end() }
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return true }
          depth -= 1
          if depth == 0 { return end() }
        case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
          if depth == 0 { return true }
        default: isScalar = depth == 0
        }
      }
      index += 1
    }
    return false
  }

  private mutating func end() -> Bool {
    index += 1
    return true
  }
}
