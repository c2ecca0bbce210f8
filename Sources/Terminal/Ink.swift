/// How a cell of a canvas is set off.
public struct Ink: Sendable, Hashable {
  /// What a text is to the reader; a painter knows what the terminal has for it.
  public enum Tone: Sendable, Hashable {
    /// As everything is.
    case plain
    /// The one colour there is.
    case accent
    /// What matters less.
    case faint
    /// A small tile that stands for a face.
    case tile
    /// The ground on which a picture is to come.
    case ground
    /// A piece of a picture: its shape in one colour, on another.
    case paint(Paint, on: Paint)
  }

  /// A colour of a picture, as what drew it names it.
  public enum Paint: Sendable, Hashable {
    /// The terminal's own.
    case own
    /// One of the sixteen every terminal has.
    case few(UInt8)
    /// One of xterm's 256.
    case many(UInt8)
    case rgb(UInt8, UInt8, UInt8)
  }

  /// What the text is.
  public var tone: Tone
  /// Whether it is bold.
  public var isBold: Bool
  /// Whether ground and text change places.
  public var isReversed: Bool

  /// An ink from its parts.
  public init(_ tone: Tone = .plain, isBold: Bool = false, isReversed: Bool = false) {
    self.tone = tone
    self.isBold = isBold
    self.isReversed = isReversed
  }

  /// As everything is.
  public static let plain = Ink()
  /// Bold.
  public static let bold = Ink(isBold: true)
  /// The one colour.
  public static let accent = Ink(.accent)
  /// What matters less.
  public static let faint = Ink(.faint)
  /// A small tile.
  public static let tile = Ink(.tile)
  /// Where a picture is to come.
  public static let ground = Ink(.ground)
}
