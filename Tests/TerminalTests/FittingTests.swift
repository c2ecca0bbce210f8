import Terminal
import Testing

struct FittingTests {
  @Test(arguments: [
    ("cats", 4, "cats"), ("cats", 3, "ca…"), ("cats", 1, "…"), ("cats", 0, ""), ("ねこねこ", 5, "ねこ…"),
    ("ねこねこ", 6, "ねこ…"), ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"), ("👩‍👩‍👧👩‍👩‍👧", 2, "…"),
  ])
  func `a text too long ends in an ellipsis and never in half a character`(text: String, columns: Int, fitted: String) {
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

  @Test func `a word longer than a line is broken inside, the rest goes on in its line`() {
    #expect("see https://x.example/abc now".wrapped(to: 10) == ["see", "https://x.", "example/ab", "c now"])
    #expect("ねこねこ".wrapped(to: 5) == ["ねこ", "ねこ"])
    #expect("猫猫".wrapped(to: 1) == ["猫", "猫"])
  }
}
