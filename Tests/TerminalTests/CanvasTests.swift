import PropertyTesting
import Terminal
import Testing

struct CanvasTests {
  @Test func `a wide character covers two cells, and its half is never left behind`() {
    var canvas = Canvas(columns: 8, rows: 1)
    canvas.put("猫a犬", row: 0, column: 0)
    #expect(canvas.lines == ["猫a犬"])
    canvas.put("x", row: 0, column: 1)
    #expect(canvas.lines == [" xa犬"])
    canvas.put("y", row: 0, column: 3)
    #expect(canvas.lines == [" xay"])
  }

  @Test func `nothing is written outside the bounds`() {
    var canvas = Canvas(columns: 4, rows: 2)
    canvas.put("abcdefgh", row: 0, column: 2)
    canvas.put("abc", row: 1, column: -1)
    canvas.put("猫猫猫", row: 1, column: 1)
    canvas.put("x", row: -1, column: 0)
    canvas.put("x", row: 2, column: 0)
    canvas.fill("#", row: -3, column: 3, rows: 4, columns: 9)
    #expect(canvas.lines == ["  a#", "b猫"])
  }

  @Test func `a text wider than its limit ends in an ellipsis`() {
    var canvas = Canvas(columns: 20, rows: 1)
    #expect(canvas.put("日本語の長い説明文", row: 0, column: 0, width: 8) == 7)
    #expect(canvas.lines == ["日本語…"])
  }

  @Test func `a canvas that is pasted at the edge leaves no half characters`() {
    var small = Canvas(columns: 6, rows: 1)
    small.put("猫猫猫", row: 0, column: 0)
    for column in -7...9 {
      var canvas = Canvas(columns: 8, rows: 1)
      canvas.fill("犬", row: 0, column: 0, rows: 0, columns: 0)
      canvas.paste(small, row: 0, column: column)
      #expect(canvas.row(0).reduce(0) { $0 + TextWidth.of($1.text) } == 8, "column \(column)")
    }
  }

  @Test func `a pasted picture has only its visible rows`() {
    var small = Canvas(columns: 6, rows: 3)
    small.addPicture(CellRect(name: "a", row: 0, column: 1, rows: 3, columns: 4))
    var canvas = Canvas(columns: 10, rows: 4)
    canvas.paste(small, row: 1, column: 2)
    canvas.paste(small, row: 2, column: 2)
    canvas.paste(small, row: -1, column: 6)
    canvas.paste(small, row: 0, column: 0, rows: 1..<2)
    canvas.paste(small, row: 4, column: 0)
    canvas.paste(small, row: 0, column: 9)
    #expect(canvas.pictures.map(\.row) == [1, 2, -1, -1])
    #expect(canvas.pictures.map(\.column) == [3, 3, 7, 1])
    #expect(canvas.pictures.map(\.seen) == [0..<3, 0..<2, 1..<3, 1..<2])
    #expect(canvas.pictures.map { $0.isWhole(onColumns: 10) } == [true, false, false, false])
  }

  @Test func `a painted difference shows the same as a whole frame`() {
    for seed in PropertyTest.seeds(sample: 60, whole: 3000) {
      var dice = Dice(state: seed)
      var painter = Painter(colours: .many)
      var terminal = FakeTerminal(columns: 30, rows: 6)
      var canvas = Canvas(columns: 30, rows: 6)
      for _ in 0..<12 {
        scribble(on: &canvas, &dice)
        terminal.write(painter.frame(canvas).text)
        #expect(terminal.lines == canvas.lines, "seed \(seed)")
        #expect(painter.frame(canvas).text.isEmpty, "seed \(seed)")
      }
    }
  }

  @Test func `a terminal that draws the parts of emoji separately shows all other characters in the right cells`() {
    for seed in PropertyTest.seeds(sample: 60, whole: 3000) {
      var dice = Dice(state: seed)
      var painter = Painter(colours: .many)
      var terminal = FakeTerminal(columns: 30, rows: 6, drawsParts: true)
      var canvas = Canvas(columns: 30, rows: 6)
      for _ in 0..<12 {
        scribble(on: &canvas, &dice)
        terminal.write(painter.frame(canvas).text)
        for row in 0..<canvas.rows {
          var column = 0
          while column < canvas.columns {
            let text = canvas[row, column].text
            let width = max(1, TextWidth.of(text))
            if TextWidth.inParts(text) == TextWidth.of(text) {
              #expect(terminal[row, column] == text, "seed \(seed), \(row):\(column)")
            }
            column += width
          }
        }
      }
    }
  }

  @Test func `only changed cells are written, as one update, and in their style`() {
    var painter = Painter(colours: .few)
    var canvas = Canvas(columns: 20, rows: 2)
    canvas.put("hello", row: 0, column: 0)
    _ = painter.frame(canvas)
    canvas.put("y", row: 0, column: 4, style: .accent)
    #expect(painter.frame(canvas).text == "\u{1B}[?2026h\u{1B}[1;5H\u{1B}[0;35my\u{1B}[0m\u{1B}[?2026l")
  }

  @Test(arguments: [CellStyle.accent, .faint, .tile, .ground, .bold])
  func `without colours no colour is written`(style: CellStyle) {
    var painter = Painter(colours: .none)
    var canvas = Canvas(columns: 5, rows: 1)
    canvas.put("x", row: 0, column: 0, style: style)
    let text = painter.frame(canvas).text
    for colour in ["[0;3", ";38;", ";48;", "[0;4"] { #expect(!text.contains(colour), "\(text.dropFirst())") }
  }

  @Test func `the environment determines the colours`() {
    #expect(Painter.Colours(environment: ["TERM": "xterm-256color"]) == .many)
    #expect(Painter.Colours(environment: ["TERM": "linux"]) == .few)
    #expect(Painter.Colours(environment: ["TERM": "xterm", "COLORTERM": "truecolor"]) == .many)
    #expect(Painter.Colours(environment: ["TERM": "xterm-256color", "NO_COLOR": "1"]) == .none)
    #expect(Painter.Colours(environment: ["TERM": "xterm-256color"], isPlain: true) == .none)
  }

  @Test func `a picture is drawn again if its cells were written`() {
    var painter = Painter(colours: .few)
    var canvas = Canvas(columns: 10, rows: 4)
    let picture = CellRect(name: "a", row: 1, column: 0, rows: 2, columns: 4)
    canvas.addPicture(picture)
    #expect(painter.frame(canvas).pictures == [picture])
    canvas.put("x", row: 3, column: 0)
    canvas.put("x", row: 2, column: 4)
    #expect(painter.frame(canvas).pictures.isEmpty)
    canvas.put("x", row: 2, column: 1)
    #expect(painter.frame(canvas).pictures == [picture])
  }

  private func scribble(on canvas: inout Canvas, _ dice: inout Dice) {
    let texts: [SafeText] = ["cats", "猫犬", "e\u{301}e", "🐈‍⬛x", "──▌", "שלום", " ", "🇩🇪", "👩🏽‍🚀", "❤️"]
    for _ in 0..<5 {
      let style = [CellStyle.plain, .accent, .faint, .tile].randomElement(using: &dice) ?? .plain
      canvas.put(
        texts.randomElement(using: &dice) ?? "", row: .random(in: -1...6, using: &dice),
        column: .random(in: -3...31, using: &dice), style: style)
    }
  }
}

/// A terminal that interprets what a `Painter` writes: positions and characters.
private struct FakeTerminal {
  private var canvas: Canvas
  private var row = 0
  private var column = 0
  /// Whether it draws each code point of a character separately.
  private let drawsParts: Bool

  init(columns: Int, rows: Int, drawsParts: Bool = false) {
    canvas = Canvas(columns: columns, rows: rows)
    self.drawsParts = drawsParts
  }

  var lines: [String] { canvas.lines }

  subscript(row: Int, column: Int) -> String { canvas[row, column].text }

  mutating func write(_ text: String) {
    var rest = text[...]
    while let first = rest.first {
      if first == "\u{1B}", let end = rest.dropFirst(2).firstIndex(where: \.isLetter) {
        let body = rest[rest.index(rest.startIndex, offsetBy: 2)..<end]
        if rest[end] == "H" {
          let numbers = body.split(separator: ";").compactMap { Int($0) }
          (row, column) = (numbers[0] - 1, numbers[1] - 1)
        }
        if rest[end] == "J" { canvas = Canvas(columns: canvas.columns, rows: canvas.rows) }
        rest = rest[rest.index(after: end)...]
      } else {
        put(first)
        rest = rest.dropFirst()
      }
    }
  }

  private mutating func put(_ character: Character) {
    let text = String(character)
    let isEmoji = TextWidth.inParts(text) != TextWidth.of(text)
    let parts = drawsParts && isEmoji ? text.unicodeScalars.map { String($0) } : [text]
    for part in parts { column += canvas.put(SafeText(part), row: row, column: column) }
  }
}
