import Foundation
import Testing
import Web

@testable import DemoServer

@Suite struct CaptionTests {
  @Test func `a caption has Mastodon's form`() {
    let caption = Caption(parts: [.text("Fern & <moss>"), .lineBreak, .mention(0), .paragraph, .tag("猫")])
    #expect(
      caption.html(origin: "http://here") == """
        <p>Fern &amp; &lt;moss&gt;<br /><span class="h-card" translate="no"><a href="http://here/@mira" \
        class="u-url mention">@<span>mira</span></a></span></p><p><a href="http://here/tags/%E7%8C%AB" \
        class="mention hashtag" rel="tag">#<span>猫</span></a></p>
        """
    )
    #expect(caption.plain == "Fern & <moss>\n@mira\n\n#猫")
  }

  @Test func `a link hides its scheme and its tail`() {
    let caption = Caption(parts: [.link("https://walks.example/forest/2026/autumn?page=1&from=demo")])
    #expect(
      caption.html(origin: "") == """
        <p><a href="https://walks.example/forest/2026/autumn?page=1&amp;from=demo" target="_blank" \
        rel="nofollow noopener" translate="no"><span class="invisible">https://</span>\
        <span class="ellipsis">walks.example/forest/2026/autu</span>\
        <span class="invisible">mn?page=1&amp;from=demo</span></a></p>
        """
    )
  }

  @Test func `a value in markup is text in every position`() {
    let outside = "\"><script>alert('&')</script>"
    let safe = "&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"
    let page: HTML = "<p title=\"\(outside)\">\(outside.prefix(99)) \(7) \("<b>\(outside)</b>" as HTML)</p>"
    #expect(page.markup == "<p title=\"\(safe)\">\(safe) 7 <b>\(safe)</b></p>")
    #expect(DemoPage.message(outside, outside).markup.components(separatedBy: safe).count == 4)
    #expect(!DemoPage.html(outside, HTML(outside)).markup.contains("<script"))
  }

  @Test func `JSON is written as other readers read it`() {
    let json: JSON = ["a": nil, "b": ["x\"\\\n\u{1}", true, 3], "c": .decimal(1.5)]
    #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"a":null,"b":["x\"\\\n\u0001",true,3],"c":1.5}"#)
  }
}
