import Glibc

/// The bytes of a film, of which boxes and tables are read.
struct FilmBytes {
  let descriptor: Int32
  let length: Int

  static let damaged = Refusal("the video is damaged: its boxes are not whole")
  private static let mostTable = 64 << 20

  /// A box.
  struct Box {
    /// Four letters of Latin-1.
    let name: String
    /// Where they stand.
    let nameOffset: Int
    let content: Range<Int>
    /// The name as a number.
    let number: Int
  }

  /// The boxes in a range, and where they end.
  ///
  /// - Parameter isFile: Whether the range is the file. The last box of a file may state no length, and other bytes may
  ///   follow it.
  func boxes(in range: Range<Int>, isFile: Bool) throws(Refusal) -> (boxes: [Box], end: Int) {
    var (boxes, offset): ([Box], Int) = ([], range.lowerBound)
    while offset + 8 <= range.upperBound {
      let head = try read(offset, min(16, range.upperBound - offset))
      var (count, header) = (Self.number(head, 4, at: 0), 8)
      if count == 1, head.count == 16 { (count, header) = (Self.number(head, 8, at: 8), 16) }
      // A list of QuickTime ends with a zero.
      if count == 0, !isFile { break }
      if count == 0 { count = range.upperBound - offset }
      guard count >= header, count <= range.upperBound - offset else {
        if isFile, !boxes.isEmpty { break }
        throw Self.damaged
      }
      boxes.append(
        Box(
          name: Self.name(head[4..<8]), nameOffset: offset + 4, content: offset + header..<offset + count,
          number: Self.number(head, 4, at: 4)))
      offset += count
    }
    return (boxes, offset)
  }

  /// The first box at a path of names.
  func find(_ names: [String], in range: Range<Int>) throws(Refusal) -> Box? {
    var (range, found): (Range<Int>, Box?) = (range, nil)
    for name in names {
      found = try boxes(in: range, isFile: false).boxes.first { $0.name == name }
      guard let found else { return nil }
      range = found.content
    }
    return found
  }

  /// What the handler box at a path of names says of the kind of what is around it (ISO/IEC 14496-12, 8.4.3).
  func handler(_ names: [String], in range: Range<Int>) throws(Refusal) -> String? {
    guard let box = try find(names, in: range) else { return nil }
    return try name(at: box.content.lowerBound + 8)
  }

  /// The four letters at an offset.
  func name(at offset: Int) throws(Refusal) -> String { Self.name(try read(offset, 4)[...]) }

  /// Whether all bytes of a range are zero.
  func isZero(_ range: Range<Int>) throws(Refusal) -> Bool {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 64 << 10) {
      guard try read(start, min(64 << 10, range.upperBound - start)).allSatisfy({ $0 == 0 }) else { return false }
    }
    return true
  }

  /// The names of QuickTime's metadata.
  func keys(in range: Range<Int>) throws(Refusal) -> [String] {
    guard let box = try find(["keys"], in: range) else { return [] }
    let table = try table(box)
    var (keys, offset): ([String], Int) = ([], 8)
    while offset + 8 <= table.count {
      let count = Self.number(table, 4, at: offset)
      guard count >= 8, count <= table.count - offset else { break }
      keys.append(String(decoding: table[offset + 8..<offset + count], as: UTF8.self))
      offset += count
    }
    return keys
  }

  /// Where the samples of a track are, as chunks of them (ISO/IEC 14496-12, 8.7).
  func samples(ofTrack track: Range<Int>) throws(Refusal) -> [Range<Int>] {
    guard let list = try find(["mdia", "minf", "stbl"], in: track) else { throw Self.damaged }
    let boxes = try boxes(in: list.content, isFile: false).boxes
    func table(_ name: String) throws(Refusal) -> [UInt8]? { try boxes.first { $0.name == name }.map(self.table) }
    guard let sizes = try table("stsz"), let runs = try table("stsc") else { throw Self.damaged }
    let offsets: [Int]
    if let table = try table("stco") {
      offsets = Self.numbers(table, 4)
    } else if let table = try table("co64") {
      offsets = Self.numbers(table, 8)
    } else {
      throw Self.damaged
    }
    let size = sizes.count >= 12 ? Self.number(sizes, 4, at: 4) : 0
    let entries = stride(from: 8, to: runs.count - 11, by: 12).map { at in
      (first: Self.number(runs, 4, at: at), samples: Self.number(runs, 4, at: at + 4))
    }
    var (ranges, sample, run): ([Range<Int>], Int, Int) = ([], 0, 0)
    for (chunk, start) in offsets.enumerated() {
      while run + 1 < entries.count, entries[run + 1].first <= chunk + 1 { run += 1 }
      let count = run < entries.count ? entries[run].samples : 0
      var bytes = size * count
      if size == 0 {
        guard count <= sizes.count, 12 + 4 * (sample + count) <= sizes.count else { throw Self.damaged }
        bytes = (sample..<sample + count).reduce(0) { $0 + Self.number(sizes, 4, at: 12 + 4 * $1) }
      }
      sample += count
      guard start >= 0, start <= length, bytes <= length - start else { throw Self.damaged }
      if bytes > 0 { ranges.append(start..<start + bytes) }
    }
    return ranges
  }

  private func table(_ box: Box) throws(Refusal) -> [UInt8] {
    guard box.content.count <= Self.mostTable else { throw Refusal("its tables are too large") }
    return try read(box.content.lowerBound, box.content.count)
  }

  private func read(_ offset: Int, _ count: Int) throws(Refusal) -> [UInt8] {
    guard offset >= 0, count <= length - offset else { throw Self.damaged }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = max(0, pread(descriptor, buffer.baseAddress, count, offset))
    }
    guard bytes.count == count else { throw Refusal("the file cannot be read") }
    return bytes
  }

  private static func numbers(_ table: [UInt8], _ width: Int) -> [Int] {
    stride(from: 8, to: table.count - width + 1, by: width).map { number(table, width, at: $0) }
  }

  /// A big-endian number; one that is too large is the largest.
  private static func number(_ bytes: [UInt8], _ width: Int, at offset: Int) -> Int {
    let value = bytes[offset..<offset + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(clamping: value)
  }

  private static func name(_ bytes: ArraySlice<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
