/// Text in UTF-16, as some programs on Windows write it, made UTF-8 piece by piece. Other bytes stay as they are.
///
/// A byte order mark tells it, or a first character of ASCII that takes two bytes (XML 1.0, F.1).
struct WideText {
  private enum Order { case little, big, none }

  private let read: () throws -> [UInt8]
  private var order: Order?
  /// The half of a character that the last piece ended with.
  private var rest: [UInt8] = []

  /// - Parameter read: Returns the next bytes; none at the end.
  init(_ read: @escaping () throws -> [UInt8]) { self.read = read }

  /// - Parameters:
  ///   - file: A file.
  ///   - start: The bytes of it that were read already.
  ///   - size: The most bytes that are read at once.
  init(_ file: any ImportFile, after start: [UInt8] = [], pieces size: Int) {
    var start: [UInt8]? = start.isEmpty ? nil : start
    self.init {
      defer { start = nil }
      return try start ?? file.read(upTo: size)
    }
  }

  /// The whole text as UTF-8.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    let order = order(of: bytes)
    return withoutMark(order == .none ? bytes : text(bytes, order, isEnd: true).bytes)
  }

  private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: "\u{FEFF}".utf8) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// The next bytes as UTF-8; none at the end.
  mutating func next() throws -> [UInt8] {
    while true {
      let piece = try read()
      let bytes = rest + piece
      guard !bytes.isEmpty else { return [] }
      if order == nil {
        if bytes.count < 2, !piece.isEmpty {
          rest = bytes
          continue
        }
        order = Self.order(of: bytes)
      }
      guard let order, order != .none else {
        rest = []
        return bytes
      }
      // What ends within a character is read with the next piece, or is what is left of it.
      let found = Self.text(bytes, order, isEnd: piece.isEmpty)
      rest = found.rest
      if !found.bytes.isEmpty || piece.isEmpty { return found.bytes }
    }
  }

  private static func order(of bytes: [UInt8]) -> Order {
    guard bytes.count >= 2 else { return .none }
    switch (bytes[0], bytes[1]) {
    case (0xFF, 0xFE): return .little
    case (0xFE, 0xFF): return .big
    case (0x09..<0x80, 0): return .little
    case (0, 0x09..<0x80): return .big
    default: return .none
    }
  }

  private static func text(_ bytes: [UInt8], _ order: Order, isEnd: Bool) -> (bytes: [UInt8], rest: [UInt8]) {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(order == .little ? second << 8 | first : first << 8 | second)
      index += 2
    }
    // Half of a pair of surrogates.
    if !isEnd, let last = units.last, last & 0xFC00 == 0xD800 {
      units.removeLast()
      index -= 2
    }
    return (Array(String(decoding: units, as: UTF16.self).utf8), isEnd ? [] : Array(bytes[index...]))
  }
}
