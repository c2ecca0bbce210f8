import Terminal
import Testing

struct TextWidthTests {
  @Test(arguments: [
    ("", 0), ("cats", 4), ("é", 1), ("e\u{301}", 1), ("猫", 2), ("ねこ", 4), ("한국", 4), ("ｶﾞ", 2), ("😀", 2), ("👩‍👩‍👧", 2),
    ("🇩🇪", 2), ("👍🏽", 2), ("❤️", 2), ("1️⃣", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("مرحبا", 5), ("\u{200B}", 0), ("a\u{7}b", 2), ("…", 1),
    ("─", 1), ("\u{1112}\u{1161}\u{11AB}", 2),
  ])
  func `a text has the width that terminals give it`(text: String, columns: Int) {
    #expect(TextWidth.of(text) == columns)
  }

  @Test func `widths add up character by character`() {
    let text = "a猫👩‍👩‍👧é🇩🇪"
    #expect(text.reduce(0) { $0 + TextWidth.of($1) } == TextWidth.of(text))
  }
}
