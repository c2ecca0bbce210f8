import Terminal
import Testing

struct PictureChoiceTests {
  private static func answers(
    kitty: Bool? = nil, _ attributes: [Int]? = [62], version: String? = nil
  ) -> TerminalAnswers {
    var answers = TerminalAnswers()
    (answers.kitty, answers.attributes, answers.version) = (kitty, attributes, version)
    return answers
  }

  private static let silent = TerminalAnswers()
  private static let xterm = ["TERM": "xterm-256color"]
  private static let tmux = ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"]
  private static let blocks = PictureChoice(.blocks, colours: .indexed256)

  private static let table: [(PicturePreference, TerminalAnswers, [String: String], PictureChoice?)] = [
    // The terminal's answers take precedence.
    (.auto, answers(kitty: true), xterm, PictureChoice(.kitty)),
    (.auto, answers(kitty: true, [62, 4], version: "iTerm2 3.5"), xterm, PictureChoice(.kitty)),
    (.auto, answers(kitty: false, [62, 4]), xterm, PictureChoice(.sixel)),
    (.auto, answers([62, 4], version: "iTerm2 3.5"), xterm, PictureChoice(.iterm)),
    (.auto, answers(version: "WezTerm 20240203"), xterm, PictureChoice(.iterm)),
    (.auto, answers([63, 4]), xterm, PictureChoice(.sixel)),
    (.auto, answers(), xterm, blocks),
    (
      .auto, answers(version: "XTerm(390)"), ["TERM": "xterm", "TERM_PROGRAM": "iTerm.app"],
      PictureChoice(.blocks, colours: .indexed16)
    ),
    // The environment of the terminal in which another one was started.
    (.auto, answers(), ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], PictureChoice(.blocks)),
    // No answers.
    (.auto, silent, xterm, blocks),
    (.auto, silent, ["TERM": "xterm-kitty"], PictureChoice(.kitty)),
    (.auto, silent, ["TERM": "xterm", "TERM_PROGRAM": "iTerm.app"], PictureChoice(.iterm)),
    (.auto, silent, ["TERM": "dumb"], nil),
    (.auto, silent, [:], nil),
    // Colours.
    (.auto, silent, ["TERM": "xterm-256color", "COLORTERM": "truecolor"], PictureChoice(.blocks)),
    (.auto, silent, ["TERM": "xterm", "COLORTERM": "24bit"], PictureChoice(.blocks)),
    (.auto, silent, ["TERM": "linux"], PictureChoice(.blocks, colours: .indexed16)),
    (.auto, answers(kitty: true), ["TERM": "xterm-kitty", "NO_COLOR": "1"], PictureChoice(.blocks, colours: .none)),
    (.auto, answers(kitty: true), ["TERM": "xterm-kitty", "NO_COLOR": ""], PictureChoice(.kitty)),
    // tmux and screen.
    (.auto, answers(kitty: true, [1, 2]), tmux, PictureChoice(.kitty, isWrapped: true)),
    (.auto, answers([1, 2]), tmux, blocks),
    (.auto, answers([1, 2, 4]), tmux, PictureChoice(.sixel)),
    (.auto, silent, tmux.merging(["KITTY_WINDOW_ID": "1"]) { $1 }, PictureChoice(.blocks)),
    (.auto, answers(kitty: true), ["TERM": "screen", "STY": "1.a"], PictureChoice(.blocks, colours: .indexed16)),
    // Explicit preferences take precedence.
    (.off, answers(kitty: true), xterm, nil),
    (.kitty, silent, xterm, PictureChoice(.kitty)),
    (.kitty, answers(kitty: false), tmux, PictureChoice(.kitty, isWrapped: true)),
    (.kitty, silent, ["TERM": "xterm", "NO_COLOR": "1"], PictureChoice(.kitty)),
    (.sixel, silent, xterm, PictureChoice(.sixel)),
    (.sixel, answers([1, 2]), tmux, PictureChoice(.sixel, isWrapped: true)),
    (.sixel, answers([1, 2, 4]), tmux, PictureChoice(.sixel)),
    (.iterm, silent, xterm, PictureChoice(.iterm)),
    (.iterm, silent, tmux, PictureChoice(.iterm, isWrapped: true)),
    (.blocks, answers(kitty: true), ["TERM": "xterm-kitty"], PictureChoice(.blocks)),
    (.blocks, silent, ["TERM": "dumb"], PictureChoice(.blocks, colours: .indexed16)),
  ]

  @Test func `the preference, the answers and the environment determine the choice`() {
    for (number, (preference, answers, environment, choice)) in Self.table.enumerated() {
      #expect(
        PictureChoice.of(preference, answers: answers, environment: environment) == choice,
        "row \(number): \(preference) \(answers) \(environment)")
    }
  }
}
