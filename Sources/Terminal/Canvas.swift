/// A screen as a value: cells with text and ink, which a painter brings to a terminal.
///
/// Nothing that is written leaves its bounds, whatever the place; what would cut a wide character in two leaves a space.
public struct Canvas: Sendable, Equatable {
  /// One cell; its text is empty where the wide character to the left covers it.
  public struct Cell: Sendable, Hashable {
    /// What a reader sees as one character.
    public var text: String
    /// How it is set off.
    public var ink: Ink

    static let blank = Cell(text: " ", ink: .plain)
  }

  /// Cells from left to right.
  public let columns: Int
  /// Cells from top to bottom.
  public let rows: Int
  /// Where the cursor is shown; nil hides it.
  public var cursor: (row: Int, column: Int)?
  /// Where pictures are to stand, in the order in which they were asked for.
  public private(set) var pictures: [PicturePlace] = []
  private var cells: [Cell]

  /// A blank canvas.
  public init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    cells = Array(repeating: .blank, count: self.columns * self.rows)
  }

  /// A cell; it must be within the bounds.
  public subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

  /// The cells of a row.
  public func row(_ row: Int) -> ArraySlice<Cell> { cells[(row * columns)..<((row + 1) * columns)] }

  /// The lines as text, without the blanks at their ends.
  public var lines: [String] {
    (0..<rows).map { number in
      let line = row(number).map(\.text).joined()
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Writes one line of text, at most `width` columns of it with `…` at the end of what is cut; returns the columns used.
  @discardableResult
  public mutating func put(_ text: Inert, row: Int, column: Int, width: Int? = nil, ink: Ink = .plain) -> Int {
    let text = width.map { text.truncated(to: max(0, $0)) } ?? text
    var place = column
    for character in text.text {
      let wide = character.asciiValue.map { $0 >= 0x20 && $0 < 0x7F ? 1 : 0 } ?? TextWidth.of(character)
      guard wide > 0 else { continue }
      if place >= columns { break }
      put(character, wide, row, place, ink)
      place += wide
    }
    return place - column
  }

  /// Fills a rectangle with one narrow character.
  public mutating func fill(
    _ text: Inert = " ", row: Int, column: Int, rows height: Int, columns width: Int, ink: Ink = .plain
  ) {
    for line in max(0, row)..<max(max(0, row), min(rows, row + height)) {
      for place in max(0, column)..<max(max(0, column), min(columns, column + width)) {
        set(Cell(text: text.text, ink: ink), line, place)
      }
    }
  }

  /// Asks for a picture in a rectangle. What is written there is seen until it comes, and where none can be shown.
  public mutating func place(_ picture: PicturePlace) { pictures.append(picture) }

  /// Takes the places of pictures away, for whoever sees to it that something stands there.
  public mutating func takePictures() -> [PicturePlace] {
    defer { pictures = [] }
    return pictures
  }

  /// Copies another canvas, or those of its rows, to a place; what does not fit is left out. A picture comes along with
  /// the rows of it that are seen.
  public mutating func paste(_ other: Canvas, row: Int, column: Int, rows range: Range<Int>? = nil) {
    let range = (range ?? 0..<other.rows).clamped(to: 0..<other.rows)
    for line in range {
      let target = row + line - range.lowerBound
      guard (0..<rows).contains(target) else { continue }
      for place in 0..<other.columns where (0..<columns).contains(column + place) {
        set(other[line, place], target, column + place)
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

  private mutating func put(_ character: Character, _ wide: Int, _ row: Int, _ column: Int, _ ink: Ink) {
    guard (0..<rows).contains(row) else { return }
    guard column >= 0, column + wide <= columns else {
      for place in max(0, column)..<max(0, min(columns, column + wide)) { set(Cell(text: " ", ink: ink), row, place) }
      return
    }
    set(Cell(text: String(character), ink: ink), row, column)
    for place in (column + 1)..<(column + wide) { set(Cell(text: "", ink: ink), row, place) }
  }

  /// Sets a cell; a wide character that loses a part of itself goes.
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

  /// Takes away what is left of wide characters that were cut where columns of a row were written.
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

  /// The columns of a cell's text; most are known without a look into a table.
  private static func width(of text: String) -> Int {
    let bytes = text.utf8
    if bytes.count == 1 { return 1 }
    // Lines and blocks, of which pictures are made: U+2500 to U+25BF.
    let isBlock = bytes.count == 3 && bytes.first == 0xE2 && (0x94...0x96).contains(bytes.dropFirst().first ?? 0)
    return isBlock ? 1 : max(1, TextWidth.of(text))
  }
}
