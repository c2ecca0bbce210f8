/// The boxes of an ISO base media file (ISO/IEC 14496-12): whether they are all there, and those that tell the size of
/// an AVIF or HEIC picture (23008-12).
enum ISOMedia {
  /// The largest picture among the items: the others are its tiles, its thumbnail and its depth.
  static func size<Failure>(
    length: Int,
    read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> MediaHeader.Size? {
    var place = 0
    for _ in 0..<64 where place + 8 <= length {
      let head = try read(place, 16)
      guard let box = Box(head, at: 0), box.count > 0 else { return nil }
      if box.name == "meta" { return largest(in: try read(place, min(box.count, 1 << 20))) }
      place += box.count
    }
    return nil
  }

  /// Whether a box reaches beyond the end. One of size 0 ends with the file; bytes after the last box that are none are
  /// harmless.
  static func isCutShort<Failure>(
    length: Int,
    read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Bool {
    var place = 0
    for _ in 0..<100_000 where place + 8 <= length {
      guard let box = Box(try read(place, 16), at: 0), box.isNamed else { return false }
      place += box.count
    }
    return place > length
  }

  private struct Box {
    let name: String
    let header: Int
    let count: Int

    init?(_ bytes: [UInt8], at place: Int) {
      guard var count = bytes.bigEndian(4, at: place), place + 8 <= bytes.count else { return nil }
      name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      header = count == 1 ? 16 : 8
      if count == 1 {
        guard bytes.bigEndian(1, at: place + 8) == 0, let long = bytes.bigEndian(7, at: place + 9) else { return nil }
        count = long
      }
      guard count >= header else { return nil }
      self.count = count
    }

    /// Whether its name is one as boxes at the top have them: letters and digits.
    var isNamed: Bool { name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }
  }

  /// meta (4 bytes of version) → iprp → ipco → ispe: version, width, height.
  private static func largest(in meta: [UInt8]) -> MediaHeader.Size? {
    guard let outer = Box(meta, at: 0), outer.header + 4 <= meta.count,
      let properties = range(of: "iprp", in: meta, outer.header + 4..<meta.count),
      let container = range(of: "ipco", in: meta, properties)
    else { return nil }
    var sizes: [MediaHeader.Size] = []
    eachBox(in: meta, container) { box, place in
      guard box.name == "ispe", let width = meta.bigEndian(4, at: place + box.header + 4),
        let height = meta.bigEndian(4, at: place + box.header + 8)
      else { return }
      sizes.append(.init(width: width, height: height))
    }
    // Both sides are of 32 bits, so that their product may not fit.
    return sizes.max { Double($0.width) * Double($0.height) < Double($1.width) * Double($1.height) }
  }

  private static func range(of name: String, in bytes: [UInt8], _ within: Range<Int>) -> Range<Int>? {
    var found: Range<Int>?
    eachBox(in: bytes, within) { box, place in
      let end = min(place + box.count, within.upperBound)
      if found == nil, box.name == name, place + box.header <= end { found = place + box.header..<end }
    }
    return found
  }

  private static func eachBox(in bytes: [UInt8], _ within: Range<Int>, _ body: (Box, Int) -> Void) {
    var place = within.lowerBound
    while place + 8 <= within.upperBound, let box = Box(bytes, at: place) {
      body(box, place)
      place += box.count
    }
  }
}
