/// Shortens an item that is longer than is kept: it loses what is too large, not its words.
enum LongItem {
  /// The parts of an item that a run of text may be, tried in turn. A caption may occur twice.
  private static let parts = [8, 32, 128, 2048]

  /// The item without its last inline pictures, and else with its long texts cut.
  ///
  /// - Parameters:
  ///   - item: The item as received.
  ///   - most: The most bytes.
  ///   - isBreak: Whether the byte at an index ends a run of text: a tag's bracket in XML, a quote in JSON.
  /// - Returns: The item; nil if it has too many texts.
  static func shortened(
    _ item: [UInt8], to most: Int = Bounds.item, at isBreak: ([UInt8], Int) -> Bool
  ) -> [UInt8]? {
    let item = InlinePicture.cut(item, to: most)
    if item.count <= most { return item }
    for part in parts {
      let short = cut(item, most / part, isBreak)
      if short.count <= most { return short }
    }
    return nil
  }

  /// Cuts each run of text, at a space if one is near, so that no reference and no character is cut.
  private static func cut(_ item: [UInt8], _ most: Int, _ isBreak: ([UInt8], Int) -> Bool) -> [UInt8] {
    var kept: [UInt8] = []
    var start = 0
    while start < item.count {
      let end = (start..<item.count).first { isBreak(item, $0) } ?? item.count
      let run = item[start..<end]
      kept += run.count > most ? beginning(of: run.prefix(most)) : run
      // The end of a CDATA section stays.
      if run.count > most, run.suffix(2).elementsEqual("]]".utf8) { kept += "]]".utf8 }
      if end < item.count { kept.append(item[end]) }
      start = end + 1
    }
    return kept
  }

  private static func beginning(of run: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let near = run.suffix(256)
    if let space = near.lastIndex(of: UInt8(ascii: " ")) { return run[..<space] }
    let whole = near.lastIndex { $0 < 0x80 && !"&\\".utf8.contains($0) } ?? run.startIndex
    let mark = run[..<whole].suffix(12).lastIndex { "&\\".utf8.contains($0) }
    return run[..<(mark ?? whole)]
  }
}
