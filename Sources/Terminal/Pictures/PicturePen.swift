/// Brings pictures of pixels to their cells, and takes them away again.
public struct PicturePen: Sendable, Equatable {
  private let format: PictureFormat
  private let isWrapped: Bool

  /// What draws as chosen; nil where pictures are characters, which are cells like all others.
  public init?(_ choice: PictureChoice) {
    guard choice.format != .blocks else { return nil }
    (format, isWrapped) = (choice.format, choice.isWrapped)
  }

  /// Takes all pictures away. Only kitty's lie apart from the cells, where clearing the screen may leave them.
  public var clear: [UInt8] { format == .kitty ? sequence("\u{1B}_Ga=d,d=A,q=2\u{1B}\\") : [] }

  /// Takes the pictures over a place's first cell away; those of other formats go with what is written there.
  func erase(_ place: PicturePlace) -> [UInt8] {
    guard format == .kitty else { return [] }
    return sequence("\u{1B}_Ga=d,d=P,x=\(place.column + 1),y=\(place.row + 1),q=2\u{1B}\\")
  }

  /// Draws a picture at a place.
  func draw(_ pixels: [UInt8], at place: PicturePlace) -> [UInt8] {
    guard !pixels.isEmpty else { return [] }
    let move = Array("\u{1B}[\(place.row + 1);\(place.column + 1)H".utf8)
    return move + (isWrapped ? Passthrough.tmux(pixels) : pixels)
  }

  private func sequence(_ text: String) -> [UInt8] {
    isWrapped ? Passthrough.tmux(Array(text.utf8)) : Array(text.utf8)
  }
}
