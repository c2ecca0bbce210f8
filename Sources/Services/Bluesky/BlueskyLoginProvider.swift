import FoundationEssentials
import HTTP
import JSONReading
import Login
import Posts

/// Logs people in by handle and app password (https://docs.bsky.app/docs/api/com-atproto-server-create-session), or on a page.
///
/// Bluesky allows 30 logins in five minutes and 300 a day, so a login is kept and renewed. A renewal ends the token for
/// renewal, too.
struct BlueskyLoginProvider: PasswordLoginProvider {
  static let wanted = PasswordLogin(
    name: "handle", password: "app password", advice: "made in Settings, Privacy and security, App passwords",
    code: "sent a code by mail")
  static let reportsFailedRevocation = true

  let authServer: AuthServer
  let nonces = ProofNonces()
  var server: Server { authServer.server }
  var network: BlueskyNetwork { BlueskyNetwork(of: server, authServer.directories) }

  init(_ authServer: AuthServer) {
    self.authServer = authServer.answering(as: "Bluesky and other servers of its network")
  }

  func grant(toName name: String, password: Secret, code: Secret?) async throws(LoginError) -> Grant {
    let name = String(name.trimmingWhiteSpace.drop { $0 == "@" })
    var fields = ["identifier": name, "password": password.reveal()]
    fields["authFactorToken"] = code?.reveal()
    var request = request("com.atproto.server.createSession")
    request.headers["Content-Type"] = "application/json"
    request.body = (try? JSONEncoder().encode(fields)).map(Array.init)
    let response = try await authServer.answer(to: request)
    switch (response.status, BlueskyAPIError(in: response.body).name) {
    case (200..<300, _): return try grant(in: response)
    case (400..<500, "AuthFactorTokenRequired"): throw .codeWanted(server)
    case (400..<500, "InvalidToken"), (400..<500, "ExpiredToken"): throw .codeRefused(server)
    case (400..<500, _?):
      if let home = await home(of: name) { throw .livesElsewhere(server, .bluesky, at: home) }
      throw .passwordRefused(server)
    default: throw authServer.surprise(response)
    }
  }

  /// Exchanges the account's token for renewal (https://docs.bsky.app/docs/api/com-atproto-server-refresh-session). It
  /// works once.
  func renew(_ account: Account) async throws(LoginError) -> Grant? {
    if let binding = account.binding { return try await renew(account, binding) }
    guard let old = account.refreshToken else { return nil }
    let response = try await authServer.answer(to: request("com.atproto.server.refreshSession", token: old))
    let said = BlueskyAPIError(in: response.body)
    switch (response.status, said.name) {
    case (200..<300, _):
      let grant = try grant(in: response)
      guard account.remoteID == nil || grant.person?.id == account.remoteID else {
        throw .unreadable(server, what: "it renews the login of another account")
      }
      return grant
    case (401, _), (400..<500, _?):
      throw .tokenRefused(server, reason: ServerText.reason(said.reason, hiding: [old, account.token]))
    default: throw authServer.surprise(response)
    }
  }

  func person(behind token: Secret) async throws(LoginError) -> Person {
    let address = BlueskyNetwork.address(of: "com.atproto.server.getSession", at: server)
    return try person(in: try await authServer.answer(to: Request(.get, address, token: token)), hiding: token)
  }

  func person(of account: Account) async throws(LoginError) -> Person {
    guard let binding = account.binding else { return try await person(behind: account.token) }
    return try await person(of: account, binding)
  }

  /// The owner of a token, as a server answers.
  func person(in response: Response, hiding token: Secret) throws(LoginError) -> Person {
    let said = BlueskyAPIError(in: response.body)
    switch (response.status, said.name) {
    case (200, _): return try person(in: JSONObject(response.body))
    case (400..<500, _?):
      throw .tokenRefused(server, reason: ServerText.reason(said.reason, hiding: [token]))
    default: throw authServer.surprise(response)
    }
  }

  func end(of token: Secret) async throws(LoginError) -> Date? {
    Self.life(of: token).map(authServer.time.now().addingTimeInterval)
  }

  /// Ends the login (https://docs.bsky.app/docs/api/com-atproto-server-delete-session).
  func revoke(_ account: Account) async throws(LoginError) -> Revocation {
    if let binding = account.binding { return try await revoke(account, binding) }
    guard let old = account.refreshToken else { return .notRevoked(reason: "the token was not made here") }
    return try await Revocation { () async throws(LoginError) in
      try await authServer.answer(to: request("com.atproto.server.deleteSession", token: old))
    }
  }

  private func request(_ method: String, token: Secret? = nil) -> Request {
    Request(.post, BlueskyNetwork.address(of: method, at: server), token: token, body: [])
  }

  // MARK: Answers

  private func grant(in response: Response) throws(LoginError) -> Grant {
    let fields = JSONObject(response.body)
    let person = try person(in: fields)
    guard let token = fields?.filled("accessJwt").flatMap(Secret.init(asToken:)) else {
      throw .unreadable(server, what: "it has no token")
    }
    return Grant(
      token: token, scopes: [], life: Self.life(of: token),
      refreshToken: fields?.filled("refreshJwt").flatMap(Secret.init(asToken:)), person: person)
  }

  private func person(in fields: JSONObject?) throws(LoginError) -> Person {
    guard let fields else { throw .unreadable(server, what: "it is not JSON") }
    guard let did = ServerText.line(fields.filled("did")), BlueskyURI.isDID(did) else {
      throw .unreadable(server, what: "it does not say whose account it is")
    }
    let said = ServerText.line(fields.filled("handle")).flatMap { $0.contains(" ") ? nil : $0 }
    let handle = said == "handle.invalid" ? nil : said
    return Person(handle: handle ?? did, name: handle ?? did, id: did)
  }

  /// How long a token is valid: what stands between its two times (RFC 7519, 4.1); nil if it does not say.
  private static func life(of token: Secret) -> TimeInterval? {
    let parts = token.reveal().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let claims = bytesOfBase64URL(parts[1]).flatMap({ JSONObject($0) }),
      let end = claims.number("exp"),
      let start = claims.number("iat")
    else { return nil }
    return (1...1e9).contains(end - start) ? end - start : nil
  }

  /// The server of an account that this server does not know; nil if it is this one, or not found.
  private func home(of name: String) async -> Server? {
    // An address of mail names no server.
    guard name.contains("."), !name.contains("@"),
      let home = await BlueskyDirectory(network: network, transport: authServer.transport).account(named: name)?.home
    else { return nil }
    return isHere(home) || server.isSecure && !home.isSecure ? nil : home
  }

  /// Whether the named server is, or leads to, the one that has an account.
  func isHere(_ home: Server) -> Bool { home == server || network.isBluesky && BlueskyNetwork(of: home).isBluesky }
}
