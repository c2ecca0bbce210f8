import Glibc

/// Whether and how text is set off: bold, or in a tone of the list's, or not at all.
public struct Style: Sendable, Equatable {
  /// The ways to set text off.
  public enum TextStyle: Sendable, CaseIterable {
    case bold
    /// The one colour there is.
    case accent
    /// What matters less.
    case faint
  }

  private let colours: Painter.Colours

  /// Whether anything is set off.
  public var isOn: Bool { colours != .none }

  /// A style that sets text off with these colours; with none of them it leaves it as it is.
  public init(_ colours: Painter.Colours) { self.colours = colours }

  /// A style that is on if a file descriptor is a terminal with colours, and colours are not turned off (`NO_COLOR` not
  /// empty, https://no-color.org; `TERM=dumb`).
  public init(for descriptor: Int32, environment: [String: String]) {
    self.init(isTerminal: isatty(descriptor) == 1, environment: environment)
  }

  /// A style that is on if there is a terminal and colours are not turned off.
  public init(isTerminal: Bool, environment: [String: String]) {
    self.init(isTerminal ? Painter.Colours(environment: environment) : .none)
  }

  /// The text set off. It takes as many columns as before, though `TextWidth` no longer counts them right: fit first.
  public func apply(_ styles: TextStyle..., to text: SafeText) -> SafeText {
    let codes = styles.flatMap { $0.codes(colours) }
    guard isOn, !codes.isEmpty, !text.isEmpty else { return text }
    return "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}

extension Style.TextStyle {
  /// The parameters of SGR (ECMA-48) for it.
  public func codes(_ colours: Painter.Colours) -> [String] {
    switch self {
    case .bold: ["1"]
    case .accent: CellStyle.Tone.accent.codes(colours)
    case .faint: CellStyle.Tone.faint.codes(colours)
    }
  }
}
