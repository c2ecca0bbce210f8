import Glibc

/// Whether and how text is set off: bold, dim, coloured, or not at all.
public struct Style: Sendable, Equatable {
  /// The ways to set text off (ECMA-48, SGR).
  public enum Look: Int, Sendable, CaseIterable {
    case bold = 1, dim = 2, underlined = 4, red = 31, green = 32, yellow = 33, blue = 34, magenta = 35, cyan = 36
  }

  /// Whether anything is set off.
  public let isOn: Bool

  /// A style that sets text off, or leaves it as it is.
  public init(isOn: Bool) { self.isOn = isOn }

  /// On where a file descriptor is a terminal that takes colour and nobody asked for none
  /// (`NO_COLOR` not empty, https://no-color.org; `TERM=dumb`).
  public init(for descriptor: Int32, environment: [String: String]) {
    self.init(isTerminal: isatty(descriptor) == 1, environment: environment)
  }

  /// The same, where it is known whether there is a terminal.
  public init(isTerminal: Bool, environment: [String: String]) {
    let refused = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    isOn = isTerminal && !refused
  }

  /// The text set off. It takes as many columns as before, though `TextWidth` no longer counts them right: fit first.
  public func apply(_ looks: Look..., to text: Inert) -> Inert {
    guard isOn, !looks.isEmpty, !text.isEmpty else { return text }
    return "\u{1B}[\(looks.map { "\($0.rawValue)" }.joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}
