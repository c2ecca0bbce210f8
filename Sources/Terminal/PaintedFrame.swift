/// The difference between two canvases, for a terminal that shows the first.
public struct PaintedFrame: Sendable, Equatable {
  /// The pictures to draw: they are new, or text was written in their cells.
  public internal(set) var pictures: [CellRect] = []
  /// The pictures that are no longer shown.
  public internal(set) var gone: [CellRect] = []
  /// The pictures among `pictures` that were shown before at the same position.
  var again: [CellRect] = []
  /// Whether the screen is cleared first.
  let isWhole: Bool
  var strokes = ""
  var cursor = ""

  init(isWhole: Bool = false) { self.isWhole = isWhole }

  private static let (opening, closing) = ("\u{1B}[?2026h", "\u{1B}[?2026l")

  private var isEmpty: Bool { strokes.isEmpty && cursor.isEmpty && pictures.isEmpty && gone.isEmpty }

  /// The text for a terminal without pixel pictures; empty if nothing changed.
  public var text: String { isEmpty ? "" : "\(Self.opening)\(strokes)\(cursor)\(Self.closing)" }

  /// The bytes for the terminal, as one update: the cells, and the pictures over them.
  ///
  /// - Parameters:
  ///   - output: The output for pictures of pixels; nil if there are none.
  ///   - pixels: Returns the bytes of a picture.
  public func bytes(_ output: PictureOutput?, pixels: (CellRect) -> [UInt8]) -> [UInt8] {
    guard let output, !isEmpty else { return Array(text.utf8) }
    var bytes = Array(Self.opening.utf8)
    if isWhole { bytes += output.clear }
    // Erase pictures that are drawn again: otherwise they would be there twice.
    for picture in gone + again { bytes += output.erase(picture) }
    bytes += strokes.utf8
    for picture in pictures { bytes += output.draw(pixels(picture), at: picture) }
    bytes += cursor.utf8
    return bytes + Array(Self.closing.utf8)
  }
}
