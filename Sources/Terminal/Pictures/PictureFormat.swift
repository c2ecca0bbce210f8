/// The ways to show a picture on a terminal.
public enum PictureFormat: String, Sendable, CaseIterable, Codable {
  /// kitty's graphics protocol, which Ghostty, Konsole and others speak too.
  case kitty
  /// DEC's six rows of pixels a line.
  case sixel
  /// iTerm2's inline files.
  case iterm
  /// Coloured characters, which every terminal has.
  case blocks
}

/// The colours that characters may take.
public enum PictureColours: String, Sendable, CaseIterable, Codable {
  case truecolor
  case indexed256
  case indexed16
  /// The terminal's own two, by shape alone.
  case none
}

/// The size of one character cell in pixels.
public struct CellSize: Sendable, Hashable, Codable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// What a cell is taken for where the terminal does not say.
  public static let usual = CellSize(width: 8, height: 16)

  /// A size from its parts.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Whether a terminal may have such cells; anything else is a mistake or a lie.
  public var isPlausible: Bool { (2...200).contains(width) && (2...400).contains(height) }
}
