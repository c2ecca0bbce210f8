/// The values of `--pictures`.
public enum PicturePreference: String, Sendable, CaseIterable {
  /// The best format of the terminal.
  case auto
  case kitty, sixel, iterm, blocks
  /// No pictures.
  case off
}

/// How a terminal shows pictures.
public struct PictureChoice: Sendable, Equatable {
  /// The format.
  public var format: PictureFormat
  /// The colours of blocks.
  public var colours: PictureColours
  /// Whether sequences must be wrapped for tmux.
  public var isWrapped: Bool

  /// Creates a choice of a format.
  public init(_ format: PictureFormat, colours: PictureColours = .truecolor, isWrapped: Bool = false) {
    self.format = format
    self.colours = colours
    self.isWrapped = isWrapped
  }

  /// Chooses how to show pictures. An explicit preference takes precedence over the terminal's answers.
  ///
  /// - Parameters:
  ///   - preference: What the person wants.
  ///   - answers: The terminal's answers. If it gave none, the environment decides.
  ///   - environment: The environment variables.
  /// - Returns: The choice; nil for no pictures.
  public static func of(
    _ preference: PicturePreference, answers: TerminalAnswers, environment: [String: String]
  ) -> PictureChoice? {
    let terminal = TerminalEnvironment(environment)
    switch preference {
    case .off: return nil
    case .auto where terminal.isDumb: return nil
    case .auto: return best(answers, terminal)
    case .blocks: return PictureChoice(.blocks, colours: terminal.colours)
    // Sixel is the only format that tmux itself may support.
    case .sixel: return PictureChoice(.sixel, isWrapped: terminal.isTmux && !answers.sixel)
    case .kitty: return PictureChoice(.kitty, isWrapped: terminal.isTmux)
    case .iterm: return PictureChoice(.iterm, isWrapped: terminal.isTmux)
    }
  }

  private static func best(_ answers: TerminalAnswers, _ terminal: TerminalEnvironment) -> PictureChoice {
    let blocks = PictureChoice(.blocks, colours: terminal.colours)
    // Without colours, photographs are unwanted too.
    if terminal.colours == .none || terminal.isScreen { return blocks }
    // An answer through tmux came from the outer terminal, so pictures reach it too.
    if answers.kitty == true { return PictureChoice(.kitty, isWrapped: terminal.isTmux) }
    if terminal.isTmux { return answers.sixel ? PictureChoice(.sixel) : blocks }
    if terminal.speaksITerm(answers.version) { return PictureChoice(.iterm) }
    if answers.sixel { return PictureChoice(.sixel) }
    // A missing answer means nothing: the connection may be slow.
    if answers.kitty == nil, answers.attributes == nil, terminal.isKitty { return PictureChoice(.kitty) }
    return blocks
  }

  /// What the environment reveals about a terminal.
  private struct TerminalEnvironment {
    let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    private var term: String { environment["TERM"] ?? "" }

    private func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }

    var isDumb: Bool { term == "dumb" || term.isEmpty }
    var isTmux: Bool { isSet("TMUX") }
    var isScreen: Bool { isSet("STY") && !isTmux }
    var isKitty: Bool { isSet("KITTY_WINDOW_ID") || term == "xterm-kitty" }

    func speaksITerm(_ version: String?) -> Bool {
      if let version { return ["iTerm2", "WezTerm", "mintty"].contains { version.hasPrefix($0) } }
      return ["iTerm.app", "WezTerm", "mintty"].contains(environment["TERM_PROGRAM"])
    }

    var colours: PictureColours {
      if isSet("NO_COLOR") { return .none }
      if ["truecolor", "24bit"].contains(environment["COLORTERM"]) || isKitty || term.hasSuffix("-direct") {
        return .truecolor
      }
      return term.contains("256color") ? .indexed256 : .indexed16
    }
  }
}
