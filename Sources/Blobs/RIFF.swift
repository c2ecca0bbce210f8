/// The container of WebP and WAV (RFC 9649, 2.3): an identifier, a length, a form type.
enum RIFF {
  /// Whether the length extends beyond the end of the file. Recorders that cannot go back to write the length leave it
  /// at its maximum.
  static func isCutShort(_ head: [UInt8], length: Int) -> Bool {
    guard let count = head.littleEndian(4, at: 4) else { return true }
    return count != 0xFFFF_FFFF && length < count + 8
  }
}
