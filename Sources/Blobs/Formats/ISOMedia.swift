/// The boxes of an ISO base media file (ISO/IEC 14496-12): whether all are complete, and those with the size of an AVIF
/// or HEIC picture (23008-12), as it is shown.
enum ISOMedia {
  /// The size of the largest picture among the items. The others are its tiles, its thumbnail and its depth map.
  static func size<Failure>(
    length: Int,
    read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> MediaHeader.Size? {
    var offset = 0
    for _ in 0..<64 where offset + 8 <= length {
      let head = try read(offset, 16)
      guard let box = Box(head, at: 0), box.count > 0 else { return nil }
      if box.name == "meta" { return largest(in: try read(offset, min(box.count, 1 << 20))) }
      offset += box.count
    }
    return nil
  }

  /// Whether a box extends beyond the end of the file. A box of size 0 ends with the file. Bytes after the last box are
  /// harmless.
  static func isCutShort<Failure>(
    length: Int,
    read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Bool {
    var offset = 0
    for _ in 0..<100_000 where offset + 8 <= length {
      guard let box = Box(try read(offset, 16), at: 0), box.isNamed else { return false }
      offset += box.count
    }
    return offset > length
  }

  private struct Box {
    let name: String
    let header: Int
    let count: Int

    init?(_ bytes: [UInt8], at offset: Int) {
      guard var count = bytes.bigEndian(4, at: offset), offset + 8 <= bytes.count else { return nil }
      name = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
      header = count == 1 ? 16 : 8
      if count == 1 {
        guard bytes.bigEndian(1, at: offset + 8) == 0, let long = bytes.bigEndian(7, at: offset + 9) else { return nil }
        count = long
      }
      guard count >= header else { return nil }
      self.count = count
    }

    /// Whether its name has the form of a top-level box's: letters and digits, and spaces behind them.
    var isNamed: Bool {
      !name.hasPrefix(" ") && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " ") }
    }
  }

  /// meta (4 bytes of version) → iprp → ipco → ispe: version, width, height; irot: quarters of a turn. The pictures of a file
  /// are turned alike; if they are not, nothing is turned.
  private static func largest(in meta: [UInt8]) -> MediaHeader.Size? {
    guard let outer = Box(meta, at: 0), outer.header + 4 <= meta.count,
      let properties = range(of: "iprp", in: meta, outer.header + 4..<meta.count),
      let container = range(of: "ipco", in: meta, properties)
    else { return nil }
    var sizes: [MediaHeader.Size] = []
    var turns: Set<Bool> = []
    eachBox(in: meta, container) { box, offset in
      if box.name == "irot", let quarters = meta.bigEndian(1, at: offset + box.header) {
        turns.insert(quarters % 2 == 1)
      }
      guard box.name == "ispe", let width = meta.bigEndian(4, at: offset + box.header + 4),
        let height = meta.bigEndian(4, at: offset + box.header + 8)
      else { return }
      sizes.append(.init(width: width, height: height))
    }
    // Each side has 32 bits, so their product may overflow.
    let largest = sizes.max { Double($0.width) * Double($0.height) < Double($1.width) * Double($1.height) }
    return turns == [true] ? largest?.turned(by: 6) : largest
  }

  private static func range(of name: String, in bytes: [UInt8], _ within: Range<Int>) -> Range<Int>? {
    var found: Range<Int>?
    eachBox(in: bytes, within) { box, offset in
      let end = min(offset + box.count, within.upperBound)
      if found == nil, box.name == name, offset + box.header <= end { found = offset + box.header..<end }
    }
    return found
  }

  private static func eachBox(in bytes: [UInt8], _ within: Range<Int>, _ body: (Box, Int) -> Void) {
    var offset = within.lowerBound
    while offset + 8 <= within.upperBound, let box = Box(bytes, at: offset) {
      body(box, offset)
      offset += box.count
    }
  }
}
