import Testing

@testable import Terminal

struct HarmlessTests {
  @Test(arguments: [
    ("\u{1B}[2Jgone\u{1B}]0;title\u{7}", "[2Jgone]0;title"), ("\u{9B}31mred", "31mred"), ("a\u{202E}b\u{2066}c", "abc"),
    ("\u{200F}x\u{200E}\u{061C}", "x"), ("a\u{0}\u{8}\u{7F}b", "ab"), ("a\tb", "a b"), ("x\u{FEFF}y", "xy"),
    ("hi\u{E0041}\u{E0042}", "hi"),
  ])
  func `characters that steer a terminal or reorder text are removed`(text: String, harmless: String) {
    #expect(TextSanitizer.text(text) == harmless)
  }

  @Test func `line breaks stay only if lines are kept`() {
    #expect(TextSanitizer.text("a\r\nb\u{2028}c\rd", keepingLines: true) == "a\nb\nc\nd")
    #expect(TextSanitizer.text("a\r\nb\nc") == "a b c")
  }

  @Test func `a letter keeps eight marks, and no sequence of shapeless characters is longer`() {
    for mark in ["\u{301}", "\u{20DD}", "\u{200D}", "\u{200B}", "\u{FE0F}", "\u{2060}", "\u{AD}", "\u{FFFF}"] {
      let text = "a\(String(repeating: mark, count: 300_000))b"
      #expect(
        TextSanitizer.text(text).unicodeScalars.elementsEqual("a\(String(repeating: mark, count: 8))b".unicodeScalars))
    }
    let broken = "a" + String(repeating: "\u{301}\u{301}\u{200E}", count: 1000)
    #expect(TextSanitizer.text(broken).unicodeScalars.count == 9)
  }

  @Test(arguments: ["👩\u{200D}", "\u{1F3FB}", "\u{1100}", "\u{1160}", "\u{11A8}", "\u{93E}"])
  func `no character has many more parts than the longest emoji`(part: String) {
    #expect(TextSanitizer.text(String(repeating: part, count: 100_000)) == "\u{FFFD}")
  }

  @Test(arguments: ["👨‍👩‍👧‍👦", "👩🏽‍❤️‍💋‍👨🏿", "🏳️‍🌈", "1️⃣", "각", "ก็้", "བསྒྲུབས", "क्ष्म्य"])
  func `text that people write stays whole`(text: String) {
    #expect(TextSanitizer.text(text).unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test func `letters, marks and joined emoji stay`() {
    let text = "é e\u{301} مرحبا 👩‍👩‍👧 न\u{94D}\u{200D} 猫"
    #expect(TextSanitizer.text(text) == text)
  }
}
