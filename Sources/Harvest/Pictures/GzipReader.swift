import CZlib

/// Takes one layer of gzip off bytes as they come.
///
/// The transport calls it from one thread, under the lock of its sink.
final class GzipReader: @unchecked Sendable {
  /// Why the bytes cannot be read.
  enum Fault: Error, CustomStringConvertible {
    case damaged, tooLong, twice

    var description: String {
      switch self {
      case .damaged: "it is compressed, and cannot be read"
      case .tooLong: "it is longer than \(GzipReader.longest) bytes without its compression"
      case .twice: "it is compressed twice"
      }
    }
  }

  /// The most bytes that come of it: pictures hardly shrink, and a few bytes must not fill a disk.
  static let longest = 64 << 20
  /// How gzip begins (RFC 1952, 2.3.1).
  static let mark: [UInt8] = [0x1F, 0x8B]

  /// zlib, loaded at first use; nil if it is missing. The table is written once and never freed.
  private nonisolated(unsafe) static let library: UnsafePointer<ZlibShim>? = zlib_shim_open()

  private let zlib: UnsafePointer<ZlibShim>
  private let stream: UnsafeMutablePointer<z_stream>
  private var count = 0
  /// Whether the end was read. What follows it is ignored.
  private(set) var isAtEnd = false

  /// Nil without zlib.
  init?() {
    guard let zlib = Self.library, let stream = zlib_shim_stream(zlib) else { return nil }
    (self.zlib, self.stream) = (zlib, stream)
  }

  deinit { zlib_shim_free(zlib, stream) }

  /// Reads the next bytes, and passes on what comes of them.
  func read(_ bytes: UnsafeRawBufferPointer, _ pass: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard !isAtEnd, let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
    stream.pointee.avail_in = UInt32(bytes.count)
    try withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { room in
      repeat {
        stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(room.count)
        let code = zlib_shim_inflate(zlib, stream)
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { throw Fault.damaged }
        isAtEnd = code == Z_STREAM_END
        let part = UnsafeRawBufferPointer(rebasing: room[..<(room.count - Int(stream.pointee.avail_out))])
        if count == 0, part.starts(with: Self.mark) { throw Fault.twice }
        count += part.count
        guard count <= Self.longest else { throw Fault.tooLong }
        if !part.isEmpty { try pass(part) }
      } while !isAtEnd && stream.pointee.avail_out == 0
    }
  }
}
