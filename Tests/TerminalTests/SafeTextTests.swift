import Foundation
import PropertyTesting
import Terminal
import Testing

/// What the type guarantees for any text.
struct InertTests {
  @Test func `no text can steer a terminal, on one line or on many`() {
    for seed in PropertyTest.seeds(sample: 400, whole: 20_000) {
      let text = Hostile.text(seed)
      #expect(!Hostile.steers(SafeText(text).text), "seed \(seed)")
      #expect(!Hostile.steers(SafeText(text, keepingLines: true).text, keepingLines: true), "seed \(seed)")
    }
  }

  @Test func `sanitizing is idempotent`() {
    for seed in PropertyTest.seeds(sample: 400, whole: 20_000) {
      for keepsLines in [true, false] {
        let once = SafeText(Hostile.text(seed), keepingLines: keepsLines)
        #expect(same(SafeText(once.text, keepingLines: keepsLines), once), "seed \(seed)")
        #expect(same("\(once)", once), "seed \(seed)")
      }
    }
  }

  @Test func `parts and concatenations are safe, and sanitizing does not change them`() {
    for seed in PropertyTest.seeds(sample: 200, whole: 5000) {
      let whole = SafeText(Hostile.text(seed), keepingLines: true)
      let columns = Int(seed % 23)
      let pieces = whole.wrapped(to: columns) + whole.split(separator: " ") + [whole.onOneLine, whole.prefix(columns)]
      for piece in pieces {
        let shown = [piece, piece.truncated(to: columns), piece.padded(to: columns)]
        for part in shown {
          #expect(!Hostile.steers(part.text, keepingLines: true), "seed \(seed)")
          #expect(same(SafeText(part.text, keepingLines: true), part), "seed \(seed)")
        }
      }
      #expect(!Hostile.steers(pieces.joined(separator: " · ").text, keepingLines: true), "seed \(seed)")
    }
  }

  @Test func `literals stay unchanged, and interpolated text is sanitized`() {
    let outside = "a\u{1B}[2J\u{202E}b\nc"
    let own: SafeText = "\u{1B}[1m\(outside)\u{1B}[0m"
    #expect(own.text == "\u{1B}[1ma[2Jb c\u{1B}[0m")
    let nested: SafeText = "<\(own)>"
    #expect(nested.text == "<\u{1B}[1ma[2Jb c\u{1B}[0m>")
    #expect("\(own)" == own.text)
  }

  @Test func `every kind of interpolated value is sanitized`() throws {
    let outside = "x\u{9B}2Jy"
    let shown: [SafeText] = [
      "\(outside)", "\(outside.prefix(9))", "\(Character("\u{7}"))", "\(-17)", "\(UInt8(255))", "\(1.5)", "\(true)",
      "\(Rude())", "\(try #require(URL(string: "https://a.example/b")))",
    ]
    #expect(shown.map(\.text) == ["x2Jy", "x2Jy", "", "-17", "255", "1.5", "true", "[2Jrude", "https://a.example/b"])
  }

  @Test func `text set off keeps its marks and brings none`() {
    let style = Style(.few)
    #expect(style.apply(.bold, to: "\("\u{1B}]0;x\u{7}")").text == "\u{1B}[1m]0;x\u{1B}[0m")
  }

  @Test func `JSON cannot steer a terminal, and keeps its values`() throws {
    for seed in PropertyTest.seeds(sample: 200, whole: 5000) {
      let values = [Hostile.text(seed): Hostile.text(seed &+ 1)]
      let line = SafeText(json: String(decoding: try JSONEncoder().encode(values), as: UTF8.self))
      #expect(!Hostile.steers(line.text), "seed \(seed)")
      #expect(try JSONDecoder().decode([String: String].self, from: Data(line.text.utf8)) == values, "seed \(seed)")
    }
  }

  @Test func `a line of a hundred kilobytes is sanitized like a short one`() {
    let text = String(repeating: "cats\u{1B}[31m\u{202E}猫 ", count: 8000)
    let inert = SafeText(text)
    #expect(inert.text == String(repeating: "cats[31m猫 ", count: 8000))
    var canvas = Canvas(columns: 10, rows: 1)
    canvas.put(inert, row: 0, column: 0)
    #expect(canvas.lines == ["cats[31m猫"])
  }

  private func same(_ one: SafeText, _ other: SafeText) -> Bool {
    one.text.unicodeScalars.elementsEqual(other.text.unicodeScalars)
  }
}

/// A value whose description contains a sequence.
private struct Rude: CustomStringConvertible { let description = "\u{1B}[2Jrude" }

/// Hostile text.
private enum Hostile {
  private static let pieces = [
    "a", "Ω", "猫", "👩‍👩‍👧", "🇩🇪", "e\u{301}", " ", "  ", "\t", "\n", "\r\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}",
    "\u{2029}",
    "\u{1B}", "\u{1B}[2J", "\u{1B}]0;t\u{7}", "\u{1B}P", "\u{9B}31m", "\u{9D}", "\u{90}", "\u{0}", "\u{7F}", "\u{8}",
    "\u{202A}",
    "\u{202E}", "\u{2066}", "\u{2069}", "\u{200E}", "\u{200F}", "\u{061C}", "\u{200D}", "\u{200B}", "\u{2060}",
    "\u{FEFF}", "\u{FFF9}",
    "\u{E0001}", "\u{E0041}", "\u{E007F}", "\u{301}", "\u{20DD}", "\u{FE0F}", "\u{1F3FB}", "\u{1160}", "\u{93E}",
    "\u{600}", "\"", "\\",
    "\u{34F}", "\u{AD}", "\u{180E}", "\u{FFFF}", "\u{10FFFF}",
  ]

  static func text(_ seed: UInt64) -> String {
    var dice = Dice(state: seed)
    return (0..<dice.below(60)).map { _ in
      String(repeating: pieces[dice.below(pieces.count)], count: dice.below(8) == 0 ? 40 : 1)
    }.joined()
  }

  /// Whether a text contains control or bidirectional characters, by Unicode's properties and not by the product's list.
  static func steers(_ text: String, keepingLines: Bool = false) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control: !keepingLines || scalar != "\n"
      case .lineSeparator, .paragraphSeparator: true
      default: scalar.properties.isBidiControl || (0xE0000...0xE007F).contains(scalar.value)
      }
    }
  }
}
