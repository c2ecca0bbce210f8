import Posts
import Testing

struct WebPlaceTests {
  @Test(arguments: [
    ("http://www.birds.example/a/", "birds.example/a"), ("https://birds.example/a", "birds.example/a"),
    ("HTTPS://Birds.Example/A", "birds.example/A"), ("https://birds.example/", "birds.example"),
    ("https://birds.example/a/?p=1", "birds.example/a?p=1"), ("https://birds.example/a#b", "birds.example/a#b"),
    ("http://127.0.0.1:80/a//", "127.0.0.1:80/a"), ("https://www.de/a", "www.de/a"),
    ("tag:birds.example,2026:1", "tag:birds.example,2026:1"),
  ])
  func `https, www and trailing slashes do not change the key`(address: String, key: String) {
    #expect(WebIdentity.key(of: address) == key)
  }

  @Test(arguments: [
    ("https://birds.example/a?utm_source=b&p=1#c", "birds.example/a?p=1#c"),
    ("https://birds.example/a#utm_source=b&utm_medium=c", "birds.example/a"),
    ("https://birds.example/a#b", "birds.example/a#b"),
    ("https://birds.example/(S(1))/a;jsessionid=2", "birds.example/a"),
    ("birds.example/a?fbclid=b", "birds.example/a"),
  ])
  func `a page is known without campaigns and sessions`(address: String, page: String) {
    #expect(WebIdentity.page(of: address) == page)
  }

  @Test func `the host is read without its www`() {
    #expect(WebIdentity.host(of: "https://www.birds.example:8443/a") == "birds.example:8443")
    #expect(WebIdentity.host(of: "urn:x") == nil)
  }
}
