import Blobs
import CZlib

/// The CRC-32 and the name of bytes that come piece by piece.
struct Checksum {
  private let zlib: UnsafePointer<ZlibShim>
  private let hash: BlobHash
  /// The CRC-32 so far.
  private(set) var crc: UInt32 = 0
  /// How many bytes came.
  private(set) var byteCount: UInt64 = 0

  /// zlib, loaded at first use; nil if it is missing. The table is written once, before
  /// anybody has it, and never freed: threads only read it.
  private nonisolated(unsafe) static let library: UnsafePointer<ZlibShim>? = zlib_shim_open()

  /// - Throws: `ZipError.noChecksums` without zlib or SHA-256.
  init() throws(ZipError) {
    guard let zlib = Self.library, let hash = BlobHash() else { throw .noChecksums }
    (self.zlib, self.hash) = (zlib, hash)
  }

  mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { pointer in
      hash.add(pointer)
      crc = zlib_shim_crc(zlib, crc, pointer.baseAddress, UInt32(pointer.count))
    }
    byteCount += UInt64(bytes.count)
  }

  /// The name of all bytes. Nothing can be added any more.
  func name() -> BlobID { hash.end() }
}
