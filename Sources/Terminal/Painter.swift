/// Writes canvases to a terminal: it computes the bytes that change the shown canvas into the next one.
public struct Painter: Sendable {
  /// The colours of a terminal.
  public enum Colours: Sendable {
    /// Only bold, dim and reversed.
    case none
    /// The colours of every terminal.
    case few
    /// The 256 colours of xterm.
    case many

    /// The colours of a terminal by its environment.
    ///
    /// - Parameters:
    ///   - environment: The environment variables.
    ///   - isPlain: Whether the person wants no colours.
    public init(environment: [String: String], isPlain: Bool = false) {
      let term = environment["TERM"] ?? ""
      if isPlain || environment["NO_COLOR"]?.isEmpty == false || term == "dumb" {
        self = .none
      } else {
        self = term.contains("256color") || environment["COLORTERM"]?.isEmpty == false ? .many : .few
      }
    }
  }

  private let colours: Colours
  private var shown: Canvas?

  /// A painter for a terminal of unknown content.
  public init(colours: Colours) { self.colours = colours }

  /// Forgets what the terminal shows. The next frame redraws everything.
  public mutating func forget() { shown = nil }

  /// The frame that changes the previous canvas into this one. Pictures are drawn if they are new, or if text was written
  /// in their cells.
  public mutating func frame(_ canvas: Canvas) -> PaintedFrame {
    let before = shown.flatMap { $0.columns == canvas.columns && $0.rows == canvas.rows ? $0 : nil }
    guard canvas != before else { return PaintedFrame() }
    shown = canvas
    var frame = PaintedFrame(isWhole: before == nil)
    let (old, new) = (Set(before?.pictures ?? []), Set(canvas.pictures))
    frame.gone = before?.pictures.filter { !new.contains($0) } ?? []
    var writer = FrameWriter(colours: colours, gone: frame.gone)
    if before == nil { writer.text += "\u{1B}[0m\u{1B}[2J" }
    for row in 0..<canvas.rows { writer.paint(row, of: canvas, over: before) }
    writer.reset()
    frame.strokes = writer.text
    if let cursor = canvas.cursor {
      frame.cursor = "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
    } else if before?.cursor != nil || before == nil {
      frame.cursor = "\u{1B}[?25l"
    }
    frame.again = canvas.pictures.filter { picture in
      old.contains(picture) && writer.written.contains { picture.contains($0.row, $0.column) }
    }
    let again = Set(frame.again)
    frame.pictures = canvas.pictures.filter { !old.contains($0) || again.contains($0) }
    return frame
  }
}

/// The text of a frame, and the state of the terminal after it.
private struct FrameWriter {
  let colours: Painter.Colours
  /// Pictures whose pixels must be overwritten.
  let gone: [CellRect]
  var text = ""
  /// The cells that were written.
  private(set) var written: [(row: Int, column: Int)] = []
  private var style = CellStyle.plain
  private var cursor: (row: Int, column: Int)?

  init(colours: Painter.Colours, gone: [CellRect]) { (self.colours, self.gone) = (colours, gone) }

  /// Writes the cells of a row that differ, and those under the pixels of a removed picture.
  mutating func paint(_ row: Int, of canvas: Canvas, over before: Canvas?) {
    let gone = gone.filter { ($0.row..<($0.row + $0.rows)).contains(row) }
    // The column up to which the terminal may have drawn a character as several.
    var spread = 0
    for column in 0..<canvas.columns {
      let cell = canvas[row, column]
      let old = before?[row, column] ?? Canvas.Cell.blank
      // A cell beside a removed wide character must be written too: the terminal cleared it.
      let mustOverwrite = column < spread || gone.contains { $0.contains(row, column) }
      guard cell != old || mustOverwrite, !cell.text.isEmpty else { continue }
      if !canvas.pictures.isEmpty { written.append((row, column)) }
      move(to: row, column)
      setStyle(cell.style)
      let isPlainWidth = cell.text.utf8.count == 1 || isLine(cell.text)
      if !isPlainWidth { spread = max(spread, column + clear(for: cell.text, at: row, column)) }
      text += cell.text
      // Terminals differ in the width of other characters. Then the next cell needs a cursor movement.
      cursor = isPlainWidth ? (row, column + 1) : nil
    }
  }

  mutating func reset() { setStyle(.plain) }

  /// Clears the cells of a character whose width in this terminal is uncertain. Returns the number of columns that it may
  /// take; 0 if its width is certain.
  private mutating func clear(for character: String, at row: Int, _ column: Int) -> Int {
    let (width, parts) = (TextWidth.of(character), TextWidth.inParts(character))
    guard parts != width else { return 0 }
    text += String(repeating: " ", count: width)
    cursor = nil
    move(to: row, column)
    return parts
  }

  private mutating func move(to row: Int, _ column: Int) {
    if let cursor, cursor == (row, column) { return }
    text += "\u{1B}[\(row + 1);\(column + 1)H"
  }

  private mutating func setStyle(_ next: CellStyle) {
    guard next != style else { return }
    style = next
    var codes = ["0"]
    if style.isBold { codes.append("1") }
    if style.isReversed { codes.append("7") }
    codes += style.tone.codes(colours)
    text += "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  /// Lines and blocks are one column wide everywhere.
  private func isLine(_ text: String) -> Bool {
    text.unicodeScalars.count == 1 && text.unicodeScalars.allSatisfy { (0x2500...0x259F).contains($0.value) }
  }
}
