/// What a person may ask for with `--pictures`.
public enum PictureWish: String, Sendable, CaseIterable {
  /// The best the terminal can do.
  case auto
  case kitty, sixel, iterm, blocks
  /// None.
  case off
}

/// How pictures are shown on a terminal.
public struct PictureChoice: Sendable, Equatable {
  /// The format.
  public var format: PictureFormat
  /// The colours of blocks.
  public var colours: PictureColours
  /// Whether what is written must be wrapped for tmux.
  public var isWrapped: Bool

  /// A choice from its parts.
  public init(_ format: PictureFormat, colours: PictureColours = .truecolor, isWrapped: Bool = false) {
    self.format = format
    self.colours = colours
    self.isWrapped = isWrapped
  }

  /// What to show pictures with, nil for no pictures.
  ///
  /// `answers` is what the terminal said; where it was not asked or said nothing the environment decides. What a person
  /// asked for is done, whatever the terminal said.
  public static func of(
    _ wish: PictureWish, answers: TerminalAnswers, environment: [String: String]
  ) -> PictureChoice? {
    let surroundings = Surroundings(environment)
    switch wish {
    case .off: return nil
    case .auto where surroundings.isDumb: return nil
    case .auto: return best(answers, surroundings)
    case .blocks: return PictureChoice(.blocks, colours: surroundings.colours)
    // Sixels are the one format that tmux itself may know.
    case .sixel: return PictureChoice(.sixel, isWrapped: surroundings.isTmux && !answers.sixel)
    case .kitty: return PictureChoice(.kitty, isWrapped: surroundings.isTmux)
    case .iterm: return PictureChoice(.iterm, isWrapped: surroundings.isTmux)
    }
  }

  private static func best(_ answers: TerminalAnswers, _ surroundings: Surroundings) -> PictureChoice {
    let blocks = PictureChoice(.blocks, colours: surroundings.colours)
    // Who wants no colours wants no photographs between the lines either.
    if surroundings.colours == .none || surroundings.isScreen { return blocks }
    // An answer that came through tmux came from the terminal around it, so that pictures get there, too.
    if answers.kitty == true { return PictureChoice(.kitty, isWrapped: surroundings.isTmux) }
    if surroundings.isTmux { return answers.sixel ? PictureChoice(.sixel) : blocks }
    if surroundings.speaksITerm(answers.version) { return PictureChoice(.iterm) }
    if answers.sixel { return PictureChoice(.sixel) }
    // Silence says nothing: the line may be slow.
    if answers.kitty == nil, answers.attributes == nil, surroundings.isKitty { return PictureChoice(.kitty) }
    return blocks
  }

  /// What the environment tells of a terminal.
  private struct Surroundings {
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
