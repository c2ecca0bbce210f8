import CArchive
import FoundationEssentials
import Glibc
import Machine

/// Writes files into a tar archive, by libarchive. Its headers are those of POSIX.1-1988, with an extension (pax) only where a
/// name or a length needs it.
final class TarWriter {
  /// Receives the archive's bytes. libarchive calls a C function that gets it as an address.
  private final class Output {
    let write: (UnsafeRawBufferPointer) throws -> Void
    var failure: (any Error)?

    init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.write = write }
  }

  private let library: ArchiveShim
  private let archive: OpaquePointer
  private let output: Output
  private let name: String

  /// Begins an archive.
  ///
  /// - Parameters:
  ///   - name: What people call it.
  ///   - write: Receives its bytes.
  /// - Throws: `ImportError.unreadable` if libarchive is missing.
  init(_ name: String, to write: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let library = OpenArchive.shared?.pointee, let archive = library.write_new() else {
      throw ArchiveWritingError(path: name, reason: SystemLibrary.missing("libarchive.so.13"))
    }
    (self.library, self.archive, self.name, output) = (library, archive, name, Output(write))
    _ = library.write_set_format_pax_restricted(archive)
    let code = library.write_open(
      archive, Unmanaged.passUnretained(output).toOpaque(), nil,
      { archive, output, bytes, count in
        guard let output, let bytes else { return -1 }
        let target = Unmanaged<Output>.fromOpaque(output).takeUnretainedValue()
        do { try target.write(UnsafeRawBufferPointer(start: bytes, count: count)) } catch {
          target.failure = error
          return -1
        }
        return count
      }, nil)
    try expect(Int(code))
  }

  deinit { _ = library.write_free(archive) }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - path: Its path in the archive, in ASCII.
  ///   - byteCount: How many bytes it has.
  ///   - time: When it was last changed.
  ///   - fill: Gives its bytes, piece by piece. What is missing at the end is filled with zeros.
  func add(
    _ path: String, byteCount: Int, time: Date, _ fill: (_ put: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    guard let entry = library.entry_new() else { throw ArchiveWritingError(path: name, reason: "memory is full") }
    defer { library.entry_free(entry) }
    library.entry_set_pathname(entry, path)
    library.entry_set_size(entry, Int64(byteCount))
    library.entry_set_filetype(entry, UInt32(archive_shim_file))
    library.entry_set_perm(entry, 0o600)
    library.entry_set_mtime(entry, Int(time.timeIntervalSince1970.rounded(.down)), 0)
    try expect(Int(library.write_header(archive, entry)))
    try fill { bytes in try expect(bytes.withUnsafeBytes { library.write_data(archive, $0.baseAddress, $0.count) }) }
  }

  /// Ends the archive.
  func finish() throws { try expect(Int(library.write_close(archive))) }

  private func expect(_ code: Int) throws {
    guard code < 0, code != Int(archive_shim_warn) else { return }
    if let failure = output.failure { throw failure }
    let reason = library.error_string(archive).map { String(cString: $0) } ?? "libarchive refuses it"
    throw ArchiveWritingError(path: name, reason: reason)
  }
}
