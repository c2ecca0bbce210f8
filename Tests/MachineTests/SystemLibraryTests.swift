import Testing

@testable import Machine

/// Which package has a library that is missing.
@Suite struct SystemLibraryTests {
  @Test(arguments: [
    ("ID=debian\nVERSION_ID=\"12\"\n", "12"), ("PRETTY_NAME=\"Debian\"\nVERSION_ID=13\nID=\"debian\"\n", "13"),
    ("ID=debian\nVERSION_CODENAME=forky\n", nil), ("ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"24.04\"\n", nil), ("", nil),
  ])
  func `only a release of Debian that has a number is one`(text: String, number: String?) {
    #expect(DebianRelease.number(in: text) == number)
  }

  @Test(arguments: [
    ("libcurl.so.4", "12", "libcurl is not installed: apt-get install libcurl4"),
    ("libcurl.so.4", "13", "libcurl is not installed: apt-get install libcurl4t64"),
    ("libcurl.so.4", nil, "libcurl is not installed: apt-get install libcurl4t64"),
    ("libcurl.so.4", "99", "libcurl is not installed: apt-get install libcurl4t64"),
    ("libpng16.so.16", "12", "libpng16 is not installed: apt-get install libpng16-16"),
    ("libavformat.so.59", "12", "libavformat is not installed: apt-get install libavformat59"),
    (
      "libavformat.so.59", "13",
      "libavformat.so.59 is not in this release of the system: install the media for this release"
    ),
    ("libother.so.1", "13", "libother.so.1 is not installed"),
  ])
  func `a missing library is named with the package of the release`(file: String, release: String?, said: String) {
    #expect(SystemLibrary.missing(file, on: release) == said)
  }

  @Test func `each release has every library once, and this system has one of them`() {
    let names = SystemLibrary.releases.map { SystemLibrary.of($0).map { $0.file.prefix { $0 != "." } } }
    #expect(names.count >= 2 && names.allSatisfy { $0 == names[0] && Set($0).count == $0.count }, "\(names)")
    #expect(SystemLibrary.releases.contains { SystemLibrary.of($0) == SystemLibrary.all })
  }
}
