import PropertyTesting
import Terminal
import Testing

struct KeyParserTests {
  static let samples: [(bytes: String, events: [InputEvent])] = [
    ("jG?", [.key(.character("j")), .key(.character("G")), .key(.character("?"))]),
    ("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}OD", [.key(.up), .key(.down), .key(.right), .key(.left)]),
    ("\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.key(.pageUp), .key(.pageDown), .key(.delete)]),
    ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}OH", [.key(.home), .key(.end), .key(.home), .key(.end), .key(.home)]),
    ("\u{1B}[1;5A\u{1B}[Z", [.key(.up), .key(.backTab)]),
    (
      "\r\t\u{7F}\u{8}\u{3}\u{1A}",
      [
        .key(.enter), .key(.tab), .key(.backspace), .key(.backspace), .key(.control("c")), .key(.control("z")),
      ]
    ),
    ("é猫🐈x", [.key(.character("é")), .key(.character("猫")), .key(.character("🐈")), .key(.character("x"))]),
    ("\u{1B}j", [.key(.escape), .key(.character("j"))]),
    ("\u{1B}\u{1B}[A", [.key(.escape), .key(.up)]),
    (
      "\u{1B}[<0;12;5M\u{1B}[<0;12;5m\u{1B}[<64;1;1M\u{1B}[<65;200;50M",
      [
        .mouse(Mouse(.press, row: 4, column: 11)), .mouse(Mouse(.release, row: 4, column: 11)),
        .mouse(Mouse(.wheelUp, row: 0, column: 0)), .mouse(Mouse(.wheelDown, row: 49, column: 199)),
      ]
    ),
    ("\u{1B}[<0;0;1M\u{1B}[<2;1;1M\u{1B}[<0;1M", []),
    ("\u{1B}[200~two\nlines \u{1B}[A é\u{1B}[201~q", [.paste("two\nlines \u{1B}[A é"), .key(.character("q"))]),
    ("\u{1B}[I\u{1B}[O", [.focus(true), .focus(false)]),
    // Answers of the terminal are not keys.
    ("\u{1B}[?62;4c\u{1B}[6;20;10t\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|XTerm(390)\u{1B}\\j", [.key(.character("j"))]),
    ("\u{1B}]11;rgb:0000/0000/0000\u{7}k\u{1B}]11;x\u{1B}\\k", [.key(.character("k")), .key(.character("k"))]),
    ("\u{1B}[24;80R\u{1B}[99~q", [.key(.character("q"))]),
    // A string that lost its terminator does not swallow the keys that are pressed to end it.
    ("\u{1B}_Gi=31\u{3}", [.key(.control("c"))]),
  ]

  @Test(arguments: samples.indices)
  func `the keys do not depend on how the bytes are split`(number: Int) {
    let (text, events) = Self.samples[number]
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var parser = KeyParser()
      #expect(parser.feed(bytes[..<cut]) + parser.feed(bytes[cut...]) == events, "cut at \(cut)")
      #expect(!parser.isWaiting)
    }
    var parser = KeyParser()
    #expect(bytes.flatMap { parser.feed([$0]) } == events)
  }

  @Test func `an escape that nothing follows is a key`() {
    var parser = KeyParser()
    #expect(parser.feed([0x1B]).isEmpty)
    #expect(parser.isWaiting)
    #expect(parser.flush() == [.key(.escape)])
    #expect(!parser.isWaiting)
    #expect(parser.feed(Array("\u{1B}[".utf8)) + parser.flush() == [.key(.escape), .key(.character("["))])
    #expect(parser.feed(Array("\u{1B}[1;".utf8)) + parser.flush() == [])
    #expect(parser.feed(Array("j".utf8)) == [.key(.character("j"))])
  }

  @Test func `an answer that pauses is still no key`() {
    var parser = KeyParser()
    #expect(parser.feed(Array("\u{1B}_Gi=3".utf8)) + parser.flush() == [])
    #expect(parser.feed(Array("1;OK\u{1B}\\j".utf8)) == [.key(.character("j"))])
  }

  @Test func `bytes that are not text are ignored`() {
    var parser = KeyParser()
    #expect(
      parser.feed([0xFF, 0xC3, 0x28, 0xE2, 0x82, 0x6A, 0xED, 0xA0, 0x80, 0x6B]).suffix(1) == [.key(.character("k"))])
    #expect(!parser.isWaiting)
  }

  @Test func `a paste is cut at its limit, and a key follows it`() {
    var parser = KeyParser()
    let long = String(repeating: "x", count: 200_000)
    let events = parser.feed(Array("\u{1B}[200~\(long)\u{1B}[201~j".utf8))
    #expect(events.count == 2)
    guard case .paste(let text) = events.first else {
      Issue.record("no paste: \(events.count) events")
      return
    }
    #expect(text.count == 1 << 16)
    #expect(events.last == .key(.character("j")))
  }

  @Test func `any bytes are read to their end, however they are split`() {
    for seed in PropertyTest.seeds(sample: 300, whole: 20_000) {
      var dice = Dice(state: seed)
      let alphabet = Array("\u{1B}\u{1B}\u{1B}[[O]_P<;~0129MmAj\\\u{7}é猫".utf8) + [0xFF, 0x80, 0x03]
      let bytes = (0..<60).map { _ in alphabet.randomElement(using: &dice) ?? 0 }
      var (whole, pieces) = (KeyParser(), KeyParser())
      let expected = whole.feed(bytes)
      var events: [InputEvent] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...5, using: &dice)
        events += pieces.feed(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(events == expected, "seed \(seed)")
    }
  }
}
