import Terminal

/// A picture to draw: the file, and the size in cells. Files are assumed never to change, like those of a library: equal
/// requests have the same picture.
public struct PictureRequest: Sendable, Hashable, Codable {
  /// How a picture is scaled to the requested size.
  public enum ScalingMode: String, Sendable, Codable, CaseIterable {
    /// Shows the whole picture. It may leave cells empty at the right or at the bottom.
    case fit
    /// Fills all cells. The picture is cropped equally on both sides.
    case crop
    /// Shows a part of the picture in its actual size.
    case actual
  }

  /// The path of the file.
  public var path: String
  /// The number of available cells from left to right, 1 to 500.
  public var columns: Int
  /// The number of available cells from top to bottom, 1 to 500.
  public var rows: Int
  /// The size of a cell.
  public var cell: CellSize
  /// A format that the terminal supports.
  public var format: PictureFormat
  /// The colours of characters. Pictures of pixels have all colours.
  public var colours: PictureColours
  /// How the picture is scaled.
  public var filling: ScalingMode
  /// The first pixel from the left that is shown in the actual size.
  public var left = 0
  /// The first pixel from the top that is shown in the actual size.
  public var top = 0

  /// Creates a request to draw the picture at `path` into a rectangle of cells.
  public init(
    path: String, columns: Int, rows: Int, cell: CellSize = .usual, format: PictureFormat,
    colours: PictureColours = .truecolor, filling: ScalingMode = .fit
  ) {
    self.path = path
    self.columns = columns
    self.rows = rows
    self.cell = cell
    self.format = format
    self.colours = colours
    self.filling = filling
  }

  /// Whether a terminal may have this size. These numbers determine how much memory is allocated.
  public var isPlausible: Bool {
    (1...500).contains(columns) && (1...500).contains(rows) && cell.isPlausible
      && (0...1_000_000).contains(left) && (0...1_000_000).contains(top)
      && columns * cell.width * rows * cell.height <= 16_000_000
  }
}
