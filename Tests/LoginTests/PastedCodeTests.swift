import HTTP
import Testing

@testable import Login

@Suite struct `what people paste` {
  @Test(
    arguments: [
      "abc-DEF_123", "  abc-DEF_123\n", "abc-\nDEF_123", "abc-DEF\t_1 23\r\n", "\u{FEFF}abc-DEF_123\u{200B}",
      "\u{1B}[200~abc-DEF_123\u{1B}[201~", "code=abc-DEF_123",
    ])
  func `a code is read through white space`(pasted: String) {
    #expect(PastedCode(pasted) == .code(Secret("abc-DEF_123"), state: nil))
  }

  @Test(
    arguments: [
      "abc&state=xyz", "abc&state=xyz&other=1", "code=abc&state=xyz", "state=xyz&code=abc",
      "abc&state=xyz#_=_", "code=abc&state=xyz#_=_", "code=abc&state=xyz#_\n=_\n",
      "https://cats.example/oauth/authorize/native?code=abc&state=xyz",
      "urn:ietf:wg:oauth:2.0:oob?code=abc&state=xyz", "http://localhost/?state=x%79z&code=a%62c#_=_",
      "https://cats.exam\n  ple/native?code=a\nbc&state=xyz\n",
    ])
  func `the state is separated from the code`(pasted: String) {
    #expect(PastedCode(pasted) == .code(Secret("abc"), state: Secret("xyz")))
  }

  @Test func `the issuer is kept where it came along`() {
    let pasted = "http://127.0.0.1/?iss=https%3A%2F%2Fbsky.social&state=xyz&code=abc"
    #expect(PastedCode(pasted) == .code(Secret("abc"), state: Secret("xyz"), issuer: "https://bsky.social"))
  }

  @Test func `an empty state is none`() {
    #expect(PastedCode("abc&state=") == .code(Secret("abc"), state: nil))
    #expect(PastedCode("abc&") == .code(Secret("abc"), state: nil))
  }

  @Test func `a code that is not in an address keeps its signs`() {
    #expect(PastedCode("a+b/c%2F==") == .code(Secret("a+b/c%2F=="), state: nil))
  }

  @Test(arguments: ["", "   \n", "\u{200B}\u{FEFF}"])
  func `nothing is nothing`(pasted: String) { #expect(PastedCode(pasted) == .empty) }

  @Test(arguments: ["https://cats.example/?error=access_denied&state=x", "error=access_denied"])
  func `a no is a no`(pasted: String) { #expect(PastedCode(pasted) == .denied) }

  @Test(
    arguments: [
      "https://cats.example/oauth/authorize?client_id=1&state=2", "https://cats.example/", "naïve", "&state=xyz",
      "https://cats.example/?code=%0D%0A", "https://cats.example/?code=%zz", String(repeating: "a", count: 8193),
    ])
  func `a text without a code is refused`(pasted: String) { #expect(PastedCode(pasted) == .nonsense) }

  @Test func `no text at all breaks it`() {
    let seed = UInt64.random(in: 0 ... .max)
    var chance = Steps(state: seed)
    let pieces = [
      "code=", "state=", "&", "=", "?", "#", "://", "%", "%4", "a", " ", "\u{0}", "é", "\u{1B}[200~", "error",
    ]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0...12, using: &chance)).map { _ in pieces.randomElement(using: &chance)! }
        .joined()
      if case .code(let code, _, _) = PastedCode(text) {
        #expect(code.reveal().utf8.allSatisfy { (0x21...0x7E).contains($0) }, "seed \(seed): \(text)")
      }
    }
  }
}

/// SplitMix64: the same numbers for the same seed.
struct Steps: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
