import Markup
import PropertyTesting
import Testing

/// What strangers may send to stop a reader. The tests end within seconds because the work is linear; a parser that
/// builds a tree needs a minute for some of them.
@Suite(.ceiling) struct HostileCaptionTests {
  private static let size = 1 << 18

  @Test(arguments: [
    "<b>", "<blockquote>", "<ul><li>", "</div>", "<", "&", "&#", "<!--", "<a ", "<a b=\"", "<script>",
    "<img alt='<img ",
    "<li>", "<pre>\n", "&amp;", "<p/", "<?", "</", "\u{A0}",
  ])
  func `a quarter of a megabyte of one repeated piece is read`(piece: String) {
    let html = "<p>x" + String(repeating: piece, count: HostileCaptionTests.size / piece.utf8.count)
    #expect(Caption.plainText(html: html).hasPrefix("x"))
  }

  @Test func `a tag with a hundred thousand attributes is read`() {
    let html = "<p " + (0..<100_000).map { "a\($0) " }.joined() + ">x</p>"
    #expect(Caption.plainText(html: html) == "x")
  }

  @Test func `deep nesting adds only a few markers to a line`() {
    let quotes = String(repeating: "<blockquote>", count: 50_000)
    #expect(Caption.plainText(html: quotes + "x") == ">>>>>>>> x")
    let lists = String(repeating: "<ul>", count: 50_000)
    #expect(Caption.plainText(html: "a" + lists + "<li>x") == "a\n\n              - x")
  }

  @Test func `text beyond the limit is cut between characters`() {
    let html = "<p>" + String(repeating: "é", count: Caption.longest)
    let text = Caption.plainText(html: html)
    #expect(text.utf8.count <= Caption.longest)
    #expect(text.allSatisfy { $0 == "é" })
  }

  @Test(arguments: PropertyTest.seeds(sample: 20, whole: 2000))
  func `any mutation of HTML gives text without control characters`(seed: UInt64) {
    var random = Dice(state: seed)
    let base = Array(
      """
      <p>a &amp; b <a href="https://x.example/?a=1&amp;b=2" class='mention'>@<span>b</span></a><br/>c&#39;s</p>
      <ul><li>one</li></ul><blockquote><!-- c -->q</blockquote><pre> p\n q</pre><img alt=":x:"><script>s</script>é\u{A0}
      """.utf8
    )
    for _ in 0..<500 {
      var bytes = base
      for _ in 0...Int.random(in: 0..<8, using: &random) { bytes.mutate(with: "<>&\"'/=;# \n\0", &random) }
      let html = String(decoding: bytes, as: UTF8.self)
      let text = Caption.plainText(html: html)
      let isClean = text.unicodeScalars.allSatisfy {
        $0 == "\n" || ($0.value >= 0x20 && !(0x7F...0xA0).contains($0.value))
      }
      #expect(isClean, "seed \(seed): \(html.debugDescription)")
      #expect(text.first?.isWhitespace != true, "seed \(seed): \(html.debugDescription)")
    }
  }
}
