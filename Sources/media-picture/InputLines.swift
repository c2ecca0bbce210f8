import Glibc
import Machine
import Pictures

/// The lines of standard input, without their ends.
final class InputLines {
  private var rest: [UInt8] = []

  /// The next line; nil at the end. A line that is too long ends the program: it does not come from `media`.
  func next() -> [UInt8]? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(rest[..<end])
        rest.removeSubrange(...end)
        return line
      }
      guard rest.count <= PictureProtocol.longestLine else { exit(64) }
      guard let more = Self.read() else { return nil }
      rest += more
    }
  }

  private static func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = retried { Glibc.read(STDIN_FILENO, &buffer, buffer.count) }
    return count > 0 ? Array(buffer[..<count]) : nil
  }
}
