import Blobs

/// A derivative: a WebP picture.
///
/// It is its bytes and no path, because another process may evict the file of the cache at any time.
public struct DerivativeFile: Sendable, Hashable {
  /// The bytes.
  public let bytes: [UInt8]
  /// The number of bytes.
  public var byteCount: Int { bytes.count }

  /// Nil if the bytes are no whole WebP picture, or a larger one.
  init?(_ bytes: [UInt8], size: Derivatives.Size) {
    guard Self.isWhole(bytes), let picture = MediaHeader(of: bytes).size,
      max(picture.width, picture.height) <= size.rawValue
    else { return nil }
    self.bytes = bytes
  }

  /// Whether the bytes are a RIFF container of the form WEBP with the length that it states (RFC 9649, 2.4). A file that a
  /// crash cut short or filled with zeros is not.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 20, bytes[0..<4].elementsEqual("RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8) else {
      return false
    }
    let length = (4..<8).reduce(0) { $0 | Int(bytes[$1]) << (8 * ($1 - 4)) }
    return length + 8 == bytes.count
  }
}
