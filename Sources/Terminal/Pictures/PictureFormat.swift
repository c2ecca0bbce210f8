/// The formats of pictures on a terminal.
public enum PictureFormat: String, Sendable, CaseIterable, Codable {
  /// kitty's graphics protocol, which Ghostty, Konsole and others support too.
  case kitty
  /// DEC's sixel graphics: lines of six rows of pixels.
  case sixel
  /// iTerm2's inline images.
  case iterm
  /// Coloured characters, for every terminal.
  case blocks
}

/// The colours of characters in pictures.
public enum PictureColours: String, Sendable, CaseIterable, Codable {
  case truecolor
  case indexed256
  case indexed16
  /// Only the terminal's default colours: pictures consist of shapes.
  case none
}

/// The size of one character cell in pixels.
public struct CellSize: Sendable, Hashable, Codable {
  /// The number of pixels from left to right.
  public var width: Int
  /// The number of pixels from top to bottom.
  public var height: Int

  /// The assumed size if the terminal does not report it.
  public static let usual = CellSize(width: 8, height: 16)

  /// Creates a size in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Whether a terminal may have cells of this size. Other sizes are errors.
  public var isPlausible: Bool { (2...200).contains(width) && (2...400).contains(height) }
}
