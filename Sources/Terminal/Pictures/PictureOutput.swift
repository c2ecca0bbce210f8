/// The sequences that draw and erase pictures of pixels.
public struct PictureOutput: Sendable, Equatable {
  private let format: PictureFormat
  private let isWrapped: Bool

  /// The output for a choice; nil if pictures consist of characters, which are ordinary cells.
  public init?(_ choice: PictureChoice) {
    guard choice.format != .blocks else { return nil }
    (format, isWrapped) = (choice.format, choice.isWrapped)
  }

  /// Erases all pictures. Only kitty's are separate from the cells, and may survive clearing the screen.
  public var clear: [UInt8] { format == .kitty ? sequence("\u{1B}_Ga=d,d=A,q=2\u{1B}\\") : [] }

  /// Erases the pictures over the first cell of a rectangle. In other formats, writing text there erases them.
  func erase(_ rect: CellRect) -> [UInt8] {
    guard format == .kitty else { return [] }
    return sequence("\u{1B}_Ga=d,d=P,x=\(rect.column + 1),y=\(rect.row + 1),q=2\u{1B}\\")
  }

  /// Draws a picture in a rectangle.
  func draw(_ pixels: [UInt8], at rect: CellRect) -> [UInt8] {
    guard !pixels.isEmpty else { return [] }
    let move = Array("\u{1B}[\(rect.row + 1);\(rect.column + 1)H".utf8)
    return move + (isWrapped ? Passthrough.tmux(pixels) : pixels)
  }

  private func sequence(_ text: String) -> [UInt8] {
    isWrapped ? Passthrough.tmux(Array(text.utf8)) : Array(text.utf8)
  }
}
