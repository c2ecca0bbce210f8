import Terminal

/// Keys that scroll a screen of lines.
enum LineScroll {
  /// The first visible line after a key; nil if the key does not scroll.
  ///
  /// - Parameters:
  ///   - line: The first visible line.
  ///   - last: The largest first line.
  ///   - height: The rows of the screen.
  static func line(after key: Key, from line: Int, last: Int, height: Int) -> Int? {
    switch key {
    case .character("j"), .down: min(line + 1, last)
    case .character("k"), .up: max(0, line - 1)
    case .pageDown, .character(" "): min(line + height, last)
    case .pageUp, .character("b"): max(0, line - height)
    case .character("g"), .home: 0
    case .character("G"), .end: last
    default: nil
    }
  }
}
