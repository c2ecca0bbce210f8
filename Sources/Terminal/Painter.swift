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

  /// What it takes to show a canvas.
  public struct Frame: Sendable, Equatable {
    /// What is written to the terminal; empty where nothing changed.
    public var text: String
    /// The places whose pictures have to be drawn: they are new, or something else was written there.
    public var pictures: [PicturePlace]
  }

  private let colours: Colours
  private var shown: Canvas?

  /// A painter that knows nothing of what the terminal shows.
  public init(colours: Colours) { self.colours = colours }

  /// Forgets what the terminal shows: the next frame is a whole one.
  public mutating func forget() { shown = nil }

  /// The frame after the one before.
  public mutating func frame(_ canvas: Canvas) -> Frame {
    let before = shown.flatMap { $0.columns == canvas.columns && $0.rows == canvas.rows ? $0 : nil }
    guard canvas != before else { return Frame(text: "", pictures: []) }
    shown = canvas
    var strokes = Strokes(colours: colours)
    if before == nil { strokes.text += "\u{1B}[0m\u{1B}[2J" }
    var touched: Set<Int> = []
    for row in 0..<canvas.rows where strokes.paint(row, of: canvas, over: before) { touched.insert(row) }
    strokes.reset()
    if let cursor = canvas.cursor {
      strokes.text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
    } else if before?.cursor != nil || before == nil {
      strokes.text += "\u{1B}[?25l"
    }
    let old = Set(before?.pictures ?? [])
    let pictures = canvas.pictures.filter { place in
      !old.contains(place) || (place.row..<(place.row + place.rows)).contains { touched.contains($0) }
    }
    return Frame(text: "\u{1B}[?2026h\(strokes.text)\u{1B}[?2026l", pictures: pictures)
  }
}

/// What is written for a frame, and where that leaves the terminal's pen.
private struct Strokes {
  let colours: Painter.Colours
  var text = ""
  private var ink = Ink.plain
  private var pen: (row: Int, column: Int)?

  init(colours: Painter.Colours) { self.colours = colours }

  /// Writes the cells of a row that differ; whether any does.
  mutating func paint(_ row: Int, of canvas: Canvas, over before: Canvas?) -> Bool {
    var isTouched = false
    for column in 0..<canvas.columns {
      let cell = canvas[row, column]
      let old = before?[row, column] ?? Canvas.Cell.blank
      // A cell beside a wide character that went has to be written, too: the terminal cleared it.
      guard cell != old, !cell.text.isEmpty else { continue }
      isTouched = true
      move(to: row, column)
      dip(cell.ink)
      text += cell.text
      let isPlainWidth = cell.text.utf8.count == 1 || isLine(cell.text)
      // Terminals differ on how wide what is no letter is: the next cell is then gone to, not arrived at.
      pen = isPlainWidth ? (row, column + 1) : nil
    }
    return isTouched
  }

  mutating func reset() { dip(.plain) }

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
    case (.accent, _): ["36"]
    case (.faint, _): ["2"]
    case (.tile, .many): ["48;5;238", "38;5;252"]
    case (.tile, _): ["7"]
    case (.ground, .many): ["48;5;235", "38;5;244"]
    case (.ground, _): ["2"]
    }
  }

  /// Lines and blocks are one column wide everywhere.
  private func isLine(_ text: String) -> Bool {
    text.unicodeScalars.count == 1 && text.unicodeScalars.allSatisfy { (0x2500...0x259F).contains($0.value) }
  }
}
