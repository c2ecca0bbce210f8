import CZstd

// Verbatim answers, one zstd frame each (RFC 8878).

/// Compresses many small pieces with one context.
final class RawCompressor {
  private let context = ZSTD_createCCtx()
  private var frame: [UInt8] = []

  init() {
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
  }

  deinit { ZSTD_freeCCtx(context) }

  /// One frame that states its content's size and has a checksum.
  func compress(_ bytes: [UInt8]) throws(StorageError) -> [UInt8] {
    let bound = ZSTD_compressBound(bytes.count)
    if frame.count < bound { frame = [UInt8](repeating: 0, count: bound) }
    let count = ZSTD_compress2(context, &frame, frame.count, bytes, bytes.count)
    guard ZSTD_isError(count) == 0 else { throw .io(path: "zstd", reason: String(cString: ZSTD_getErrorName(count))) }
    return Array(frame[..<count])
  }
}

/// Reads frames back.
enum RawBytes {
  /// The maximum decompressed size of a stored answer, in bytes.
  static let limit = 64 << 20

  /// The content of a frame; nil if the frame is incomplete or its content exceeds the limit.
  static func decompress(_ frame: [UInt8]) -> [UInt8]? {
    let size = ZSTD_getFrameContentSize(frame, frame.count)
    guard size <= limit else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: max(Int(size), 1), alignment: 1) { buffer in
      let count = ZSTD_decompress(buffer.baseAddress, Int(size), frame, frame.count)
      return count == size ? Array(buffer[..<Int(size)]) : nil
    }
  }
}
