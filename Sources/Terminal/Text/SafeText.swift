/// Text that cannot steer a terminal. Everything that shows text takes this type and not `String`, so the compiler
/// prevents untrusted text from reaching a terminal unchanged.
///
/// The program's own texts are literals and stay unchanged, including terminal sequences. All other text is sanitized,
/// either by interpolation into a literal or by an initialiser. There is no third way.
///
/// Sanitizing removes control characters (including ESC and the 8-bit ones), bidirectional marks and overrides, line and
/// paragraph separators, and tag characters. A tab becomes a space. A line break becomes a space unless lines are kept.
/// At most eight consecutive characters without a shape of their own (marks, joiners) stay, and a character of more than
/// 32 parts becomes `�`: otherwise a few columns could contain megabytes. All other text stays unchanged.
public struct SafeText: Sendable, Hashable {
  /// The text, safe to write unchanged.
  public private(set) var text: String

  /// An empty text.
  public init() { text = "" }

  /// Sanitizes untrusted text.
  ///
  /// - Parameters:
  ///   - outside: The text.
  ///   - keepingLines: Whether line breaks are kept. Otherwise they become spaces.
  public init(_ outside: some StringProtocol, keepingLines: Bool = false) {
    text = TextSanitizer.text(String(outside), keepingLines: keepingLines)
  }

  /// Sanitizes JSON. Everything that steers a terminal is escaped as `\uXXXX` (RFC 8259, 7), so programs read the same
  /// values. JSON itself requires escapes only for the first 32 control characters.
  public init(json: String) { text = TextSanitizer.json(json) }

  /// Text that is known to be safe. Internal to this module.
  init(unchecked text: String) { self.text = text }
}

extension SafeText: ExpressibleByStringInterpolation {
  /// Builds a literal: its own text stays unchanged, interpolated values are sanitized.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Reserves capacity for a literal.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    /// Appends the program's own text unchanged.
    public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

    /// Appends safe text unchanged.
    public mutating func appendInterpolation(_ inert: SafeText) { text += inert.text }

    /// Appends untrusted text, sanitized and on one line.
    public mutating func appendInterpolation(_ outside: some StringProtocol) { text += SafeText(outside).text }

    /// Appends a number.
    public mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }

    /// Appends the description of a value, sanitized: it may contain untrusted text.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text += SafeText(value.description).text
    }
  }

  /// The program's own text. Text that is made at run time is never a `StaticString`.
  public init(stringLiteral literal: StaticString) { text = literal.description }

  /// A literal with interpolated values.
  public init(stringInterpolation pieces: StringInterpolation) { text = pieces.text }
}

extension SafeText: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}
