import Foundation
import Terminal
import Testing

/// Whether what is set off can be read, on whatever ground.
struct ContrastTests {
  /// The luminance of a colour of xterm's (WCAG 2.2).
  private static func luminance(_ number: Int) -> Double {
    let first = [
      (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
      (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
      (255, 255, 255),
    ]
    let colour: (Int, Int, Int)
    switch number {
    case ..<16: colour = first[number]
    case ..<232:
      func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
      colour = (level((number - 16) / 36), level((number - 16) / 6 % 6), level((number - 16) % 6))
    default: colour = (8 + 10 * (number - 232), 8 + 10 * (number - 232), 8 + 10 * (number - 232))
    }
    func linear(_ part: Int) -> Double {
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(colour.0) + 0.7152 * linear(colour.1) + 0.0722 * linear(colour.2)
  }

  /// The colours that codes name: of what is written, and of what lies below.
  private static func colours(_ codes: [String]) -> (text: Int?, ground: Int?) {
    var colours: (text: Int?, ground: Int?)
    for code in codes {
      let parts = code.split(separator: ";").compactMap { Int($0) }
      switch parts.first {
      case 38?: colours.text = parts.last
      case 48?: colours.ground = parts.last
      case let code? where (30...37).contains(code): colours.text = code - 30
      default: break
      }
    }
    return colours
  }

  private static func contrast(_ one: Double, _ other: Double) -> Double {
    (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  /// No colour has more than 4.58 on both white and black.
  private static let least = 4.4

  private static func expectReadable(_ codes: [String], _ location: SourceLocation = #_sourceLocation) {
    let (text, ground) = colours(codes)
    guard let text = text.map(luminance) else { return }
    for ground in ground.map({ [luminance($0)] }) ?? [0, 1] {
      #expect(contrast(text, ground) >= least, "\(codes)", sourceLocation: location)
    }
  }

  @Test(arguments: [Painter.Colours.few, .many])
  func `every tone can be read on white and on black`(colours: Painter.Colours) {
    for tone in [CellStyle.Tone.plain, .accent, .mark, .faint, .tile, .ground] {
      Self.expectReadable(tone.codes(colours))
    }
    for style in Style.TextStyle.allCases { Self.expectReadable(style.codes(colours)) }
    #expect(Self.colours(Style.TextStyle.accent.codes(colours)).text != nil)
  }

  @Test func `yellow and cyan would not do`() {
    for number in [3, 6] { #expect(Self.contrast(Self.luminance(number), 1) < Self.least) }
  }
}
