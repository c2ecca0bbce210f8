/// Splits what a program prints into lines, in bounded memory.
struct LineReader {
  /// The maximum number of bytes kept of a line. The rest of it is dropped.
  static let longest = 4 << 10

  private var line: [UInt8] = []

  /// Appends bytes.
  ///
  /// - Parameter onLine: Receives each line that the bytes complete, without its end.
  mutating func append(_ bytes: some Sequence<UInt8>, onLine: (String) -> Void) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        finish(onLine)
      } else if line.count < Self.longest {
        line.append(byte)
      }
    }
  }

  /// Ends the last line, which may have no end of its own.
  mutating func finish(_ onLine: (String) -> Void) {
    if !line.isEmpty { onLine(String(decoding: line, as: UTF8.self)) }
    line.removeAll(keepingCapacity: true)
  }
}
