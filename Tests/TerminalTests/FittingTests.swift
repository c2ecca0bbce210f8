import Terminal
import Testing

struct FittingTests {
  @Test(arguments: [
    ("", ""), (" \t\n", ""), ("cats", "cats"), ("  black  cats\n\nand dogs \r\n", "black cats and dogs"),
    ("черный\u{00A0}\u{2003}кот\u{3000}", "черный кот"), ("a\u{2028}b\u{85}c\u{0B}d\u{0C}e", "a b c d e"),
    ("👩‍👩‍👧  e\u{301}", "👩‍👩‍👧 e\u{301}"),
  ])
  func `a text on one line is its words, separated by one space`(text: String, line: String) {
    #expect(Array(text.onOneLine.unicodeScalars) == Array(line.unicodeScalars))
    #expect(Array(line.onOneLine.unicodeScalars) == Array(line.unicodeScalars))
  }

  @Test(arguments: [
    ("cats", 4, "cats"), ("cats", 3, "ca…"), ("cats", 1, "…"), ("cats", 0, ""), ("ねこねこ", 5, "ねこ…"),
    ("ねこねこ", 6, "ねこ…"), ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"), ("👩‍👩‍👧👩‍👩‍👧", 2, "…"),
  ])
  func `a text that is too long ends in an ellipsis and never in half a character`(
    text: String, columns: Int, fitted: String
  ) {
    #expect(text.truncated(to: columns) == fitted)
  }

  @Test func `padding counts columns, not characters`() {
    #expect("猫".padded(to: 4) == "猫  ")
    #expect("42".padded(to: 4, trailing: true) == "  42")
    #expect("ねこ".padded(to: 3) == "ね…")
    #expect("ねここ".padded(to: 4) == "ね… ")
  }

  @Test func `lines break between words`() {
    #expect("the cat sat on the mat".wrapped(to: 7) == ["the cat", "sat on", "the mat"])
    #expect("one\n\ntwo".wrapped(to: 10) == ["one", "", "two"])
    #expect("".wrapped(to: 10) == [""])
  }

  @Test func `a word longer than a line is broken, and other words follow its rest on the line`() {
    #expect("see https://x.example/abc now".wrapped(to: 10) == ["see", "https://x.", "example/ab", "c now"])
    #expect("ねこねこ".wrapped(to: 5) == ["ねこ", "ねこ"])
    #expect("猫猫".wrapped(to: 1) == ["猫", "猫"])
  }
}
