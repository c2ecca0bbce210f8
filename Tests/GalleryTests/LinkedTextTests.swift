import PropertyTesting
import Testing
import Web

@testable import Gallery

struct LinkedTextTests {
  private func links(_ text: String, tags: Set<String> = []) -> [String] {
    LinkedText(text, tags: tags).pieces.compactMap(\.link)
  }

  @Test(arguments: [
    ("see https://example.org/a?b=1#c.", ["https://example.org/a?b=1#c"]),
    ("(https://example.org/a_(b))", ["https://example.org/a_(b)"]), ("HTTP://Example.org/!", ["HTTP://Example.org/"]),
    ("https://münchen.example/straße", ["https://münchen.example/straße"]),
    ("“https://a.example”", ["https://a.example"]),
    ("https://a.example,https://b.example", ["https://a.example,https://b.example"]),
    ("javascript:alert(1) data:text/html,x ftp://a.example //a.example", []), ("xhttps://a.example", []),
    ("https://", []), ("https:///path", []), ("https://user:secret@a.example/", []),
    ("https://a.example\u{202E}/x", ["https://a.example"]),
    ("https://a.example/<script>", ["https://a.example/"]), ("https://a.example/\"onclick=x", ["https://a.example/"]),
  ])
  func `only whole addresses of the web become links`(text: String, expected: [String]) {
    #expect(links(text) == expected)
  }

  @Test func `tags of the post lead to their list, others stay text`() {
    #expect(
      links("#Cats #dogs #Kätzchen a#cats ##cats", tags: ["cats", "kätzchen"]) == ["/?tag=cats", "/?tag=k%C3%A4tzchen"])
    #expect(links("#cats") == [])
  }

  @Test func `mentions of known authors lead to their posts`() {
    let text = LinkedText("hi @birds, @birds@photos.example. @nobody a@birds") { name in
      name.hasPrefix("birds") ? "birds@photos.example" : nil
    }
    #expect(text.pieces.compactMap(\.link) == ["/?user=birds@photos.example", "/?user=birds@photos.example"])
    #expect(text.pieces.filter { $0.link != nil }.map(\.text) == ["@birds", "@birds@photos.example"])
  }

  @Test func `markup in a text comes out as text`() {
    let text = LinkedText("<img src=x onerror=alert(1)> & \"https://a.example/?a=1&b='2\"")
    #expect(
      text.html.markup
        == "&lt;img src=x onerror=alert(1)&gt; &amp; &quot;<a href=\"https://a.example/?a=1&amp;b=&#39;2\" rel=\"noopener noreferrer\" target=\"_blank\">https://a.example/?a=1&amp;b=&#39;2</a>&quot;"
    )
  }

  @Test(arguments: PropertyTest.seeds(sample: 300, whole: 20_000))
  func `no text loses a character, and no link leaves the web`(seed: UInt64) {
    var dice = Dice(state: seed)
    let parts = [
      "https://", "a.example", "/", "#", "cats", "@", "birds", "<b>", "\"", " ", ")", "(", "é", "\u{301}", "👩‍👩‍👧",
      "\u{202E}", "javascript:", "\n", ".", "http://",
    ]
    let text = (0..<dice.below(30)).map { _ in parts[dice.below(parts.count)] }.joined()
    let linked = LinkedText(text, tags: ["cats"]) { _ in "birds@photos.example" }
    #expect(linked.pieces.map(\.text).joined().utf8.elementsEqual(text.utf8))
    for link in linked.pieces.compactMap(\.link) {
      #expect(link.hasPrefix("/?") || link.lowercased().hasPrefix("http://") || link.lowercased().hasPrefix("https://"))
    }
    let markup = linked.html.markup
    #expect(!markup.contains("<b>") && !markup.contains("href=\"javascript"))
  }
}
