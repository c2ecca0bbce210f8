import Glibc
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
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { exit(0) }
      rest = rest.dropFirst(count)
    }
  }
}
