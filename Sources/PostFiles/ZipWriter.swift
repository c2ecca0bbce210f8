import FoundationEssentials
import Machine

/// The frame of a zip archive (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 6.3.10): what stands before,
/// between and after the bytes of its files, which are stored as they are.
///
/// Lengths and checksums are known before the bytes and stand before them, so that a reader need not go back. Fields of 64
/// bits stand where 32 are too few. Names are UTF-8. It keeps the directory in memory, about 70 bytes and the name a file.
struct ZipWriter {
  /// A file of the archive.
  struct Entry {
    /// Its path, with slashes.
    let path: String
    let byteCount: UInt64
    /// The CRC-32 of its bytes.
    let checksum: UInt32
    /// When it was last changed.
    let time: Date
  }

  private var directory: [UInt8] = []
  private var count: UInt64 = 0
  /// How many bytes stand before what comes next.
  private(set) var offset: UInt64 = 0

  /// What stands before the bytes of a file. These follow.
  mutating func header(of entry: Entry) -> [UInt8] {
    let isLong = entry.byteCount >= Self.long
    let facts = Self.facts(of: entry, isLong: isLong || offset >= Self.long)
    let sizes = isLong ? Self.field(0x0001, [entry.byteCount, entry.byteCount]) : []
    let time = Self.timeField(entry.time)
    var header: [UInt8] = []
    header.add(0x0403_4B50 as UInt32)
    header += facts
    header.add(UInt16(truncatingIfNeeded: entry.path.utf8.count))
    header.add(UInt16(truncatingIfNeeded: sizes.count + time.count))
    header += Array(entry.path.utf8) + sizes + time
    addToDirectory(entry, facts, time)
    offset += UInt64(header.count) + entry.byteCount
    return header
  }

  private mutating func addToDirectory(_ entry: Entry, _ facts: [UInt8], _ time: [UInt8]) {
    // Only what 32 bits cannot hold stands in the field of 64 bits (4.5.3).
    let sizes = entry.byteCount >= Self.long ? [entry.byteCount, entry.byteCount] : []
    let long = sizes + (offset >= Self.long ? [offset] : [])
    let extra = (long.isEmpty ? [] : Self.field(0x0001, long)) + time
    directory.add(0x0201_4B50 as UInt32)
    directory.add(Self.madeOnUnix)
    directory += facts
    directory.add(UInt16(truncatingIfNeeded: entry.path.utf8.count))
    directory.add(UInt16(truncatingIfNeeded: extra.count))
    // No comment, the first disk, no text.
    directory += [UInt8](repeating: 0, count: 6)
    directory.add(UInt32(0o100644) << 16)
    directory.add(UInt32(min(offset, Self.long)))
    directory += Array(entry.path.utf8) + extra
    count += 1
  }

  /// What stands after all files: the directory, and where it is.
  mutating func end() -> [UInt8] {
    var end = directory
    let (start, length) = (offset, UInt64(directory.count))
    if count >= 0xFFFF || start >= Self.long || length >= Self.long {
      end.add(0x0606_4B50 as UInt32)
      end.add(44 as UInt64)
      end.add(Self.madeOnUnix)
      end.add(Self.needs64)
      end.add(0 as UInt64)
      for number in [count, count, length, start] { end.add(number) }
      end.add(0x0706_4B50 as UInt32)
      end.add(0 as UInt32)
      end.add(start + length)
      end.add(1 as UInt32)
    }
    end.add(0x0605_4B50 as UInt32)
    end.add(0 as UInt32)
    for _ in 0..<2 { end.add(UInt16(min(count, 0xFFFF))) }
    for number in [length, start] { end.add(UInt32(min(number, Self.long))) }
    end.add(0 as UInt16)
    (directory, offset) = ([], offset + UInt64(end.count))
    return end
  }

  /// The number that says in 32 bits: look in the field of 64.
  private static let long: UInt64 = 0xFFFF_FFFF
  private static let needs64: UInt16 = 45
  /// Version 4.5, so that permissions are those of Unix.
  private static let madeOnUnix: UInt16 = 3 << 8 | needs64

  /// What header and directory have in common.
  private static func facts(of entry: Entry, isLong: Bool) -> [UInt8] {
    var facts: [UInt8] = []
    facts.add(isLong ? needs64 : 20)
    // The name is UTF-8; the bytes are stored.
    facts.add(1 << 11 as UInt16)
    facts.add(0 as UInt16)
    let (day, clock) = dosTime(entry.time)
    facts.add(clock)
    facts.add(day)
    facts.add(entry.checksum)
    for _ in 0..<2 { facts.add(UInt32(min(entry.byteCount, long))) }
    return facts
  }

  private static func field(_ id: UInt16, _ numbers: [UInt64]) -> [UInt8] {
    var field: [UInt8] = []
    field.add(id)
    field.add(UInt16(numbers.count * 8))
    for number in numbers { field.add(number) }
    return field
  }

  /// The exact second (https://libzip.org/specifications/extrafld.txt, 0x5455); nothing where 32 bits cannot hold it.
  private static func timeField(_ time: Date) -> [UInt8] {
    guard let seconds = Int32(exactly: time.timeIntervalSince1970.rounded(.down)) else { return [] }
    var field: [UInt8] = []
    field.add(0x5455 as UInt16)
    field.add(5 as UInt16)
    field.append(1)
    field.add(UInt32(bitPattern: seconds))
    return field
  }

  /// Two seconds exactly, in UTC, so that an archive is the same on every machine: from 1980 to 2107.
  private static func dosTime(_ time: Date) -> (day: UInt16, clock: UInt16) {
    let digits = UTC.text(time).split { !$0.isNumber }.compactMap { UInt16($0) }
    guard digits.count >= 6, digits[0] >= 1980 else { return (1 << 5 | 1, 0) }
    guard digits[0] <= 2107 else { return (127 << 9 | 12 << 5 | 31, 23 << 11 | 59 << 5 | 29) }
    return ((digits[0] - 1980) << 9 | digits[1] << 5 | digits[2], digits[3] << 11 | digits[4] << 5 | digits[5] / 2)
  }
}

extension [UInt8] {
  /// Adds a number, its lowest byte first.
  fileprivate mutating func add(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
