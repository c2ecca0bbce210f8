/// A rectangle of cells for a picture.
public struct CellRect: Sendable, Hashable {
  /// A pixel of a picture.
  public struct Corner: Sendable, Hashable {
    /// The offset from the left.
    public var x: Int
    /// The offset from the top.
    public var y: Int

    /// A pixel by its offsets.
    public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
  }

  /// The caller's name for the picture.
  public var name: String
  /// The first row; outside the canvas if that part of the picture is hidden.
  public var row: Int
  /// The first column; outside the canvas if that part of the picture is hidden.
  public var column: Int
  /// The number of rows.
  public var rows: Int
  /// The number of columns.
  public var columns: Int
  /// Whether the whole picture is shown. Otherwise it fills the rectangle and is cropped.
  public var isFitted: Bool
  /// The first visible pixel of a picture in its actual size; nil if it is scaled to the rectangle.
  public var corner: Corner?
  /// The visible rows of the picture, relative to its first row.
  public var seen: Range<Int>

  /// Creates a rectangle, all of it visible.
  public init(name: String, row: Int, column: Int, rows: Int, columns: Int, isFitted: Bool = false) {
    self.name = name
    self.row = row
    self.column = column
    self.rows = rows
    self.columns = columns
    self.isFitted = isFitted
    seen = 0..<max(0, rows)
  }

  /// Whether all of it is visible on a canvas with this number of columns.
  public func isWhole(onColumns columns: Int) -> Bool {
    seen.count == rows && column >= 0 && column + self.columns <= columns
  }

  /// The rectangle moved down and to the right.
  public func moved(rows down: Int, columns right: Int) -> CellRect {
    var moved = self
    moved.row += down
    moved.column += right
    return moved
  }

  /// The part that is visible within the rows and columns; nil if none is.
  public func seen(within rows: Range<Int>, columns: Int) -> CellRect? {
    var cut = self
    cut.seen = seen.clamped(to: (rows.lowerBound - row)..<(rows.upperBound - row))
    return cut.seen.isEmpty || column >= columns || column + self.columns <= 0 ? nil : cut
  }

  /// Whether it contains a cell.
  func contains(_ row: Int, _ column: Int) -> Bool {
    (self.row..<(self.row + rows)).contains(row) && (self.column..<(self.column + columns)).contains(column)
  }
}
