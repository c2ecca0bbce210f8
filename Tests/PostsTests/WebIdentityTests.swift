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

  @Test func `the host is read without its www`() {
    #expect(WebIdentity.host(of: "https://www.birds.example:8443/a") == "birds.example:8443")
    #expect(WebIdentity.host(of: "urn:x") == nil)
  }
}
