/// A user's crontab as bytes. All lines but the program's own stay unchanged, whatever they contain.
struct Crontab: Equatable {
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// The end of the line of a library; a comment for the shell.
  static func mark(_ name: String) -> String { "# media schedule \(name)" }

  /// The line of a library; nil if there is none.
  func line(_ name: String) -> String? {
    lines.first { Self.isOwn($0, name) }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Replaces or appends a library's line; nil removes it.
  mutating func set(_ line: String?, for name: String) {
    var kept = lines
    let index = kept.firstIndex { Self.isOwn($0, name) }
    kept.removeAll { Self.isOwn($0, name) }
    if let line { kept.insert(Array(line.utf8)[...], at: min(index ?? kept.endIndex, kept.endIndex)) }
    // Cron ignores a last line without a line end.
    bytes = Array(kept.joined(separator: [UInt8(ascii: "\n")])) + (kept.isEmpty ? [] : [UInt8(ascii: "\n")])
  }

  private var lines: [ArraySlice<UInt8>] {
    var all = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if all.last?.isEmpty == true { all.removeLast() }
    return all
  }

  /// An editor may have left blanks at its end: if the line were not recognized, two harvests would run.
  private static func isOwn(_ line: ArraySlice<UInt8>, _ name: String) -> Bool {
    let blanks = line.reversed().prefix { " \t\r".utf8.contains($0) }.count
    return line.dropLast(blanks).suffix(mark(name).utf8.count).elementsEqual(mark(name).utf8)
  }
}
