/// Text that does nothing but be read. Whatever shows text takes this and no `String`, so that text from outside cannot
/// come to a terminal unchanged, however it got there: the compiler refuses it.
///
/// The program's own words are literals and stay as they are, sequences of the terminal's own included. All other text is
/// made harmless on its way in, be it put into a literal by interpolation or handed to an initialiser; there is no third
/// way.
///
/// What goes: control characters (ESC and the 8-bit ones included), the marks and overrides of bidirectional text, line
/// and paragraph separators, tag characters. A tab becomes a space; a line break stays where lines are kept, else it
/// becomes a space. Of characters without a shape of their own (marks, joiners) eight in a row stay, and a character of
/// more than 32 parts becomes `�`: otherwise a few columns could hold megabytes. What is harmless stays as it is.
public struct Inert: Sendable, Hashable {
  /// The text, to be written as it is.
  public private(set) var text: String

  /// No text.
  public init() { text = "" }

  /// Text from outside on one line; a line break is kept where lines are.
  public init(_ outside: some StringProtocol, keepingLines: Bool = false) {
    text = Harmless.text(String(outside), keepingLines: keepingLines)
  }

  /// JSON, in which whatever steers is written as `\uXXXX` (RFC 8259, 7): a program reads what was meant. JSON escapes
  /// no more than the first 32 control characters by itself.
  public init(json: String) { text = Harmless.json(json) }

  /// What is known to be harmless, for this module's own.
  init(asIs text: String) { self.text = text }
}

extension Inert: ExpressibleByStringInterpolation {
  /// A literal in pieces: its own words as they are, what stands between them made harmless.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Room for a literal.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    /// The program's own words.
    public mutating func appendLiteral(_ ownWords: StaticString) { text += ownWords.description }

    /// What is harmless already.
    public mutating func appendInterpolation(_ inert: Inert) { text += inert.text }

    /// Text from outside, on one line.
    public mutating func appendInterpolation(_ outside: some StringProtocol) { text += Inert(outside).text }

    /// A number.
    public mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }

    /// What has words for itself; they may be from outside.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text += Inert(value.description).text
    }
  }

  /// The program's own words. No text that is made while it runs is a `StaticString`.
  public init(stringLiteral ownWords: StaticString) { text = ownWords.description }

  /// A literal with what was put into it.
  public init(stringInterpolation pieces: StringInterpolation) { text = pieces.text }
}

extension Inert: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}
