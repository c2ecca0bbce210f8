/// The frame around WebP and WAV (RFC 9649, 2.3): a name, a length, what it is of.
enum RIFF {
  /// Whether the length reaches beyond the end. Recorders that could not go back to write it leave it at its highest.
  static func isCutShort(_ head: [UInt8], length: Int) -> Bool {
    guard let count = head.littleEndian(4, at: 4) else { return true }
    return count != 0xFFFF_FFFF && length < count + 8
  }
}
