import Glibc
import Machine

/// A new file in a folder of the program that asked for it.
enum NewFile {
  /// Writes a file that nobody else can read. It goes if writing or checking it fails.
  static func write(
    to path: String, _ body: (Int32) throws(Refusal) -> Void, check: () throws(Refusal) -> Void
  ) throws(Refusal) {
    // O_EXCL refuses a link put in its place.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw fault(errno) }
    defer { close(descriptor) }
    do throws(Refusal) {
      try body(descriptor)
      try check()
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Writes bytes behind the others.
  static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Refusal) {
    if let code = writeAll(bytes, to: descriptor) { throw fault(code) }
  }

  /// Writes bytes behind the others.
  static func append(_ bytes: [UInt8], to descriptor: Int32) throws(Refusal) {
    if let code = writeAll(bytes, to: descriptor) { throw fault(code) }
  }

  /// Copies the first bytes of another file.
  static func copy(_ source: Int32, to descriptor: Int32, count: Int) throws(Refusal) {
    var offset = 0
    while offset < count {
      let done = retried { sendfile(descriptor, source, &offset, min(count - offset, 1 << 30)) }
      guard done > 0 else { throw done < 0 ? fault(errno) : Refusal("the file cannot be read") }
    }
  }

  /// Replaces bytes.
  static func put(_ bytes: [UInt8], at offset: Int, in descriptor: Int32) throws(Refusal) {
    guard pwrite(descriptor, bytes, bytes.count, offset) == bytes.count else { throw fault(errno) }
  }

  private static func fault(_ code: Int32) -> Refusal {
    Refusal(ofMachine: "the copy cannot be written: \(String(cString: strerror(code)))")
  }
}
