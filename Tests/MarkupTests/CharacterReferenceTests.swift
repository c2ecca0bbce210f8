import Markup
import Testing

struct CharacterReferenceTests {
  @Test(arguments: [
    ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"), ("&eacute;&Eacute;&ETH;&yuml;", "éÉÐÿ"),
    ("&hellip;&mdash;&euro;&hearts;&thetasym;", "…—€♥ϑ"), ("&OElig;&oelig;&fnof;", "Œœƒ"),
    ("&#39;&#x1F600;&#X41;&#0000065;", "'😀AA"),
  ])
  func `named and numbered characters are resolved`(html: String, text: String) {
    #expect(Caption.plainText(html: html) == text)
  }

  @Test func `numbers that pages from Windows use mean Windows-1252 characters`() {
    #expect(Caption.plainText(html: "&#150;&#x80;&#153;") == "–€™")
  }

  @Test(arguments: ["&#xD800;", "&#x110000;", "&#4294967337;", "&#99999999;"])
  func `a number that is not a character becomes the replacement character`(html: String) {
    #expect(Caption.plainText(html: html) == "\u{FFFD}")
  }

  @Test func `a reference is resolved once`() {
    #expect(Caption.plainText(html: "&amp;lt;b&amp;gt; &lt;b&gt;") == "&lt;b&gt; <b>")
  }
}
