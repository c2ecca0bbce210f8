/// A picture as bytes for a terminal, to be written at the cursor.
public struct DrawnPicture: Sendable, Equatable {
  /// The number of cells from left to right.
  public let columns: Int
  /// The number of cells from top to bottom.
  public let rows: Int
  /// The bytes to write. Lines of blocks are separated by line feeds. A picture of pixels is one sequence; the position
  /// of the cursor after it differs between terminals.
  public let bytes: [UInt8]

  /// Creates a picture of `columns` by `rows` cells from what the worker answered.
  public init(columns: Int, rows: Int, bytes: [UInt8]) {
    self.columns = columns
    self.rows = rows
    self.bytes = bytes
  }
}
