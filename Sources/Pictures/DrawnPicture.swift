/// A picture as bytes for a terminal, written where the cursor stands.
public struct DrawnPicture: Sendable, Equatable {
  /// The cells it takes from left to right.
  public let columns: Int
  /// The cells it takes from top to bottom.
  public let rows: Int
  /// What to write. Lines of blocks stand between line feeds; a picture of pixels is one sequence, and where it leaves
  /// the cursor differs between terminals.
  public let bytes: [UInt8]

  /// A picture from its parts.
  public init(columns: Int, rows: Int, bytes: [UInt8]) {
    self.columns = columns
    self.rows = rows
    self.bytes = bytes
  }
}
