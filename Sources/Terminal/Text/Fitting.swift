extension String {
  /// The text in at most `columns` columns. A longer text is cut and ends with `…`.
  public func truncated(to columns: Int) -> String {
    guard TextWidth.of(self) > columns else { return self }
    guard columns > 0 else { return "" }
    return fitting(columns - 1).0 + "…"
  }

  /// The text padded with spaces to `columns` columns. A longer text is truncated.
  ///
  /// - Parameters:
  ///   - columns: The number of columns.
  ///   - trailing: Whether the text is aligned to the right.
  public func padded(to columns: Int, trailing: Bool = false) -> String {
    let text = truncated(to: columns)
    let space = String(repeating: " ", count: max(0, columns - TextWidth.of(text)))
    return trailing ? space + text : text + space
  }

  /// The words of the text, separated by one space each.
  public var onOneLine: String {
    var line = UnicodeScalarView()
    var isAfterSpace = false
    for scalar in unicodeScalars {
      // Avoid the property table for ASCII: captions are long, and a list shows many.
      let isSpace = scalar.isASCII ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
      if !isSpace {
        if isAfterSpace, !line.isEmpty { line.append(" ") }
        line.append(scalar)
      }
      isAfterSpace = isSpace
    }
    return String(line)
  }

  /// The text in lines of at most `columns` columns. Lines break between words, and inside words that are longer than a
  /// line. Line breaks of the text are kept. A character wider than a line has a line of its own.
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

  /// The longest prefix that fits into `columns`, and the rest.
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

  /// Pieces of at most `columns` columns. None is empty, so a character wider than that gets its own piece.
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
