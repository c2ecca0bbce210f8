import CCrypto
import FoundationEssentials
import Hummingbird
import Synchronization

/// Checks that whoever sends a request has a key (DPoP, RFC 9449, 4.3), as strictly as any server: each nonce and each proof is
/// good once.
final class BlueskyProofs: Sendable {
  private struct State {
    var nonces: [String] = []
    var seen: [String] = []
  }

  private struct Header: Decodable {
    let typ, alg: String
    let jwk: Key

    struct Key: Decodable { let kty, crv, x, y: String }
  }

  private struct Claims: Decodable {
    let jti, htm, htu: String
    let iat: Double
    let nonce, ath: String?
  }

  private static let most = 1000
  private let state = Mutex(State())

  /// A new nonce.
  func nonce() -> String {
    let nonce = Self.fresh()
    state.withLock {
      $0.nonces.append(nonce)
      $0.nonces.removeFirst(max(0, $0.nonces.count - Self.most))
    }
    return nonce
  }

  /// A text that nobody can guess.
  static func fresh() -> String {
    var generator = SystemRandomNumberGenerator()
    return base64URL((0..<18).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// The thumbprint (RFC 7638) of the key that the sender of a request has.
  ///
  /// - Throws: `BlueskyRefusal`.
  func key(of request: Request, to origin: String, with token: String? = nil, at now: Date) throws -> String {
    guard let proof = request.headers[.proof] else { throw BlueskyRefusal.badProof }
    let parts = proof.split(separator: ".", omittingEmptySubsequences: false)
    let decoded = parts.compactMap(bytesOfBase64URL)
    guard parts.count == 3, decoded.count == 3,
      let header = try? JSONDecoder().decode(Header.self, from: Data(decoded[0])),
      let claims = try? JSONDecoder().decode(Claims.self, from: Data(decoded[1]))
    else { throw BlueskyRefusal.badProof }
    let point = [header.jwk.x, header.jwk.y].compactMap { bytesOfBase64URL($0) }
    guard header.typ == "dpop+jwt", header.alg == "ES256", header.jwk.kty == "EC", header.jwk.crv == "P-256",
      point.count == 2, point.allSatisfy({ $0.count == 32 }), decoded[2].count == 64
    else { throw BlueskyRefusal.badProof }
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    guard crypto_shim_es256_verify(point[0] + point[1], signed, signed.count, decoded[2]) == 1,
      claims.htm == request.method.rawValue, claims.htu == origin + request.uri.path,
      abs(claims.iat - now.timeIntervalSince1970) < 60,
      claims.ath == token.map({ base64URL(sha256(Array($0.utf8))) })
    else { throw BlueskyRefusal.badProof }
    try state.withLock { state in
      guard let nonce = claims.nonce, let index = state.nonces.firstIndex(of: nonce) else {
        throw BlueskyRefusal.wantsNonce
      }
      state.nonces.remove(at: index)
      guard !state.seen.contains(claims.jti) else { throw BlueskyRefusal.badProof }
      state.seen.append(claims.jti)
      state.seen.removeFirst(max(0, state.seen.count - Self.most))
    }
    let key = header.jwk
    return base64URL(sha256(Array(#"{"crv":"P-256","kty":"EC","x":"\#(key.x)","y":"\#(key.y)"}"#.utf8)))
  }
}

/// The bytes of base64 for URLs without padding (RFC 7515, 2).
private func bytesOfBase64URL(_ text: some StringProtocol) -> [UInt8]? {
  let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  return Data(base64Encoded: String(text).replacing("-", with: "+").replacing("_", with: "/") + padding).map(Array.init)
}
