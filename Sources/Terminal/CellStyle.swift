/// The style of a cell of a canvas.
public struct CellStyle: Sendable, Hashable {
  /// The role of a text. A `Painter` chooses the colours that the terminal has for it.
  public enum Tone: Sendable, Hashable {
    /// Ordinary text.
    case plain
    /// Highlighted text, in the only accent colour.
    case accent
    /// What the person said of a post, beside what the web says in the accent colour.
    case mark
    /// Less important text.
    case faint
    /// A small tile that replaces an avatar.
    case tile
    /// The background of a picture that is not drawn yet.
    case ground
    /// A character of a picture, with a foreground and a background colour.
    case paint(Paint, on: Paint)
  }

  /// A colour of a character of a picture.
  public enum Paint: Sendable, Hashable {
    /// The terminal's default.
    case own
    /// One of the sixteen colours of every terminal.
    case few(UInt8)
    /// One of xterm's 256 colours.
    case many(UInt8)
    case rgb(UInt8, UInt8, UInt8)
  }

  /// The role of the text.
  public var tone: Tone
  /// Whether it is bold.
  public var isBold: Bool
  /// Whether foreground and background are swapped.
  public var isReversed: Bool

  /// Creates a style; by default a plain one.
  public init(_ tone: Tone = .plain, isBold: Bool = false, isReversed: Bool = false) {
    self.tone = tone
    self.isBold = isBold
    self.isReversed = isReversed
  }

  /// Ordinary text.
  public static let plain = CellStyle()
  /// Bold text.
  public static let bold = CellStyle(isBold: true)
  /// Highlighted text.
  public static let accent = CellStyle(.accent)
  /// What the person said of a post.
  public static let mark = CellStyle(.mark)
  /// Less important text.
  public static let faint = CellStyle(.faint)
  /// A small tile that replaces an avatar.
  public static let tile = CellStyle(.tile)
  /// The background of a picture that is not drawn yet.
  public static let ground = CellStyle(.ground)
}
