/// The blocks of a GIF (GIF89a, appendix A).
enum GIF {
  /// Whether the trailer is there. Bytes after it are harmless.
  static func ends<Failure>(length: Int, read: (Int, Int) throws(Failure) -> [UInt8]) throws(Failure) -> Bool {
    if try read(max(0, length - 512), 512).last(where: { $0 != 0 }) == 0x3B { return true }
    return try frames(read: read).ends
  }

  /// The number of pictures, their times in hundredths of a second, and whether the trailer follows them. As browsers do, a
  /// time below two hundredths is read as ten.
  static func frames<Failure>(
    read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> (count: Int, time: Int, ends: Bool) {
    var (frames, time) = (0, 0)
    var (start, piece): (Int, [UInt8]) = (0, [])
    func byte(_ offset: Int) throws(Failure) -> UInt8? {
      if !piece.indices.contains(offset - start) { (start, piece) = (offset, try read(offset, 64 << 10)) }
      return piece.isEmpty ? nil : piece[offset - start]
    }
    guard let screen = try byte(10) else { return (0, 0, false) }
    var offset = 13 + colours(screen)
    while let block = try byte(offset) {
      switch block {
      case 0x3B: return (frames, time, true)
      case 0x21:
        if try byte(offset + 1) == 0xF9, let low = try byte(offset + 4), let high = try byte(offset + 5) {
          let delay = Int(high) << 8 | Int(low)
          time += delay < 2 ? 10 : delay
        }
        offset += 2
      case 0x2C:
        guard let picture = try byte(offset + 9) else { return (frames, time, false) }
        offset += 11 + colours(picture)
        frames += 1
      default: return (frames, time, false)
      }
      while let count = try byte(offset) {
        offset += 1 + Int(count)
        if count == 0 { break }
      }
    }
    return (frames, time, false)
  }

  /// The length of the table of colours that follows, by the flags before it.
  private static func colours(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << Int(flags & 7 + 1) }
}
