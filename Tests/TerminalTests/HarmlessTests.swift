import Terminal
import Testing

struct HarmlessTests {
  @Test(arguments: [
    ("\u{1B}[2Jgone\u{1B}]0;title\u{7}", "[2Jgone]0;title"), ("\u{9B}31mred", "31mred"), ("a\u{202E}b\u{2066}c", "abc"),
    ("\u{200F}x\u{200E}\u{061C}", "x"), ("a\u{0}\u{8}\u{7F}b", "ab"), ("a\tb", "a b"), ("x\u{FEFF}y", "xy"),
    ("hi\u{E0041}\u{E0042}", "hi"),
  ])
  func `what steers a terminal or turns text around goes`(text: String, harmless: String) {
    #expect(Harmless.text(text) == harmless)
  }

  @Test func `line breaks stay only where they are wanted`() {
    #expect(Harmless.text("a\r\nb\u{2028}c\rd", keepingLines: true) == "a\nb\nc\nd")
    #expect(Harmless.text("a\r\nb\nc") == "a b c")
  }

  @Test func `letters, marks and joined emoji stay`() {
    let text = "é e\u{301} مرحبا 👩‍👩‍👧 न\u{94D}\u{200D} 猫"
    #expect(Harmless.text(text) == text)
  }
}
