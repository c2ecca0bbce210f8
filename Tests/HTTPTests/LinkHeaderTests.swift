import HTTP
import ScriptedOrigin
import Testing

@Suite struct LinkHeaderTests {
  private func targets(_ fields: String...) -> [String] { LinkHeader.parse(fields).map(\.target) }

  @Test func `a page's links are distinguished by their relations`() {
    let links = LinkHeader.parse([
      #"<https://a.example/t?max_id=1>; rel="next", <https://a.example/t?min_id=9>; rel="prev""#
    ])
    #expect(links.map(\.target) == ["https://a.example/t?max_id=1", "https://a.example/t?min_id=9"])
    #expect(links.map(\.relations) == [["next"], ["prev"]])
  }

  @Test func `several fields are read in order`() {
    #expect(targets("<a>; rel=next", "<b>, <c>") == ["a", "b", "c"])
  }

  @Test func `commas and semicolons within a target and within quotes divide nothing`() {
    let links = LinkHeader.parse([#"<https://a.example/?x=1,2;3>; title="a, \"b\"; c"; rel="next""#])
    #expect(links.map(\.target) == ["https://a.example/?x=1,2;3"])
    #expect(links[0].parameters.map(\.name) == ["title"])
    #expect(links[0].parameters.map(\.value) == [#"a, "b"; c"#])
    #expect(links[0].relations == ["next"])
  }

  @Test func `a relation may be one of several, in any case and without quotes, and the first rel counts`() {
    #expect(LinkHeader.parse(["<a>; REL=\"prefetch NEXT\"; rel=prev"])[0].relations == ["prefetch", "next"])
    #expect(LinkHeader.parse(["<a>;rel = next ;x"])[0].relations == ["next"])
  }

  @Test(arguments: ["", ",", ";", "<", "<a", "a>; rel=next", "rel=next", "\"<a>", ", ,,  ,"])
  func `anything but a link is skipped`(field: String) {
    #expect(targets(field).isEmpty)
  }

  @Test func `a malformed link does not hide the next one`() {
    #expect(targets("nonsense, <a>; rel=\"next\"") == ["a"])
    #expect(targets("<a>; ; rel=next, <b>") == ["a", "b"])
    #expect(targets("<a> junk; rel=next, <b>") == ["a", "b"])
  }

  @Test func `an endless field is read only up to its bound`() {
    #expect(targets(String(repeating: "<a>,", count: 100_000)).count == 64)
    #expect(targets(String(repeating: "x", count: 70_000) + "<a>").isEmpty)
    #expect(LinkHeader.parse(["<a>" + String(repeating: ";x=1", count: 10_000)])[0].parameters.count == 32)
  }

  @Test func `parsing terminates for any bytes`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var chance = Chance(seed: seed)
    for _ in 0..<2000 {
      let pieces = ["<", ">", ";", ",", "=", "\"", "\\", " ", "rel", "next", "é", "\t", "a"]
      let count = Int.random(in: 0..<30, using: &chance)
      let field = (0..<count).map { _ in pieces.randomElement(using: &chance)! }.joined()
      for link in LinkHeader.parse([field]) {
        #expect(field.contains("<\(link.target)>"), "seed \(seed): \(field)")
      }
    }
  }

  @Test(arguments: [
    ("https://a.example/t?limit=40&max_id=109", "109"), ("?max_id=a%2Bb%20c+d", "a+b c d"), ("/t?max_id=", ""),
    ("/t?max_id", ""), ("/t?max%5Fid=1", "1"), ("/t?max_id=1&max_id=2", "1"), ("/t?max_id=100%", "100%"),
    ("/t?max_id=%zz%4", "%zz%4"), ("/t?max_id=a=b", "a=b"), ("/t?a=1&&max_id=2#max_id=3", "2"),
    ("/?max_id=%C3%BC", "ü"), ("/?max_id=%FF", "\u{FFFD}"),
  ])
  func `a parameter of a URL is returned decoded`(url: String, expected: String) {
    #expect(Request.parameter("max_id", of: url) == expected)
  }

  @Test(arguments: ["", "?", "https://a.example/max_id=1", "/t?xmax_id=1", "/t#?max_id=1"])
  func `a missing parameter is nil`(url: String) {
    #expect(Request.parameter("max_id", of: url) == nil)
  }
}
