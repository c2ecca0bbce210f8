import Testing

@testable import Browse

/// A text field.
struct TextFieldTests {
  @Test(arguments: [
    ("cats", 10, "cats"), ("cats", 4, "cats"), ("cats", 2, "ts"), ("cats", 0, ""), ("cats", -1, ""), ("", 3, ""),
    // A character of two columns is shown whole or not at all.
    ("a猫猫", 4, "猫猫"), ("a猫猫", 3, "猫"), ("cafe\u{301}", 2, "fe\u{301}"),
  ])
  func `the end of a text that fits is shown`(text: String, columns: Int, end: String) {
    #expect(TextField(text: text).end(columns: columns) == end)
  }

  @Test func `text that does not fit is reported`() {
    var field = TextField()
    let isWhole = field.insert("cats")
    let isCut = !field.insert(String(repeating: "x", count: 5000))
    #expect(isWhole && isCut)
    #expect(field.text.count == 5000)
  }
}
