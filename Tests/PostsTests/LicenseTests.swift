import Posts
import Testing

/// The names of licences.
struct LicenseTests {
  @Test(arguments: [
    ("https://creativecommons.org/licenses/by-nc-sa/2.0/", "CC BY-NC-SA 2.0"),
    ("http://creativecommons.org/licenses/by/4.0/deed.de", "CC BY 4.0"),
    ("https://www.creativecommons.org/publicdomain/zero/1.0/legalcode", "CC0 1.0"),
    ("https://creativecommons.org/publicdomain/mark/1.0", "Public Domain Mark 1.0"),
  ])
  func `a licence of Creative Commons has one address and a short name`(address: String, name: String) {
    let license = License(rawValue: address)
    #expect(license.name == name)
    let tail = address.split(separator: "/").dropFirst(2).prefix(3).joined(separator: "/")
    #expect(license.address == "https://creativecommons.org/\(tail)/")
  }

  @Test(arguments: [
    "All rights reserved", "https://creativecommons.org/licenses/by-all/4.0/",
    "https://creativecommons.org/licenses/by/4.0x/",
    "https://creativecommons.org.evil.example/licenses/by/4.0/", "creativecommons.org/licenses/by/4.0/", "",
  ])
  func `others stay as they are`(text: String) {
    #expect((License(rawValue: text).rawValue, License(rawValue: text).name) == (text, text))
  }
}
