/// The first directory of a TIFF (TIFF 6.0, section 2): what it says of its picture.
struct TIFF {
  /// The whole numbers of the entries that are looked for, by tag. Other entries are missing.
  private var values: [Int: Int] = [:]

  private static let (newSubfileType, imageWidth, imageLength, orientation) = (254, 256, 257, 274)
  /// The entries that are looked at. They are sorted by tag, and those that count come first.
  private static let mostEntries = 300

  /// Reads the first directory of the TIFF in a range of a file. It is empty if there is none.
  static func directory<Failure>(
    in range: Range<Int>, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> TIFF {
    func bytes(_ offset: Int, _ count: Int) throws(Failure) -> [UInt8] {
      guard offset >= 0, offset < range.count else { return [] }
      return try read(range.lowerBound + offset, min(count, range.count - offset))
    }
    var directory = TIFF()
    let head = try bytes(0, 8)
    let isLittle = head.has("II*\0", at: 0)
    guard isLittle || head.has("MM\0*", at: 0) else { return directory }
    func number(_ width: Int, in bytes: [UInt8], at offset: Int) -> Int? {
      isLittle ? bytes.littleEndian(width, at: offset) : bytes.bigEndian(width, at: offset)
    }
    guard let start = number(4, in: head, at: 4), let count = number(2, in: try bytes(start, 2), at: 0) else {
      return directory
    }
    let entries = try bytes(start + 2, 12 * min(count, mostEntries))
    for entry in stride(from: 0, to: entries.count, by: 12) {
      guard let tag = number(2, in: entries, at: entry), let type = number(2, in: entries, at: entry + 2),
        let width = [3: 2, 4: 4][type]
      else { continue }
      if directory.values[tag] == nil { directory.values[tag] = number(width, in: entries, at: entry + 8) }
    }
    return directory
  }

  /// How the picture is to be turned, by Exif's number, from 1 to 8; nil if it does not say.
  var orientation: Int? { values[Self.orientation].flatMap { (1...8).contains($0) ? $0 : nil } }

  /// The picture's size as it is shown; nil if it does not say, or if the first picture is a small one of another, as in raw
  /// files of cameras.
  var size: MediaHeader.Size? {
    guard values[Self.newSubfileType, default: 0] & 1 == 0, let width = values[Self.imageWidth], width > 0,
      let height = values[Self.imageLength], height > 0
    else { return nil }
    return MediaHeader.Size(width: width, height: height).turned(by: orientation)
  }
}
