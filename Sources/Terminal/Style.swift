import Glibc

/// Styles text for a terminal (bold, dim, coloured), or leaves it plain.
public struct Style: Sendable, Equatable {
  /// The styles of text (ECMA-48, SGR).
  public enum Look: Int, Sendable, CaseIterable {
    case bold = 1, dim = 2, underlined = 4, red = 31, green = 32, yellow = 33, blue = 34, magenta = 35, cyan = 36
  }

  /// Whether text is styled.
  public let isOn: Bool

  /// A style that is on or off.
  public init(isOn: Bool) { self.isOn = isOn }

  /// A style that is on if a file descriptor is a terminal with colours, and colours are not turned off (`NO_COLOR` not
  /// empty, https://no-color.org; `TERM=dumb`).
  public init(for descriptor: Int32, environment: [String: String]) {
    self.init(isTerminal: isatty(descriptor) == 1, environment: environment)
  }

  /// A style that is on if there is a terminal and colours are not turned off.
  public init(isTerminal: Bool, environment: [String: String]) {
    let refused = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    isOn = isTerminal && !refused
  }

  /// Applies styles to a text. Fit the text first: its width does not change, but `TextWidth` counts the sequences too.
  public func apply(_ styles: Look..., to text: Inert) -> Inert {
    guard isOn, !styles.isEmpty, !text.isEmpty else { return text }
    return "\u{1B}[\(styles.map { "\($0.rawValue)" }.joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}
