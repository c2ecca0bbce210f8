import Foundation
import HTTP
import Testing

@Suite struct CryptoTests {
  @Test func `the challenge of RFC 7636, appendix B, comes out`() {
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    #expect(base64URL(Digest.sha256(verifier.utf8)) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func `the digest of nothing is that of FIPS 180-4`() {
    #expect(Digest.sha256([]).prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
  }

  @Test(arguments: 0..<70)
  func `base64url is base64 with its own letters and no padding`(count: Int) {
    let bytes = randomBytes(count)
    #expect(bytes.count == count)
    let plain = Data(bytes).base64EncodedString()
    let expected = plain.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    #expect(base64URL(bytes) == expected)
  }

  @Test func `random bytes do not repeat`() {
    #expect(Set((0..<100).map { _ in randomBytes(16) }).count == 100)
  }
}
