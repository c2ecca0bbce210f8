import FoundationEssentials
import HTTP
import Posts

/// What a login's tokens are bound to (RFC 9449): a key, without which nobody can use them, and the servers that take them.
public struct TokenBinding: Sendable, Hashable, Codable {
  /// The key. It never leaves the file of accounts.
  public let key: SigningKey
  /// The server that issued the tokens.
  package let issuer: Server
  /// The only server to which the token is sent: the one that has the account.
  public let home: Server
  /// Where the refresh token is sent.
  package let tokenEndpoint: String
  /// Where a token is revoked; empty if the server revokes none.
  package let revocation: String

  package init(key: SigningKey, issuer: Server, home: Server, tokenEndpoint: String, revocation: String) {
    (self.key, self.issuer, self.home) = (key, issuer, home)
    (self.tokenEndpoint, self.revocation) = (tokenEndpoint, revocation)
  }

  enum CodingKeys: String, CodingKey {
    case key, issuer, home, revocation
    case tokenEndpoint = "token_endpoint"
  }
}

/// A login whose request went to the server before the person opened its page (RFC 9126).
package struct PushedLogin: Sendable, Hashable, Codable {
  /// The server returns it with the code.
  package let state: Secret
  /// The PKCE secret (RFC 7636).
  package let verifier: Secret
  /// What its tokens will be bound to.
  package let binding: TokenBinding
  /// The service's own id of the account that is to be logged in.
  package let owner: String
  /// The account's handle.
  package let handle: String

  package init(state: Secret, verifier: Secret, binding: TokenBinding, owner: String, handle: String) {
    (self.state, self.verifier, self.binding) = (state, verifier, binding)
    (self.owner, self.handle) = (owner, handle)
  }
}

/// Logs people in by name, on a page of the server that has the account.
package protocol NamedLoginProvider: LoginProvider {
  /// Begins the login of the person with a name.
  ///
  /// - Throws: `.unknownName` if nobody has it, `.noPage` if the server has no page that can be used, `.livesElsewhere` if
  ///   another server has the account.
  func start(as name: String) async throws(LoginError) -> LoginStart
}

extension Transport {
  /// A transport that sends requests as a login demands: it signs those of a login whose token is not sent, and proves those
  /// whose token is bound to a key, anew for each try. It leaves other requests unchanged.
  ///
  /// - Parameters:
  ///   - account: The login; nil for none.
  ///   - nonces: What servers gave for proofs so far.
  ///   - time: The clock.
  ///   - random: Unpredictable bytes, as many as asked for.
  /// - Returns: The transport.
  public func authorized(
    as account: Account?, _ nonces: ProofNonces, time: TimeSource,
    random: @escaping @Sendable (Int) -> [UInt8] = { randomBytes($0) }
  ) -> Transport {
    let now: @Sendable () -> Int = { Int(time.now().timeIntervalSince1970) }
    if let keys = account?.signingKeys { return signed(with: keys, now: now, random: random) }
    guard let binding = account?.binding else { return self }
    return Transport(
      send: { request throws(TransportError) in
        guard request.token != nil else { return try await self.send(request) }
        guard binding.home.owns(request.url) else {
          // No other server can use the token, or may learn it.
          var plain = request
          plain.token = nil
          return try await self.send(plain)
        }
        return try await self.send(request, provenBy: binding.key, nonces, now: now, random: random)
      }, download: download)
  }
}
