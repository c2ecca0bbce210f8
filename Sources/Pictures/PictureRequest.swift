import Terminal

/// A picture to draw: which file, and what room it has. Files are taken never to change, as those of a library do not:
/// two requests that are equal have the same picture.
public struct PictureRequest: Sendable, Hashable, Codable {
  /// How a picture takes its room.
  public enum Filling: String, Sendable, Codable, CaseIterable {
    /// The picture whole; it may leave room at the right or at the bottom.
    case fit
    /// The room whole; the picture loses what does not fit, alike on both sides.
    case crop
    /// A part of the picture in its own size, from a pixel on.
    case actual
  }

  /// The file.
  public var path: String
  /// The cells from left to right there are, 1 to 500.
  public var columns: Int
  /// The cells from top to bottom there are, 1 to 500.
  public var rows: Int
  /// The size of a cell.
  public var cell: CellSize
  /// What the terminal understands.
  public var format: PictureFormat
  /// The colours that characters may take; pictures of pixels have all.
  public var colours: PictureColours
  /// How it takes its room.
  public var filling: Filling
  /// The first pixel from the left that is shown, where it has its own size.
  public var left = 0
  /// The first pixel from the top that is shown, where it has its own size.
  public var top = 0

  /// A request from its parts.
  public init(
    path: String, columns: Int, rows: Int, cell: CellSize = .usual, format: PictureFormat,
    colours: PictureColours = .truecolor, filling: Filling = .fit
  ) {
    self.path = path
    self.columns = columns
    self.rows = rows
    self.cell = cell
    self.format = format
    self.colours = colours
    self.filling = filling
  }

  /// Whether a terminal may have such room: memory is asked for by these numbers.
  public var isPlausible: Bool {
    (1...500).contains(columns) && (1...500).contains(rows) && cell.isPlausible
      && (0...1_000_000).contains(left) && (0...1_000_000).contains(top)
      && columns * cell.width * rows * cell.height <= 16_000_000
  }
}
