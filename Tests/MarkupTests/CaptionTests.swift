import Markup
import Testing

struct CaptionTests {
  @Test(arguments: [
    ("<p>One</p><p>Two</p>", "One\n\nTwo"),
    ("<p>One<br>Two<br/>Three<br /><br />Four</p>", "One\nTwo\nThree\n\nFour"),
    ("<p>One<br></p>\n  <p>Two</p>\n", "One\n\nTwo"),
    ("<h1>Head</h1>Text<div>Block</div>Rest", "Head\n\nText\nBlock\nRest"),
    ("  <p>  a \n b\t c </p> ", "a b c"),
    ("a&nbsp;&nbsp;b\u{A0}c", "a  b c"),
    ("", ""), ("<p></p>", ""), ("<br><br>", ""), (" \n ", ""),
  ])
  func `blocks are separated and white space collapses as on a web page`(html: String, text: String) {
    #expect(Caption.plainText(html: html) == text)
  }

  @Test(arguments: [
    ("<p>a  b\t\tc</p>", "a  b\t\tc"), ("<p>a<br>   b<br />\tc  </p>", "a\n   b\n\tc"), ("a  &amp;  b", "a  &  b"),
    ("<p> One  </p>\n  <p>  Two</p>\n", "One\n\nTwo"), ("<p>a \n  b\nc</p>", "a b c"), ("a&nbsp; &nbsp;b", "a   b"),
    ("<p>a  <b>  c</b></p>", "a    c"), ("<ul> <li>  x  y</li> </ul>", "- x  y"), ("<pre>a\n  b</pre>", "a\n  b"),
  ])
  func `preformatted text keeps its spaces and tabs`(html: String, text: String) {
    #expect(Caption.plainText(html: html, .keepsSpaces) == text)
  }

  @Test(arguments: [
    "<p>&lt;script&gt;alert(1)&lt;/script&gt; hi</p>", "<p>&lt;script>alert(1)&lt;/script> hi</p>",
    "&lt;script&gt;alert(1)&lt;/script&gt; hi", "<p>&#60;script&#62;alert(1)&#60;/script&#62; hi</p>",
  ])
  func `a script that was escaped is text`(html: String) {
    for options in [[], .keepsSpaces, [.showsHidden, .leavesOutQuoteFallback]] as [Caption.Options] {
      #expect(Caption.plainText(html: html, options) == "<script>alert(1)</script> hi")
    }
  }

  @Test(arguments: [
    ("<script>alert(1)</script> hi", "<script>alert(1)</script> hi"),
    ("hi <script>if (a &lt; b) {}", "hi <script>if (a < b) {}"),
    ("a<br><SCRIPT src=\"x\">b<br>c</SCRIPT><br>d", "a\n<SCRIPT src=\"x\">b\nc</SCRIPT>\nd"),
    ("<style>p {}</style><p>x</p>", "<style>p {}</style>\n\nx"),
  ])
  func `a script that was not escaped is text where it was typed, and nothing on a page`(html: String, text: String) {
    #expect(Caption.plainText(html: html, .showsHidden) == text)
    #expect(!Caption.plainText(html: html).contains("cript"))
  }

  @Test(arguments: [
    (#"<p class="quote-inline">RE: <a href="https://a.example/7">a.example/7</a></p><p>Look</p>"#, "Look"),
    (#"Look<span class='quote-inline'><br><br>RE: <a href="/7"><span>a</span></a></span>"#, "Look"),
    (#"<p class="quote-inline">RE: no end"#, "RE: no end"), (#"<p class="quote-inlined">RE: x</p>"#, "RE: x"),
  ])
  func `the stand-in for a quotation is left out if the quotation is shown`(html: String, text: String) {
    #expect(Caption.plainText(html: html, .leavesOutQuoteFallback) == text)
    #expect(Caption.plainText(html: html).contains("RE: "))
  }

  @Test func `a link whose ends are hidden from the eye reads whole`() {
    let html = """
      <p>See <a href="https://photos.example/a/very/long/path" rel="nofollow"><span class="invisible">https://</span>\
      <span class="ellipsis">photos.example/a/very</span><span class="invisible">/long/path</span></a>!</p>
      """
    #expect(Caption.plainText(html: html) == "See https://photos.example/a/very/long/path!")
  }

  @Test func `mentions and hashtags read as they were typed`() {
    let html = """
      <p><span class="h-card"><a href="https://birds.example/@birds" class="u-url mention">@<span>birds</span></a></span> \
      <a href="https://birds.example/tags/cats" class="mention hashtag" rel="tag">#<span>cats</span></a></p>
      """
    #expect(Caption.plainText(html: html) == "@birds #cats")
  }

  @Test func `list items have their marker, and nested lists are indented`() {
    let html =
      "<p>Bring:</p><ul><li>bread</li><li><p>cheese</p><ol><li>hard</li><li>soft</li></ol></li></ul><p>Done</p>"
    #expect(Caption.plainText(html: html) == "Bring:\n\n- bread\n- cheese\n  1. hard\n  2. soft\n\nDone")
  }

  @Test func `quoted lines are marked, including blank lines between them`() {
    let html = "<blockquote><p>One</p><p>Two<br>Three</p></blockquote><p>Mine</p>"
    #expect(Caption.plainText(html: html) == "> One\n>\n> Two\n> Three\n\nMine")
  }

  @Test func `preformatted text keeps its lines and spaces`() {
    #expect(Caption.plainText(html: "<pre><code>if a:\n  b  c\n</code></pre>x") == "if a:\n  b  c\n\nx")
  }

  @Test func `an emoji image reads as its name`() {
    let html = #"hi <img class='emoji' src="https://x.example/a>b.png" alt=":blob&amp;cat:"> there<img>"#
    #expect(Caption.plainText(html: html) == "hi :blob&cat: there")
  }

  @Test(arguments: [
    ("a<script>alert('<p>')</script>b", "ab"), ("a<style>p{}</STYLE >b", "ab"), ("a<script>never closed", "a"),
    ("a<!-- <b> --> b", "a b"), ("a<!-->b", "ab"), ("a<!doctype html><?php echo 1 ?>b", "ab"),
    ("a<![CDATA[x]]>b", "ab"),
    ("a<title>t</title>b", "ab"), ("a<!-- open", "a"),
  ])
  func `invisible markup is removed`(html: String, text: String) {
    #expect(Caption.plainText(html: html) == text)
  }

  @Test(arguments: [
    "I <3 you", "1 < 2", "AT&T", "?a=1&copy=2", "Fish & Chips", "a &unknown; b", "&;", "&#;", "&#x;", "&#+65;",
    "100% <",
  ])
  func `a special character that begins no markup is text`(text: String) {
    #expect(Caption.plainText(html: text) == text)
  }

  @Test func `an unclosed tag is removed with what follows`() {
    #expect(Caption.plainText(html: #"<p>Hello <a href="https://x.example/">"#) == "Hello")
    #expect(Caption.plainText(html: #"<p>Hello <a href="https://x.ex>ample"#) == "Hello")
  }

  @Test func `text without a tag keeps its own lines`() {
    #expect(Caption.plainText(html: "One\nTwo") == "One\nTwo")
    #expect(Caption.plainText(html: "One &amp;\r\n\nTwo\n") == "One &\n\nTwo")
  }

  @Test func `control characters are removed, also as references`() {
    #expect(Caption.plainText(html: "a\u{1B}[31mb\u{0}c\u{9B}d\u{7F}e&#27;f&#0;g&#x1b;h") == "a[31mbcdef\u{FFFD}gh")
  }

  @Test func `letters of every script and joined emoji come through unchanged`() {
    let text = "Привет، مرحبا 你好 👩‍👩‍👧 e\u{301} न\u{94D}\u{200D} ½"
    #expect(Caption.plainText(html: "<p>\(text)</p>") == text)
    #expect(Caption.plainText(html: text) == text)
  }

  @Test func `a nested list at the start of the text is not indented`() {
    #expect(Caption.plainText(html: "<ul><ul><li>one</li><li>two</li></ul></ul>") == "- one\n  - two")
  }
}
