import Glibc

/// Repeats a call that a signal interrupted. After a failure `errno` is that of the last one.
package func retried<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// Writes all bytes to a file, however many calls that takes.
///
/// - Parameters:
///   - bytes: The bytes.
///   - file: Its descriptor, which blocks.
/// - Returns: The system's code of a failure, after which a part may be written; nil if all is written.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32? {
  var rest = bytes
  while !rest.isEmpty {
    let count = retried { write(file, rest.baseAddress, rest.count) }
    // POSIX lets a write of some bytes write none.
    guard count > 0 else { return count < 0 ? errno : ENOSPC }
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
  }
  return nil
}

/// Writes all bytes to a file, as the function for a buffer does.
package func writeAll(_ bytes: [UInt8], to file: Int32) -> Int32? {
  bytes.withUnsafeBytes { writeAll($0, to: file) }
}
