import Glibc
import Machine
import Pictures

/// Standard output.
enum Output {
  /// Writes a value as a line.
  static func send(line value: some Encodable) {
    guard let line = try? PictureProtocol.line(value) else { exit(70) }
    send(line)
  }

  /// Writes all bytes. Exits if the reader has gone.
  static func send(_ bytes: [UInt8]) {
    if writeAll(bytes, to: STDOUT_FILENO) != nil { exit(0) }
  }
}
