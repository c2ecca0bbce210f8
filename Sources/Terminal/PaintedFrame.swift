/// What it takes to show a canvas after another.
public struct PaintedFrame: Sendable, Equatable {
  /// The places whose pictures have to be drawn: they are new, or something else was written there.
  public internal(set) var pictures: [PicturePlace] = []
  /// The places whose pictures stand there no longer.
  public internal(set) var gone: [PicturePlace] = []
  /// The places among `pictures` where the same picture stood before.
  var again: [PicturePlace] = []
  /// Whether the screen is cleared first.
  let isWhole: Bool
  var strokes = ""
  var cursor = ""

  init(isWhole: Bool = false) { self.isWhole = isWhole }

  private static let (opening, closing) = ("\u{1B}[?2026h", "\u{1B}[?2026l")

  private var isEmpty: Bool { strokes.isEmpty && cursor.isEmpty && pictures.isEmpty && gone.isEmpty }

  /// What is written to the terminal where it shows no pixels; empty where nothing changed.
  public var text: String { isEmpty ? "" : "\(Self.opening)\(strokes)\(cursor)\(Self.closing)" }

  /// What is written to the terminal, all in one: the cells, and over them the pictures, as `pixels` has them.
  public func bytes(_ pen: PicturePen?, pixels: (PicturePlace) -> [UInt8]) -> [UInt8] {
    guard let pen, !isEmpty else { return Array(text.utf8) }
    var bytes = Array(Self.opening.utf8)
    if isWhole { bytes += pen.clear }
    // What is drawn again must not lie there twice.
    for place in gone + again { bytes += pen.erase(place) }
    bytes += strokes.utf8
    for place in pictures { bytes += pen.draw(pixels(place), at: place) }
    bytes += cursor.utf8
    return bytes + Array(Self.closing.utf8)
  }
}
