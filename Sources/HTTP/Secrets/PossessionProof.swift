import FoundationEssentials
import Synchronization

/// A proof that the sender of one request has a key (DPoP, RFC 9449, 4.2). It is pure: the caller passes time and randomness.
public struct PossessionProof: Sendable {
  let key: SigningKey
  /// Seconds since 1970.
  let moment: Int
  /// Unique among all proofs.
  let id: String
  /// What the server wants to read in it; nil if it said nothing yet.
  let nonce: String?

  /// A proof by a key.
  public init(_ key: SigningKey, moment: Int, id: String, nonce: String?) {
    (self.key, self.moment, self.id, self.nonce) = (key, moment, id, nonce)
  }

  /// Returns the request with the proof. A token is bound to it, and goes after the scheme `DPoP`.
  ///
  /// A proven request follows no redirect: the proof names its address.
  public func proving(_ request: Request) -> Request {
    var proven = request
    proven.headers["DPoP"] = text(for: request)
    proven.tokenPlacement = .header(scheme: "DPoP")
    proven.redirects = .nowhere(isUserChosen: false)
    return proven
  }

  private struct Header: Encodable {
    let typ = "dpop+jwt"
    let alg = "ES256"
    let jwk: Key

    struct Key: Encodable {
      let kty = "EC"
      let crv = "P-256"
      let x: String
      let y: String
    }
  }

  private struct Claims: Encodable {
    let jti, htm, htu: String
    let iat: Int
    let nonce, ath: String?
  }

  private func text(for request: Request) -> String? {
    let address = request.url.prefix { $0 != "?" && $0 != "#" }
    let (x, y) = key.point
    let header = try? JSONEncoder().encode(Header(jwk: Header.Key(x: x, y: y)))
    let claims = try? JSONEncoder().encode(
      Claims(
        jti: id, htm: request.method.rawValue, htu: String(address), iat: moment, nonce: nonce,
        ath: request.token.map { base64URL(Digest.sha256(Array($0.reveal().utf8))) }))
    guard let header, let claims else { return nil }
    let signed = "\(base64URL(Array(header))).\(base64URL(Array(claims)))"
    return key.signature(of: Array(signed.utf8)).map { "\(signed).\(base64URL($0))" }
  }
}

/// The nonces that servers gave for proofs (RFC 9449, 8), the newest of each.
public final class ProofNonces: Sendable {
  private let known = Mutex<[String: String]>([:])

  /// Knows none.
  public init() {}

  /// The nonce of a server, by its origin.
  subscript(origin: String) -> String? { known.withLock { $0[origin] } }

  /// Remembers what an answer gave. Returns whether it is another one than before.
  func note(_ response: Response, from origin: String) -> Bool {
    guard let nonce = response.headers["DPoP-Nonce"], Self.isNonce(nonce) else { return false }
    return known.withLock { known in
      // Logins are at few servers. A program that runs for long must not keep those of all.
      if known.count > 100 { known = [:] }
      return known.updateValue(nonce, forKey: origin) != nonce
    }
  }

  /// RFC 9449, 8.1, of a bearable length.
  private static func isNonce(_ text: String) -> Bool {
    (1...1024).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }
}

extension Transport {
  /// How often a request is sent at most. A server may want another nonce each time.
  private static let mostProofs = 3

  /// Sends a request with a proof, anew with the nonce that the server asks for. If the server goes on asking, its last
  /// refusal is the answer.
  ///
  /// - Parameters:
  ///   - request: The request. The server reads the proof before all else, so a refused one may be sent again.
  ///   - key: The key.
  ///   - nonces: What servers gave so far.
  ///   - now: Seconds since 1970.
  ///   - random: Unpredictable bytes, as many as asked for.
  /// - Returns: The answer, whatever its status.
  /// - Throws: `TransportError`.
  public func send(
    _ request: Request, provenBy key: SigningKey, _ nonces: ProofNonces, now: @Sendable () -> Int,
    random: @Sendable (Int) -> [UInt8]
  ) async throws(TransportError) -> Response {
    let origin = String(request.url.split(separator: "/", maxSplits: 3).prefix(2).joined(separator: "//"))
    var tries = 0
    while true {
      let proof = PossessionProof(key, moment: now(), id: base64URL(random(16)), nonce: nonces[origin])
      let response = try await send(proof.proving(request))
      tries += 1
      let isNew = nonces.note(response, from: origin)
      guard isNew, response.asksForNonce, tries < Self.mostProofs else { return response }
    }
  }
}

extension Response {
  /// Whether the server refused a proof only for its nonce (RFC 9449, 8 and 9).
  public var asksForNonce: Bool {
    guard status == 400 || status == 401 else { return false }
    let challenges = headers.all("WWW-Authenticate").joined()
    return challenges.contains("use_dpop_nonce")
      || body.count <= 64 << 10 && String(decoding: body, as: UTF8.self).contains("\"use_dpop_nonce\"")
  }
}
