import Foundation
import Testing

@testable import HTTP

@Suite struct CookieTests {
  private func jar(_ fields: String..., from url: String = "https://a.example/deep/page") -> CookieJar {
    var headers = Headers()
    headers.fields = fields.map { (name: "Set-Cookie", value: $0) }
    var jar = CookieJar()
    jar.note(headers, from: url)
    return jar
  }

  @Test func `a cookie goes to its host, its path and its scheme alone`() {
    let jar = jar("a=1", "b=2; Path=/", "c=3; Domain=a.example; Path=/; Secure", "d=4; Path=/other")
    #expect(jar.field(for: "https://a.example/deep/next") == "a=1; b=2; c=3")
    #expect(jar.field(for: "https://a.example/") == "b=2; c=3")
    #expect(jar.field(for: "http://a.example/") == "b=2")
    #expect(jar.field(for: "https://sub.a.example:8443/") == "c=3")
    #expect(jar.field(for: "https://b.example/") == nil)
    #expect(jar.field(for: "https://a.example/otherwise") == "b=2; c=3")
  }

  @Test(arguments: [
    "x=1; Domain=b.example", "x=1; Domain=example", "=1", "x", "x=\u{1}", "x=1; Max-Age=0",
    "x=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
  ])
  func `a cookie for another host, a deleted one and what is none are not kept`(field: String) {
    #expect(jar("x=0; Max-Age=-1", field).field(for: "https://a.example/deep/page") == nil)
  }

  private static let file = """
    # Netscape HTTP Cookie File
    .photo.example\tTRUE\t/\tTRUE\t4000000000\tsession\tabc def
    #HttpOnly_photo.example\tFALSE\t/albums\tTRUE\t0\tkey\tx=y
    photo.example\tFALSE\t/\tFALSE\t1000000000\told\tgone
    other.example\tFALSE\t/\tFALSE\t0\tother\t1
    """

  @Test func `a browser's file is read, without what expired`() throws {
    let cookies = try #require(Cookie.netscape(Self.file, now: noon))
    let sent = { (url: String) in CookieJar().field(for: url, beside: cookies) }
    #expect(sent("https://photo.example/albums/1") == "key=x=y; session=abc def")
    #expect(sent("https://cdn.photo.example/") == "session=abc def")
    #expect(sent("https://other.example/") == "other=1")
    #expect(Cookie.netscape("session=abc", now: noon) == nil && Cookie.netscape("", now: noon) == nil)
  }

  /// The cookies of a request's next hop.
  private func brought(
    _ request: Request, at url: String? = nil, leaving: Bool = false
  ) throws -> String? {
    let curl = try #require(Curl.library)
    let transfer = Transfer(request, sink: nil)
    #expect(transfer.locate(curl))
    transfer.hasLeft = leaving
    if let url { (transfer.url, transfer.address) = (url, Address(url, curl)) }
    let cookies = try #require(Cookie.netscape(Self.file, now: noon))
    transfer.options = ["photo.example": HostOptions(cookies: cookies)].options(of: transfer.address)
    return transfer.cookieField
  }

  @Test func `the cookies of a person's browser go over https, to read, and never after a redirect elsewhere`() throws {
    let page = "https://photo.example/page"
    #expect(try brought(Request(.get, page)) == "session=abc def")
    #expect(try brought(Request(.get, page, headers: ["Cookie": "own=1"])) == "own=1; session=abc def")
    #expect(try brought(Request(.get, page, redirects: .anywhere)) == "session=abc def")
    #expect(try brought(Request(.get, page, redirects: .nowhere(isUserChosen: true))) == "session=abc def")
    #expect(try brought(Request(.get, page, redirects: .nowhere(isUserChosen: false))) == nil)
    #expect(try brought(Request(.get, "http://photo.example/page")) == nil)
    #expect(try brought(Request(.post, page)) == nil)
    #expect(try brought(Request(.get, "https://elsewhere.example/"), at: page, leaving: true) == nil)
    #expect(try brought(Request(.get, page), at: "https://photo.example/again", leaving: true) == nil)
  }
}
