/// A screen as a value: cells with text and style. A `Painter` writes it to a terminal.
///
/// Writes outside the bounds are ignored. A wide character that would be cut in two becomes a space.
public struct Canvas: Sendable, Equatable {
  /// One cell. Its text is empty if the wide character to the left covers it.
  public struct Cell: Sendable, Hashable {
    /// One character, as a reader sees it.
    public var text: String
    /// The style of the cell.
    public var style: CellStyle

    static let blank = Cell(text: " ", style: .plain)
  }

  /// The number of cells from left to right.
  public let columns: Int
  /// The number of cells from top to bottom.
  public let rows: Int
  /// The position of the cursor; nil hides it.
  public var cursor: (row: Int, column: Int)?
  /// The rectangles for pictures, in the order in which they were added.
  public private(set) var pictures: [CellRect] = []
  private var cells: [Cell]

  /// A blank canvas.
  public init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    cells = Array(repeating: .blank, count: self.columns * self.rows)
  }

  /// The cell at a position, which must be within the bounds.
  public subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

  /// The cells of a row.
  public func row(_ row: Int) -> ArraySlice<Cell> { cells[(row * columns)..<((row + 1) * columns)] }

  /// The lines as text, without trailing spaces.
  public var lines: [String] {
    (0..<rows).map { number in
      let line = row(number).map(\.text).joined()
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Writes one line of text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - row: The row; may be outside the bounds.
  ///   - column: The first column; may be outside the bounds.
  ///   - width: The maximum number of columns. A longer text is cut and ends with `…`.
  ///   - style: The style of the cells.
  /// - Returns: The number of columns used.
  @discardableResult
  public mutating func put(_ text: SafeText, row: Int, column: Int, width: Int? = nil, style: CellStyle = .plain) -> Int
  {
    let text = width.map { text.truncated(to: max(0, $0)) } ?? text
    var position = column
    for character in text.text {
      let characterWidth = character.asciiValue.map { $0 >= 0x20 && $0 < 0x7F ? 1 : 0 } ?? TextWidth.of(character)
      guard characterWidth > 0 else { continue }
      if position >= columns { break }
      put(character, characterWidth, row, position, style)
      position += characterWidth
    }
    return position - column
  }

  /// Fills a rectangle with one narrow character.
  public mutating func fill(
    _ text: SafeText = " ", row: Int, column: Int, rows height: Int, columns width: Int, style: CellStyle = .plain
  ) {
    for line in max(0, row)..<max(max(0, row), min(rows, row + height)) {
      for position in max(0, column)..<max(max(0, column), min(columns, column + width)) {
        set(Cell(text: text.text, style: style), line, position)
      }
    }
  }

  /// Adds a rectangle for a picture. The text in its cells is visible until the picture is drawn, and if no pictures can
  /// be shown.
  public mutating func addPicture(_ picture: CellRect) { pictures.append(picture) }

  /// Removes and returns the rectangles of pictures. The caller must fill their cells.
  public mutating func removePictures() -> [CellRect] {
    defer { pictures = [] }
    return pictures
  }

  /// Copies another canvas to a position. Parts outside the bounds are omitted. Pictures are copied with the visible part
  /// of their rows.
  ///
  /// - Parameters:
  ///   - other: The other canvas.
  ///   - row: The row for the first copied row.
  ///   - column: The column for the first column.
  ///   - range: The rows to copy; nil copies all.
  public mutating func paste(_ other: Canvas, row: Int, column: Int, rows range: Range<Int>? = nil) {
    let range = (range ?? 0..<other.rows).clamped(to: 0..<other.rows)
    for line in range {
      let target = row + line - range.lowerBound
      guard (0..<rows).contains(target) else { continue }
      for position in 0..<other.columns where (0..<columns).contains(column + position) {
        set(other[line, position], target, column + position)
      }
      mend(target, column..<(column + other.columns))
    }
    for picture in other.pictures {
      let moved = picture.moved(rows: row - range.lowerBound, columns: column)
      let bounds = max(0, row)..<max(max(0, row), min(rows, row + range.count))
      if let seen = moved.seen(within: bounds, columns: columns) { pictures.append(seen) }
    }
  }

  /// Whether both show the same.
  public static func == (one: Self, other: Self) -> Bool {
    one.columns == other.columns && one.rows == other.rows && one.cells == other.cells
      && one.pictures == other.pictures && one.cursor?.row == other.cursor?.row
      && one.cursor?.column == other.cursor?.column
  }

  private mutating func put(_ character: Character, _ width: Int, _ row: Int, _ column: Int, _ style: CellStyle) {
    guard (0..<rows).contains(row) else { return }
    guard column >= 0, column + width <= columns else {
      for position in max(0, column)..<max(0, min(columns, column + width)) {
        set(Cell(text: " ", style: style), row, position)
      }
      return
    }
    set(Cell(text: String(character), style: style), row, column)
    for position in (column + 1)..<(column + width) { set(Cell(text: "", style: style), row, position) }
  }

  /// Sets a cell. A wide character that loses one of its cells is removed.
  private mutating func set(_ cell: Cell, _ row: Int, _ column: Int) {
    let index = row * columns + column
    if !cell.text.isEmpty {
      if cells[index].text.isEmpty {
        var first = index
        while first > row * columns, cells[first].text.isEmpty {
          cells[first].text = " "
          first -= 1
        }
        cells[first].text = " "
      }
    }
    var next = index + 1
    while next < (row + 1) * columns, cells[next].text.isEmpty {
      cells[next].text = " "
      next += 1
    }
    cells[index] = cell
  }

  /// Removes the remains of wide characters that were cut at the edges of the written columns.
  private mutating func mend(_ row: Int, _ written: Range<Int>) {
    guard columns > 0 else { return }
    let (first, last) = (row * columns, (row + 1) * columns)
    var index = first + max(0, min(columns - 1, written.lowerBound - 1))
    while index > first, cells[index].text.isEmpty { index -= 1 }
    let end = min(last, first + max(0, written.upperBound) + 1)
    if cells[first].text.isEmpty { cells[first].text = " " }
    while index < end {
      let next = index + Self.width(of: cells[index].text)
      let isWhole = next <= last && cells[(index + 1)..<max(index + 1, next)].allSatisfy(\.text.isEmpty)
      if !isWhole { cells[index].text = " " }
      index += 1
      while index < last, cells[index].text.isEmpty {
        if !isWhole || index >= next { cells[index].text = " " }
        index += 1
      }
    }
  }

  /// The width of a cell's text. Most texts need no table lookup.
  private static func width(of text: String) -> Int {
    let bytes = text.utf8
    if bytes.count == 1 { return 1 }
    // Lines and blocks, which form pictures: U+2500 to U+25BF.
    let isBlock = bytes.count == 3 && bytes.first == 0xE2 && (0x94...0x96).contains(bytes.dropFirst().first ?? 0)
    return isBlock ? 1 : max(1, TextWidth.of(text))
  }
}
