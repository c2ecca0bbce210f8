import Foundation
import Synchronization
import Testing

@testable import HTTP

struct PossessionProofTests {
  private let key = SigningKey()!

  private func proof(_ request: Request, nonce: String? = nil) throws -> (parts: [Substring], [String: Any]) {
    let field = PossessionProof(key, moment: 1_795_000_000, id: "one", nonce: nonce).proving(request).headers["DPoP"]
    let parts = try #require(field).split(separator: ".")
    let claims = try #require(bytesOfBase64URL(parts[1]))
    return (parts, try #require(try JSONSerialization.jsonObject(with: Data(claims)) as? [String: Any]))
  }

  /// The token and its hash are those of RFC 9449, 7.1.
  @Test func `a proof names the request, and the token by its hash`() throws {
    let token = Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")
    let request = Request(.get, "https://pds.example/xrpc/app.bsky.feed.getPosts?uris=a#b", token: token)
    let (parts, claims) = try proof(request, nonce: "n")
    #expect(claims["htm"] as? String == "GET")
    #expect(claims["htu"] as? String == "https://pds.example/xrpc/app.bsky.feed.getPosts")
    #expect(claims["ath"] as? String == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
    #expect(claims["iat"] as? Int == 1_795_000_000)
    #expect((claims["jti"] as? String, claims["nonce"] as? String) == ("one", "n"))
    #expect(bytesOfBase64URL(parts[2])?.count == 64)
    let header = try #require(bytesOfBase64URL(parts[0]))
    let fields = try #require(try JSONSerialization.jsonObject(with: Data(header)) as? [String: Any])
    #expect(fields["typ"] as? String == "dpop+jwt")
    let jwk = try #require(fields["jwk"] as? [String: String])
    // The private part `d` is not among them.
    #expect(jwk == ["kty": "EC", "crv": "P-256", "x": key.point.x, "y": key.point.y])
    #expect(try proof(Request(.post, "https://pds.example/token")).1.keys.sorted() == ["htm", "htu", "iat", "jti"])
  }

  @Test func `a proven request has no bearer, and follows no redirect`() throws {
    let request = PossessionProof(key, moment: 1, id: "x", nonce: nil).proving(Request(.get, "https://pds.example/"))
    #expect(request.tokenPlacement == .header(scheme: "DPoP"))
    guard case .nowhere(isUserChosen: false) = request.redirects else { return #expect(Bool(false)) }
  }

  @Test func `a key is read again from the file, and nothing else is one`() throws {
    let written = try JSONEncoder().encode([key])
    let read = try JSONDecoder().decode([SigningKey].self, from: written)
    #expect(read == [key] && read[0].point == key.point)
    #expect(
      !"\(key) \(String(reflecting: key))".contains(String(decoding: written, as: UTF8.self).dropFirst(2).prefix(20)))
    for text in [#"["""#, #""AAAA""#, "\"\(base64URL([UInt8](repeating: 7, count: 121)))\"", "7"] {
      #expect(throws: (any Error).self) { try JSONDecoder().decode([SigningKey].self, from: Data("[\(text)]".utf8)) }
    }
  }

  // MARK: Nonces

  /// A server that wants a nonce, and the requests it got.
  private final class Server: Sendable {
    let asked = Mutex<[String?]>([])
    let answer: @Sendable (_ nonce: String?, _ count: Int) -> Response

    init(_ answer: @escaping @Sendable (String?, Int) -> Response) { self.answer = answer }

    var transport: Transport {
      let send: @Sendable (Request) async throws(TransportError) -> Response = {
        [self] request throws(TransportError) in
        let payload = (request.headers["DPoP"] ?? "").split(separator: ".").dropFirst().first ?? ""
        let claims = try? JSONSerialization.jsonObject(with: Data(bytesOfBase64URL(payload) ?? [])) as? [String: Any]
        let nonce = claims?["nonce"] as? String
        let count = asked.withLock {
          $0.append(nonce)
          return $0.count
        }
        return answer(nonce, count)
      }
      return Transport(send: send, download: { request, _ throws(TransportError) in try await send(request) })
    }
  }

  private static func wanting(_ nonce: String?, status: Int = 401) -> Response {
    var headers: Headers = ["WWW-Authenticate": "DPoP error=\"use_dpop_nonce\""]
    headers["DPoP-Nonce"] = nonce
    return Response(status: status, headers: headers)
  }

  private func send(_ server: Server, _ nonces: ProofNonces) async throws -> Response {
    try await server.transport.send(
      Request(.get, "https://pds.example/xrpc/a"), provenBy: key, nonces, now: { 1 }, random: { randomBytes($0) })
  }

  @Test func `a nonce is used until the server gives another one`() async throws {
    let server = Server { nonce, count in
      if nonce == nil { return Self.wanting("first") }
      return Response(status: 200, headers: count == 3 ? ["DPoP-Nonce": "second"] : [:])
    }
    let nonces = ProofNonces()
    for _ in 0..<3 { #expect(try await send(server, nonces).status == 200) }
    #expect(server.asked.withLock { $0 } == [nil, "first", "first", "second"])
  }

  @Test func `a nonce that changes each time does not lead on without end`() async throws {
    let server = Server { _, count in Self.wanting("n\(count)") }
    let refused = try await send(server, ProofNonces())
    #expect(refused.asksForNonce)
    #expect(server.asked.withLock { $0 } == [nil, "n1", "n2"])
  }

  @Test(arguments: [nil, "", "two words", "a\"b", "a\\b", String(repeating: "n", count: 1025)])
  func `what is no nonce is not sent`(nonce: String?) async throws {
    let server = Server { _, _ in Self.wanting(nonce) }
    #expect(try await send(server, ProofNonces()).status == 401)
    #expect(server.asked.withLock { $0 } == [nil])
  }

  @Test func `only a refusal for the nonce leads to another try`() async throws {
    for response in [Self.wanting("n", status: 403), Response(status: 401, headers: ["DPoP-Nonce": "n"])] {
      let server = Server { _, _ in response }
      #expect(try await send(server, ProofNonces()).status == response.status)
      #expect(server.asked.withLock { $0.count } == 1)
    }
    let inBody = Response(status: 400, body: Array(#"{"error":"use_dpop_nonce"}"#.utf8))
    #expect(inBody.asksForNonce)
  }
}
