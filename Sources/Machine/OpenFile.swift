import CGNU
import Glibc
import Synchronization

/// A pipe. No child inherits its ends unless it is given them.
package struct PipeEnds {
  /// The end to read, and the end to write.
  package let reading: OpenFile, writing: OpenFile

  package init() throws(Spawning.NotStarted) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw Spawning.NotStarted(code: errno) }
    (reading, writing) = (OpenFile(ends[0]), OpenFile(ends[1]))
  }
}

/// An open file, closed with its last reference.
package final class OpenFile: Sendable {
  /// Reading or writing failed; the code is one of `errno`.
  package struct Failure: Error { package let code: Int32 }

  private let number: Mutex<Int32>

  /// The file's descriptor; -1 once it is closed.
  package var descriptor: Int32 { number.withLock(\.self) }

  /// Takes ownership of a descriptor.
  package init(_ descriptor: Int32) { number = Mutex(descriptor) }

  /// Opens a file. Nil if the system does not.
  ///
  /// - Parameter flags: The flags of open(2). Children never inherit the file.
  package convenience init?(_ path: String, _ flags: Int32) {
    let file = open(path, flags | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    self.init(file)
  }

  deinit { close() }

  /// Closes it now.
  package func close() {
    number.withLock { number in
      if number >= 0 { Glibc.close(number) }
      number = -1
    }
  }

  /// Reads the next bytes, at most this many. Returns none at the end of the file.
  package func read(upTo most: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: most)
    let count = retried { Glibc.read(descriptor, &bytes, most) }
    guard count >= 0 else { throw Failure(code: errno) }
    return Array(bytes.prefix(count))
  }

  /// Reads the rest. If there are more than `most` bytes, returns one more than that.
  package func readToEnd(most: Int = .max - 1) throws(Failure) -> [UInt8] {
    var all: [UInt8] = []
    while all.count <= most {
      let part = try read(upTo: min(most - all.count + 1, 64 << 10))
      if part.isEmpty { break }
      all += part
    }
    return all
  }

  /// Writes all bytes.
  package func write(_ bytes: some Collection<UInt8>) throws(Failure) {
    if let code = writeAll(Array(bytes), to: descriptor) { throw Failure(code: code) }
  }
}
