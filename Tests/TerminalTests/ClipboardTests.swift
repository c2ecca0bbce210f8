import Foundation
import Testing

@testable import Terminal

/// The sequence with which a terminal copies a text.
struct ClipboardTests {
  @Test func `no part of a copied text is interpreted as a sequence`() {
    let link = "https://a.example/\u{1B}]52;c;!\u{7}\n"
    let bytes = Clipboard.bytes(copying: SafeText(link), throughTmux: false)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}]52;c;") && text.hasSuffix("\u{1B}\\"))
    let inner = text.dropFirst(7).dropLast(2)
    #expect(inner.allSatisfy { $0.isLetter || $0.isNumber || "+/=".contains($0) })
    #expect(Data(base64Encoded: String(inner)) == Data("https://a.example/]52;c;! ".utf8))
  }

  @Test func `tmux gets the sequence, and passes it on`() {
    let text = String(decoding: Clipboard.bytes(copying: "a", throughTmux: true), as: UTF8.self)
    #expect(text == "\u{1B}]52;c;YQ==\u{1B}\\\u{1B}Ptmux;\u{1B}\u{1B}]52;c;YQ==\u{1B}\u{1B}\\\u{1B}\\")
  }

  @Test func `a text longer than terminals accept is not sent`() {
    #expect(Clipboard.bytes(copying: SafeText(String(repeating: "a", count: 50_001)), throughTmux: true).isEmpty)
  }
}
