import Foundation
import Testing

@testable import Posts

/// What ICU answers, as recorded from a program that links it.
struct HostNameTests {
  @Test(arguments: [
    ("müller.example", "xn--mller-kva.example"), ("MÜLLER.example", "xn--mller-kva.example"),
    ("straße.example", "xn--strae-oqa.example"), ("STRAẞE.example", "xn--strae-oqa.example"),
    ("faß.de", "xn--fa-hia.de"), ("İstanbul.example", "xn--istanbul-o0e.example"), ("ı.example", "xn--cfa.example"),
    ("例え.jp", "xn--r8jz45g.jp"), ("日本語。ＪＰ", "xn--wgv71a119e.jp"), ("ＡＢＣ。example", "abc.example"),
    ("1.2.3.４", "1.2.3.4"), ("ab\u{AD}c.example", "abc.example"), ("ü\u{200B}x.example", "xn--x-dha.example"),
    ("u\u{308}.example", "xn--tda.example"), ("\u{1112}\u{1161}\u{11AB}.kr", "xn--6q8b.kr"),
    ("한국.kr", "xn--3e0b707e.kr"),
    ("ÅNGSTRÖM.example", "xn--ngstrm-hua5l.example"), ("\u{212B}.example", "xn--5ca.example"),
    ("K\u{212A}.example", "kk.example"), ("I\u{307}.example", "xn--i-9bb.example"),
    ("βόλος.com", "xn--nxasmm1c.com"), ("ΒΌΛΟΣ.com", "xn--nxasmq6b.com"), ("аbк.example", "xn--b-7sb5a.example"),
    ("пример.рф", "xn--e1afmkfd.xn--p1ai"), ("שלום.example", "xn--9dbne9b.example"),
    ("نامه\u{200C}ای.com", "xn--mgba3gch31f060k.com"), ("क्\u{200D}ष.example", "xn--11b2ezcw70k.example"),
    ("क्\u{200C}ष.example", "xn--11b2ezcs70k.example"), ("😀.example", "xn--e28h.example"), ("☃.net", "xn--n3h.net"),
    ("❤\u{FE0F}.example", "xn--qei.example"), ("i❤.ws", "xn--i-7iq.ws"), ("a≠b.example", "xn--ab-miv.example"),
    ("ü_b.example", "xn--_b-wka.example"), ("ü--ü.example", "xn-----wkac.example"), ("ü.", "xn--tda."),
    ("www.ü.example", "www.xn--tda.example"), ("xn--mller-kva.ü.example", "xn--mller-kva.xn--tda.example"),
  ])
  func `a host with letters of any script has the form that ICU gives it`(host: String, ascii: String) throws {
    #expect(HostName.ascii(host) == ascii)
    #expect(URLComponents(webAddress: "https://\(host):8443/a")?.string == "https://\(ascii):8443/a")
  }

  @Test(arguments: [
    "ü-.example", "-ü.example", "a.b\u{200D}c.example", "🏳\u{FE0F}\u{200D}🌈.example", "a..ü.example", "ü..example",
    "\u{301}a.example", "ab--ü.example", "ü b.example", "\u{3000}ü.example", "ü\u{E000}.example", "ü\u{0}.example",
    String(repeating: "ü", count: 70) + ".example",
  ])
  func `a host that ICU refuses is refused`(host: String) {
    #expect(HostName.ascii(host) == nil)
    #expect(URLComponents(webAddress: "https://\(host)/") == nil)
  }

  @Test(arguments: ["Ⅷ.example", "ﬁsch.example", "Ǆ.example", "ª.example", "²ü.example", "ſ.example"])
  func `a character that the standard library cannot map is refused, and becomes no other host`(host: String) {
    #expect(HostName.ascii(host) == nil)
  }

  @Test(arguments: [
    ("xn--mller-kva.example", "müller.example"), ("XN--MLLER-KVA.example", "müller.example"),
    ("xn--Mller-kva.example", "müller.example"), ("xn--mller-kva", "müller"), ("a.xn--tda", "a.ü"),
    ("xn--e28h.example", "😀.example"), ("xn--ls8h.la", "💩.la"), ("xn--fa-hia.de", "faß.de"),
    ("xn--nxasmm1c.com", "βόλος.com"), ("xn--mgba3gch31f060k.com", "نامه\u{200C}ای.com"),
    ("xn--b-7sb5a.example", "аbк.example"), ("xn--ab-miv.example", "a≠b.example"), ("www.xn--r8jz45g.jp", "www.例え.jp"),
    ("xn--80ak6aa92e.com", "аррӏе.com"), ("xn--fsqu00a.xn--0zwm56d", "例子.测试"), ("plain.example", "plain.example"),
    ("xn--a.example", nil), ("xn--.example", nil), ("xn--0.example", nil), ("xn--abc-.example", nil),
    ("xn--zzzzzzzzzzzzzz.example", nil),
  ])
  func `a host is shown in its own letters, as ICU shows it`(ascii: String, host: String?) {
    #expect(HostName.unicode(ascii) == host)
  }

  @Test(arguments: Array("\"%<>[\\]^`{|} \u{7F}"))
  func `an ASCII host with a character that no host has is refused`(mark: Character) {
    for host in ["a\(mark)b.example", "\(mark)a.example", "a.example\(mark)"] {
      #expect(URLComponents(webAddress: "https://\(host)/x") == nil, "\(host)")
    }
  }

  @Test(arguments: [
    "https://[::1]:80/", "https://a!b.example/x", "https://exa%6dple.com/", "mailto:ü@é.example", "/a//b", "a", "",
    "https://user:pass@a.example/", "https://a.example/ü?ä=ö#ß", "tag:a.example,2026://x",
  ])
  func `all other addresses are read as they are`(address: String) {
    #expect(HostName.inASCII(url: address) == address)
  }

  @Test(arguments: [
    ("//müller.example/x", "//xn--mller-kva.example/x"), ("https://müller.example", "https://xn--mller-kva.example"),
    ("HTTPS://a:b@Müller.example:1?ü#ü", "HTTPS://a:b@xn--mller-kva.example:1?ü#ü"),
  ])
  func `only the host of an address changes`(address: String, ascii: String) {
    #expect(HostName.inASCII(url: address) == ascii)
  }

  @Test(arguments: ["müller.example", "MÜLLER.example", "xn--mller-kva.example", "https://müller.example/@ada"])
  func `all spellings of a host are one server`(text: String) throws {
    let server = try #require(Server(text))
    #expect(server.origin == "https://müller.example")
    #expect(server.owns("https://xn--mller-kva.example/api"))
    #expect(server.owns("https://MÜLLER.example:443/api"))
  }
}
