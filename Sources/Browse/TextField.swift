import Terminal

/// A line that a person writes.
struct TextField: Sendable, Equatable {
  // More than anybody types, and what is pasted by mistake stays small.
  private static let longest = 5000

  var text = ""

  /// What was typed, without the white space around it.
  var trimmed: String {
    let inner = text.drop(while: \.isWhitespace)
    return String(String(inner.reversed().drop(while: \.isWhitespace)).reversed())
  }

  /// Takes a key; whether it was one of writing.
  mutating func take(_ key: Key) -> Bool {
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

  /// Takes text, made harmless, on one line; false where it is longer than there is room for.
  @discardableResult
  mutating func insert(_ pasted: String) -> Bool {
    // Parts of one character come one by one, and a joiner means nothing alone.
    let whole = (text + pasted).unicodeScalars
    text = Inert(String(String.UnicodeScalarView(whole.prefix(Self.longest)))).text
    return whole.count <= Self.longest
  }

  /// As many dots as it has characters.
  var hidden: TextField { TextField(text: String(repeating: "•", count: text.count)) }

  /// The end of it that fits, with the cursor behind.
  func draw(into canvas: inout Canvas, row: Int, column: Int, width: Int) {
    let used = canvas.put(Inert(end(columns: width - 1)), row: row, column: column)
    canvas.cursor = (row, min(max(0, column + used), max(0, canvas.columns - 1)))
  }

  /// As much of the end as so many columns hold.
  func end(columns: Int) -> Substring {
    // A long text is drawn with each key: what is left of the place is not looked at.
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
