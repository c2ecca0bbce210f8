// What a terminal has for each tone: the list and all other output take their colours from here.

extension CellStyle.Tone {
  /// The parameters of SGR (ECMA-48) that give text this tone.
  public func codes(_ colours: Painter.Colours) -> [String] {
    switch (self, colours) {
    case (.plain, _): []
    case (.accent, .none): []
    // Both contrast with black as well as with white (WCAG 2.2, 1.4.3): cyan and the like are not.
    case (.accent, .many): ["38;5;29"]
    case (.accent, _): ["35"]
    case (.mark, .none): []
    case (.mark, .many): ["38;5;131"]
    // No other of the sixteen colours can be read on black and on white.
    case (.mark, _): ["35"]
    case (.faint, _): ["2"]
    case (.tile, .many): ["48;5;238", "38;5;252"]
    case (.tile, _): ["7"]
    case (.ground, .many): ["48;5;235", "38;5;250"]
    case (.ground, _): ["2"]
    case (.paint(let shape, let ground), _): shape.codes(30) + ground.codes(40)
    }
  }
}

extension CellStyle.Paint {
  /// A colour as SGR has it, from 30 for what is written and 40 for what lies below.
  fileprivate func codes(_ base: Int) -> [String] {
    switch self {
    case .own: []
    case .few(let number): ["\(base + (number < 8 ? Int(number) : Int(number) + 52))"]
    case .many(let number): ["\(base + 8);5;\(number)"]
    case .rgb(let red, let green, let blue): ["\(base + 8);2;\(red);\(green);\(blue)"]
    }
  }
}
