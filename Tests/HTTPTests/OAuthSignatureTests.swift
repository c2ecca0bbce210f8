import Testing

@testable import HTTP

struct OAuthSignatureTests {
  private let keys = OAuthKeys(
    app: "xvz1evFS4wEEPTGEFPHBog", appSecret: Secret("kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw"),
    token: Secret("370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb"),
    tokenSecret: Secret("LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE"))

  /// The example at https://dev.twitter.com/oauth/overview/creating-signatures: that of API 1, and the current one of
  /// 1.1.
  @Test(arguments: [("1", "tnnArxj06cWHq44gCs1OSKk/jLY="), ("1.1", "hCtSmYh+iHYCEqBWrE7C7hYmtUk=")])
  func `the published example is signed as published`(version: String, signature: String) {
    let request = Request.form(
      "https://api.twitter.com/\(version)/statuses/update.json?include_entities=true",
      [("status", "Hello Ladies + Gentlemen, a signed OAuth request!")])
    let signed = OAuthSignature(keys, moment: 1_318_622_958, nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg")
      .signing(request)
    let field = signed.headers["Authorization"] ?? ""
    #expect(field.contains("oauth_signature=\"\(Request.percentEncoded(signature))\""), "\(field)")
    #expect(field.hasPrefix("OAuth oauth_consumer_key=\"xvz1evFS4wEEPTGEFPHBog\", oauth_nonce="))
    #expect(!field.contains(keys.appSecret.reveal()) && !field.contains("LswwdoUaIvS8"))
    #expect(signed.url == request.url)
  }

  /// RFC 2202, 3: test cases 1 and 2.
  @Test func `the digest is that of the RFC`() {
    let first = Digest.hmacSHA1(Array("Hi There".utf8), key: [UInt8](repeating: 0x0B, count: 20))
    #expect(first.starts(with: [0xB6, 0x17, 0x31, 0x86, 0x55, 0x05, 0x72, 0x64]))
    let second = Digest.hmacSHA1(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(second.starts(with: [0xEF, 0xFC, 0xDF, 0x6A, 0xE5, 0xEB, 0x2F, 0xA2]))
    #expect(first.count == 20)
    #expect(["", "f", "fo", "foo"].map { Digest.base64(Array($0.utf8)) } == ["", "Zg==", "Zm8=", "Zm9v"])
  }

  @Test func `only requests with the keys' token are signed, each try anew`() async throws {
    let sink = Sent()
    let transport = sink.transport.signed(with: keys, now: { 1 }, random: { sink.bytes($0) })
    for token in [keys.token, keys.token, nil, Secret("another")] {
      _ = try await transport.send(Request(.get, "https://api.x.com/2/users/me", token: token))
    }
    let fields = await sink.requests.map { $0.headers["Authorization"] }
    #expect(fields.map { $0 == nil } == [false, false, true, true])
    #expect(fields[0] != fields[1])
    #expect(await sink.requests.map(\.token) == [nil, nil, nil, Secret("another")])
  }
}

/// Records the requests that were sent.
private actor Sent {
  private(set) var requests: [Request] = []

  private func keep(_ request: Request) { requests.append(request) }

  nonisolated func bytes(_ count: Int) -> [UInt8] { randomBytes(count) }

  nonisolated var transport: Transport {
    Transport(
      send: { request throws(TransportError) in
        await self.keep(request)
        return Response(status: 200)
      },
      download: { _, _ throws(TransportError) in Response(status: 200) })
  }
}
