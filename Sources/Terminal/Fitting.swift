extension String {
  /// The text in at most that many columns, its end replaced by `…` where it is longer.
  public func truncated(to columns: Int) -> String {
    guard TextWidth.of(self) > columns else { return self }
    guard columns > 0 else { return "" }
    return fitting(columns - 1).0 + "…"
  }

  /// The text filled with spaces to that many columns; a longer one is truncated.
  public func padded(to columns: Int, trailing: Bool = false) -> String {
    let text = truncated(to: columns)
    let space = String(repeating: " ", count: max(0, columns - TextWidth.of(text)))
    return trailing ? space + text : text + space
  }

  /// The words alone, a space between each two.
  public var onOneLine: String {
    var line = UnicodeScalarView()
    var isAfterSpace = false
    for scalar in unicodeScalars {
      // The table of properties is asked of what is no ASCII alone: captions are long, and a list shows many.
      let isSpace = scalar.isASCII ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
      if !isSpace {
        if isAfterSpace, !line.isEmpty { line.append(" ") }
        line.append(scalar)
      }
      isAfterSpace = isSpace
    }
    return String(line)
  }

  /// The text in lines of at most that many columns, broken between words, and inside those that are longer than a
  /// line. Its own line breaks stand. A character wider than a line stands alone on one.
  public func wrapped(to columns: Int) -> [String] {
    let columns = max(1, columns)
    return split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrap(line: $0, to: columns) }
  }

  private func wrap(line: Substring, to columns: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    var width = 0
    for word in line.split(separator: " ") {
      let wordWidth = TextWidth.of(word)
      if !current.isEmpty, width + 1 + wordWidth > columns {
        lines.append(current)
        (current, width) = ("", 0)
      }
      if current.isEmpty, wordWidth > columns {
        var pieces = String(word).pieces(of: columns)
        current = pieces.removeLast()
        lines += pieces
      } else {
        current += current.isEmpty ? String(word) : " \(word)"
      }
      width = TextWidth.of(current)
    }
    return lines + [current]
  }

  /// The longest beginning that fits into `columns`, and the rest.
  private func fitting(_ columns: Int) -> (String, rest: Substring) {
    var width = 0
    var end = startIndex
    while end < endIndex {
      width += TextWidth.of(self[end])
      if width > columns { break }
      end = index(after: end)
    }
    return (String(self[..<end]), rest: self[end...])
  }

  /// Pieces of at most `columns`; none is empty, so a character wider than that gets one of its own.
  private func pieces(of columns: Int) -> [String] {
    var pieces: [String] = []
    var rest = self
    while !rest.isEmpty {
      let (piece, remainder) = rest.fitting(columns)
      pieces.append(piece.isEmpty ? String(rest.removeFirst()) : piece)
      rest = piece.isEmpty ? rest : String(remainder)
    }
    return pieces
  }
}
