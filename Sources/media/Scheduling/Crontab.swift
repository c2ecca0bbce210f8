/// A person's crontab as bytes: all lines but our own stay as they are, whatever they hold.
struct Crontab: Equatable {
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// What the line of one library ends in; to the shell a comment.
  static func mark(_ name: String) -> String { "# media schedule \(name)" }

  /// The line of a library; nil where there is none.
  func line(_ name: String) -> String? {
    lines.first { Self.isOwn($0, name) }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Puts a library's line in the place of its old one, or at the end; nil takes it away.
  mutating func set(_ line: String?, for name: String) {
    var kept = lines
    let place = kept.firstIndex { Self.isOwn($0, name) }
    kept.removeAll { Self.isOwn($0, name) }
    if let line { kept.insert(Array(line.utf8)[...], at: min(place ?? kept.endIndex, kept.endIndex)) }
    // Without an end cron does not read the last line.
    bytes = Array(kept.joined(separator: [UInt8(ascii: "\n")])) + (kept.isEmpty ? [] : [UInt8(ascii: "\n")])
  }

  private var lines: [ArraySlice<UInt8>] {
    var all = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if all.last?.isEmpty == true { all.removeLast() }
    return all
  }

  /// An editor may have left blanks behind it: not to know it again would let two harvests run.
  private static func isOwn(_ line: ArraySlice<UInt8>, _ name: String) -> Bool {
    let blanks = line.reversed().prefix { " \t\r".utf8.contains($0) }.count
    return line.dropLast(blanks).suffix(mark(name).utf8.count).elementsEqual(mark(name).utf8)
  }
}
