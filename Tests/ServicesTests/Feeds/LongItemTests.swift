import Foundation
import Testing

@testable import Services

/// Items that are longer than is kept.
struct LongItemTests {
  private func shortened(_ item: String, to most: Int, isJSON: Bool = false) -> String? {
    LongItem.shortened(Array(item.utf8), to: most, at: isJSON ? JSONFeed.isQuote : XMLFeed.isBracket)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func picture(_ number: UInt8) -> String {
    "<img src='data:image/png;base64,\(Data(repeating: number, count: 750).base64EncodedString())'>"
  }

  @Test func `the last pictures go first, as far as need be`() {
    let item = "<d>one \(picture(1)) two \(picture(2)) three \(picture(3)) four</d>"
    let gone = "<img src='data:,'>"
    #expect(shortened(item, to: 4000) == item)
    #expect(shortened(item, to: 3000) == item.replacing(picture(3), with: gone))
    #expect(
      shortened(item, to: 1500) == item.replacing(picture(3), with: gone).replacing(picture(2), with: gone))
    #expect(shortened(item, to: 200) == "<d>one \(gone) two \(gone) three \(gone) four</d>")
  }

  @Test func `long texts are cut between words, and what is around them stays`() throws {
    let words = String(repeating: "w&amp;d ", count: 1000)
    let short = try #require(shortened("<i><t>Title</t><d>\(words)</d><g>1</g></i>", to: 4096))
    #expect(short.hasPrefix("<i><t>Title</t><d>w&amp;d w&amp;d") && short.hasSuffix("w&amp;d</d><g>1</g></i>"))
    #expect(short.utf8.count > 400)
    let section = try #require(shortened("<d><![CDATA[<p>\(words)]]></d>", to: 4096))
    #expect(section.hasPrefix("<d><![CDATA[<p>w") && section.hasSuffix("w&amp;d]]></d>"))
    let unbroken = String(repeating: "ü&#252;", count: 1000)
    let cut = try #require(shortened("<d>\(unbroken)</d>", to: 4096))
    #expect(cut.hasSuffix("ü</d>") && !cut.contains("\u{FFFD}"))
    #expect(shortened(String(repeating: "<b>x</b>", count: 1000), to: 4096) == nil)
  }

  @Test(arguments: [nil, true, false]) func `an item of a document of any length is taken out`(keepsItems: Bool?) {
    let items = ["<item><title>a &amp; b</title></item>", "<item><!-- c --><title>d</title></item>"]
    let text = Array("<rss><channel>\(items.joined())</channel></rss>".utf8)
    var tidy = XMLTidy.read(text, keepsItems: keepsItems)
    let taken = tidy.items.indices.map { String(decoding: tidy.takeItem(at: $0, of: text), as: UTF8.self) }
    #expect(taken == items.map { $0.replacing("<!-- c -->", with: "").replacing("&amp;", with: "&#38;") })
  }

  @Test func `a text of JSON stays one`() throws {
    let words = String(repeating: "a \\\"b\\\" ", count: 1000)
    let short = try #require(shortened("{\"id\":\"1\",\"text\":\"\(words)\"}", to: 4096, isJSON: true))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(short.utf8)) as? [String: String])
    #expect(object["id"] == "1" && object["text"]?.hasPrefix("a \"b\" a") == true)
  }
}
