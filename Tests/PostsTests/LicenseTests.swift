import Posts
import Testing

/// The names of licences.
struct LicenseTests {
  @Test(arguments: [
    ("https://creativecommons.org/licenses/by-nc-sa/2.0/", "CC BY-NC-SA 2.0"),
    ("http://creativecommons.org/licenses/by/4.0/deed.de", "CC BY 4.0"),
    ("https://www.creativecommons.org/publicdomain/zero/1.0/legalcode", "CC0 1.0"),
    ("https://creativecommons.org/publicdomain/mark/1.0", "Public Domain Mark 1.0"),
    ("https://creativecommons.org/licenses/by/4.0/rdf", "CC BY 4.0"),
    ("https://creativecommons.org/licenses/by-sa/3.0/de/deed.en", "CC BY-SA 3.0 DE"),
    ("https://creativecommons.org/licenses/by/3.0/igo/", "CC BY 3.0 IGO"),
  ])
  func `a licence of Creative Commons has one address and a short name`(address: String, name: String) {
    let license = License(rawValue: address)
    #expect(license.name == name)
    let parts = name.contains(" DE") || name.contains(" IGO") ? 4 : 3
    let tail = address.split(separator: "/").dropFirst(2).prefix(parts).joined(separator: "/")
    #expect(license.address == "https://creativecommons.org/\(tail)/")
    #expect(License(rawValue: license.rawValue) == license)
  }

  @Test func `words have no address, and neither has what is no address of the web`() {
    let texts = ["All rights reserved", "javascript:alert(1)", "https://example.org/a b"]
    #expect(texts.allSatisfy { License(rawValue: $0).address == nil })
    #expect(License(rawValue: "HTTPS://example.org/terms").address == "HTTPS://example.org/terms")
  }

  @Test(arguments: [
    "All rights reserved", "https://creativecommons.org/licenses/by-all/4.0/",
    "https://creativecommons.org/licenses/by/4.0x/",
    "https://creativecommons.org/licenses/by/../",
    "https://creativecommons.org.evil.example/licenses/by/4.0/", "creativecommons.org/licenses/by/4.0/", "",
  ])
  func `others stay as they are`(text: String) {
    #expect((License(rawValue: text).rawValue, License(rawValue: text).name) == (text, text))
  }
}
