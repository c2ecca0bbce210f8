/// Brings canvases to a terminal: the bytes that turn what it shows into what it is to show.
public struct Painter: Sendable {
  /// What a terminal has to set text off.
  public enum Colours: Sendable {
    /// Bold, dim and reversed alone.
    case none
    /// The colours every terminal has.
    case few
    /// The 256 of xterm.
    case many

    /// What the surroundings say of a terminal; `isPlain` is a person's wish.
    public init(environment: [String: String], isPlain: Bool = false) {
      let term = environment["TERM"] ?? ""
      if isPlain || !Style(isTerminal: true, environment: environment).isOn {
        self = .none
      } else {
        self = term.contains("256color") || environment["COLORTERM"]?.isEmpty == false ? .many : .few
      }
    }
  }

  private let colours: Colours
  private var shown: Canvas?

  /// A painter that knows nothing of what the terminal shows.
  public init(colours: Colours) { self.colours = colours }

  /// Forgets what the terminal shows: the next frame is a whole one.
  public mutating func forget() { shown = nil }

  /// The frame after the one before. The pictures of the canvas are those that are shown: each is drawn where it is new,
  /// or where something else was written in its cells.
  public mutating func frame(_ canvas: Canvas) -> PaintedFrame {
    let before = shown.flatMap { $0.columns == canvas.columns && $0.rows == canvas.rows ? $0 : nil }
    guard canvas != before else { return PaintedFrame() }
    shown = canvas
    var frame = PaintedFrame(isWhole: before == nil)
    let (old, new) = (Set(before?.pictures ?? []), Set(canvas.pictures))
    frame.gone = before?.pictures.filter { !new.contains($0) } ?? []
    var strokes = Strokes(colours: colours, gone: frame.gone)
    if before == nil { strokes.text += "\u{1B}[0m\u{1B}[2J" }
    for row in 0..<canvas.rows { strokes.paint(row, of: canvas, over: before) }
    strokes.reset()
    frame.strokes = strokes.text
    if let cursor = canvas.cursor {
      frame.cursor = "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
    } else if before?.cursor != nil || before == nil {
      frame.cursor = "\u{1B}[?25l"
    }
    frame.again = canvas.pictures.filter { place in
      old.contains(place) && strokes.touched.contains { place.contains($0.row, $0.column) }
    }
    let again = Set(frame.again)
    frame.pictures = canvas.pictures.filter { !old.contains($0) || again.contains($0) }
    return frame
  }
}

/// What is written for a frame, and where that leaves the terminal's pen.
private struct Strokes {
  let colours: Painter.Colours
  /// Pictures whose pixels have to go from their cells.
  let gone: [PicturePlace]
  var text = ""
  /// The cells that were written.
  private(set) var touched: [(row: Int, column: Int)] = []
  private var ink = Ink.plain
  private var pen: (row: Int, column: Int)?

  init(colours: Painter.Colours, gone: [PicturePlace]) { (self.colours, self.gone) = (colours, gone) }

  /// Writes the cells of a row that differ, and those over which the pixels of another picture lie.
  mutating func paint(_ row: Int, of canvas: Canvas, over before: Canvas?) {
    let gone = gone.filter { ($0.row..<($0.row + $0.rows)).contains(row) }
    // As far as a terminal may have drawn what it takes for many characters.
    var spread = 0
    for column in 0..<canvas.columns {
      let cell = canvas[row, column]
      let old = before?[row, column] ?? Canvas.Cell.blank
      // A cell beside a wide character that went has to be written, too: the terminal cleared it.
      let isOverdrawn = column < spread || gone.contains { $0.contains(row, column) }
      guard cell != old || isOverdrawn, !cell.text.isEmpty else { continue }
      if !canvas.pictures.isEmpty { touched.append((row, column)) }
      move(to: row, column)
      dip(cell.ink)
      let isPlainWidth = cell.text.utf8.count == 1 || isLine(cell.text)
      if !isPlainWidth { spread = max(spread, column + clear(for: cell.text, at: row, column)) }
      text += cell.text
      // Terminals differ on how wide what is no letter is: the next cell is then gone to, not arrived at.
      pen = isPlainWidth ? (row, column + 1) : nil
    }
  }

  mutating func reset() { dip(.plain) }

  /// Clears the cells of a character that a terminal may take for more or fewer columns than it has here; returns how many
  /// columns it may come to, none where its width is certain.
  private mutating func clear(for character: String, at row: Int, _ column: Int) -> Int {
    let (width, parts) = (TextWidth.of(character), TextWidth.inParts(character))
    guard parts != width else { return 0 }
    text += String(repeating: " ", count: width)
    pen = nil
    move(to: row, column)
    return parts
  }

  private mutating func move(to row: Int, _ column: Int) {
    if let pen, pen == (row, column) { return }
    text += "\u{1B}[\(row + 1);\(column + 1)H"
  }

  private mutating func dip(_ next: Ink) {
    guard next != ink else { return }
    ink = next
    var codes = ["0"]
    if ink.isBold { codes.append("1") }
    if ink.isReversed { codes.append("7") }
    codes += tone(ink.tone)
    text += "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  private func tone(_ tone: Ink.Tone) -> [String] {
    switch (tone, colours) {
    case (.plain, _): []
    case (.accent, .none): []
    // Both are told apart from black as well as from white (WCAG 2.2, 1.4.3): cyan and the like are not.
    case (.accent, .many): ["38;5;29"]
    case (.accent, _): ["35"]
    case (.faint, _): ["2"]
    case (.tile, .many): ["48;5;238", "38;5;252"]
    case (.tile, _): ["7"]
    case (.ground, .many): ["48;5;235", "38;5;250"]
    case (.ground, _): ["2"]
    case (.paint(let shape, let ground), _): codes(shape, 30) + codes(ground, 40)
    }
  }

  /// A colour as SGR has it, from 30 for what is written and 40 for what lies below.
  private func codes(_ paint: Ink.Paint, _ base: Int) -> [String] {
    switch paint {
    case .own: []
    case .few(let number): ["\(base + (number < 8 ? Int(number) : Int(number) + 52))"]
    case .many(let number): ["\(base + 8);5;\(number)"]
    case .rgb(let red, let green, let blue): ["\(base + 8);2;\(red);\(green);\(blue)"]
    }
  }

  /// Lines and blocks are one column wide everywhere.
  private func isLine(_ text: String) -> Bool {
    text.unicodeScalars.count == 1 && text.unicodeScalars.allSatisfy { (0x2500...0x259F).contains($0.value) }
  }
}
