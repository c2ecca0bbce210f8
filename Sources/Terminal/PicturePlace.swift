/// A rectangle of cells in which a picture is to stand.
public struct PicturePlace: Sendable, Hashable {
  /// A pixel of a picture.
  public struct Corner: Sendable, Hashable {
    /// From the left.
    public var x: Int
    /// From the top.
    public var y: Int

    /// A pixel by its place.
    public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
  }

  /// Whose picture it is, in words of whoever draws it.
  public var name: String
  /// The first row; outside the canvas where that part of the picture is not seen.
  public var row: Int
  /// The first column; outside the canvas where that part of the picture is not seen.
  public var column: Int
  /// How many rows.
  public var rows: Int
  /// How many columns.
  public var columns: Int
  /// Whether the picture is shown whole in it; else it fills it, and loses what does not fit.
  public var isFitted: Bool
  /// The first pixel that is seen where the picture has its actual size; nil where it takes the rectangle's.
  public var corner: Corner?
  /// The rows of the picture that are seen, counted from its own first.
  public var seen: Range<Int>

  /// A place from its parts, all of it seen.
  public init(name: String, row: Int, column: Int, rows: Int, columns: Int, isFitted: Bool = false) {
    self.name = name
    self.row = row
    self.column = column
    self.rows = rows
    self.columns = columns
    self.isFitted = isFitted
    seen = 0..<max(0, rows)
  }

  /// Whether nothing of it is hidden on a canvas of so many columns.
  public func isWhole(onColumns columns: Int) -> Bool {
    seen.count == rows && column >= 0 && column + self.columns <= columns
  }

  /// The same, so much further down and to the right.
  public func moved(rows down: Int, columns right: Int) -> PicturePlace {
    var moved = self
    moved.row += down
    moved.column += right
    return moved
  }

  /// What is seen of it between those rows and columns; nil where nothing is.
  public func seen(within rows: Range<Int>, columns: Int) -> PicturePlace? {
    var cut = self
    cut.seen = seen.clamped(to: (rows.lowerBound - row)..<(rows.upperBound - row))
    return cut.seen.isEmpty || column >= columns || column + self.columns <= 0 ? nil : cut
  }

  /// Whether a cell lies in it.
  func contains(_ row: Int, _ column: Int) -> Bool {
    (self.row..<(self.row + rows)).contains(row) && (self.column..<(self.column + columns)).contains(column)
  }
}
