import Testing

@testable import Transfer

@Suite struct SiteNameTests {
  @Test(arguments: [
    "../x", "CON", "con", "nul", "COM1", "", ".", "..", "a/b", "red panda", "Kätzchen", "a\u{0}b", "-x", "x:y", "a__2",
    String(repeating: "n", count: 300), "日本語", "%2e%2e",
  ])
  func `a wild name becomes a file name of letters, digits and hyphens, with a digest`(name: String) {
    let file = SiteName.of(name)
    #expect((1...60).contains(file.utf8.count))
    #expect(file.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 })
    #expect(file != name && file.suffix(13).first == "-" && file.first != "-")
  }

  @Test func `a plain name stays, and no two names are one file`() {
    #expect(SiteName.tag("cats") == "tag/cats.html" && SiteName.tag("cats", page: 1) == "tag/cats__2.html")
    let names = [
      "cats", "Cats", "CATS", "c ats", "c-ats", "cats ", "birds@a.example", "birds-a.example", "birds@A.example",
    ]
    #expect(Set(names.map { SiteName.of($0).lowercased() }).count == names.count)
  }
}
