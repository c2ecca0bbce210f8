import Testing

@testable import HTTP

struct NetrcTests {
  @Test(arguments: [
    ("machine pod.example login ada password word", true), ("machine\n  POD.example\nlogin ada\n", true),
    ("machine other.example login ada\ndefault login bob password x", true), ("machine other.example login ada", false),
    ("# machine pod.example\n", false), ("", false), ("machine", false),
  ])
  func `a file of logins is for the hosts that it names, or for all`(text: String, names: Bool) {
    #expect(Netrc.names("pod.example", in: text) == names)
  }

  @Test func `a file that is not there names no host`() {
    #expect(!Netrc.names("pod.example", inFile: "/nowhere/netrc") && !Netrc.names("pod.example", inFile: nil))
  }
}
