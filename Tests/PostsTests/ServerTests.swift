import Foundation
import Posts
import Testing

struct ServerTests {
  @Test(arguments: [
    ("mastodon.social", "https://mastodon.social"), (" Mastodon.Social ", "https://mastodon.social"),
    ("https://mastodon.social/", "https://mastodon.social"),
    ("https://mastodon.social/@birds?x#y", "https://mastodon.social"),
    ("mastodon.social:443", "https://mastodon.social"), ("mastodon.social:8443", "https://mastodon.social:8443"),
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://host:80/x", "http://host"),
    ("HTTP://[::1]:8080", "http://[::1]:8080"),
  ])
  func `a host or a URL names an origin`(text: String, origin: String) {
    #expect(Server(text)?.origin == origin)
  }

  @Test(arguments: [
    "", " ", "ftp://mastodon.social", "https://", "https://user@mastodon.social", "https://user:pass@mastodon.social",
    "mastodon.social/path", "mastodon social", "mastodon.social?x", "file:///etc/passwd", "javascript:alert(1)",
    "https://evil.example\\@mastodon.social", "a\nb",
  ])
  func `anything else is not a server`(text: String) {
    #expect(Server(text) == nil)
  }

  @Test func `a name includes the scheme only if it is not https`() {
    #expect(Server("https://mastodon.social")?.name == "mastodon.social")
    #expect(Server("http://127.0.0.1:8080")?.name == "http://127.0.0.1:8080")
    #expect(Server("http://127.0.0.1:8080")?.host == "127.0.0.1:8080")
    #expect(Server("http://127.0.0.1:8080")?.isSecure == false)
  }

  @Test(arguments: [
    ("https://mastodon.social/api", true), ("https://mastodon.social:443/", true), ("HTTPS://MASTODON.SOCIAL", true),
    ("http://mastodon.social/", false), ("https://mastodon.social:8443/", false),
    ("https://mastodon.social.evil.example/", false),
    ("https://mastodon.social@evil.example/", false), ("//mastodon.social/", false), ("/api", false), ("", false),
  ])
  func `a server owns the URLs of its own origin`(url: String, isOwned: Bool) throws {
    #expect(try #require(Server("mastodon.social")).owns(url) == isOwned)
  }

  @Test func `an encoded server is decoded again, and any other text is refused`() throws {
    let server = try #require(Server("http://127.0.0.1:8080"))
    #expect(try JSONDecoder().decode(Server.self, from: JSONEncoder().encode(server)) == server)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Server.self, from: Data(#""a b""#.utf8)) }
  }
}
