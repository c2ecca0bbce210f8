import Foundation
import Testing
import Web

struct EscapingTests {
  @Test(arguments: ["\"", "<", "'", "&", ">"])
  func `a mark that combines with a character does not keep it from being escaped`(sign: String) {
    let html: HTML = "<p title=\"\(sign + "\u{301} onmouseover=alert(1)")\">"
    #expect(html.markup.utf8.count { $0 == UInt8(ascii: "\"") } == 2)
    #expect(!HTML(sign + "\u{338}").markup.unicodeScalars.dropFirst().contains { "\"<>'&".unicodeScalars.contains($0) })
    #expect(HTML(sign + "\u{301}").markup.hasPrefix("&"))
  }

  @Test func `text without signs stays as it is`() {
    #expect(HTML("Zoë und 猫 e\u{301}").markup == "Zoë und 猫 e\u{301}")
  }
}
