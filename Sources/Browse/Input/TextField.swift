import Terminal

/// A text field of one line.
struct TextField: Sendable, Equatable {
  // More than anybody types, while accidental pastes stay small.
  static let longest = 5000

  var text = ""

  /// The text without surrounding white space.
  var trimmed: String {
    let inner = text.drop(while: \.isWhitespace)
    return String(String(inner.reversed().drop(while: \.isWhitespace)).reversed())
  }

  /// Handles a key. Returns whether it was an editing key.
  mutating func handle(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
    case .backspace:
      if !text.isEmpty { text.removeLast() }
    case .control("u"): text = ""
    case .control("w"):
      while text.last?.isWhitespace == true { text.removeLast() }
      while text.last.map({ !$0.isWhitespace }) == true { text.removeLast() }
    default: return false
    }
    return true
  }

  /// Inserts sanitized text on one line. Returns false if it is too long.
  @discardableResult
  mutating func insert(_ pasted: String) -> Bool {
    // The parts of one character arrive one by one, and a joiner alone means nothing.
    let whole = (text + pasted).unicodeScalars
    text = SafeText(String(String.UnicodeScalarView(whole.prefix(Self.longest)))).text
    return whole.count <= Self.longest
  }

  /// One dot for each character.
  var hidden: TextField { TextField(text: String(repeating: "•", count: text.count)) }

  /// The end of the text that fits, followed by the cursor.
  func draw(into canvas: inout Canvas, row: Int, column: Int, width: Int) {
    let used = canvas.put(SafeText(end(columns: width - 1)), row: row, column: column)
    canvas.cursor = (row, min(max(0, column + used), max(0, canvas.columns - 1)))
  }

  /// The longest suffix that fits the columns.
  func end(columns: Int) -> Substring {
    // A long text is drawn with each key: the part that does not fit is not measured.
    var room = max(0, columns)
    var start = text.endIndex
    while start > text.startIndex {
      let next = text.index(before: start)
      room -= TextWidth.of(text[next])
      guard room >= 0 else { break }
      start = next
    }
    return text[start...]
  }
}
