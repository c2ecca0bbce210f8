import FoundationEssentials
import HTTP
import JSONReading
import Login
import Posts

// Logs people in on the page of the server that logs the account's server's people in (https://atproto.com/specs/oauth). The app
// is nobody's: it has no secret, and runs on the person's own machine.

extension BlueskyLoginProvider: NamedLoginProvider {
  /// Where the page leads. Nothing answers there: the person pastes the address. Servers ignore its port.
  private static let redirect = "http://127.0.0.1/"
  /// What pulls ask for, and nothing else (https://atproto.com/specs/permission).
  private static let leastScopes =
    ["atproto"]
    + ["app.bsky.feed.searchPosts", "app.bsky.feed.getAuthorFeed", "app.bsky.feed.getPosts"].map { "rpc:\($0)?aud=*" }
  /// What servers without narrow permissions know: all that an app password may do, but for direct messages.
  private static let wideScopes = ["atproto", "transition:generic"]
  /// How long the login of an app without a secret lasts, however often it is renewed.
  private static let loginLife: TimeInterval = 14 * 86_400

  func start(as name: String) async throws(LoginError) -> LoginStart {
    let name = String(name.trimmingWhiteSpace.drop { $0 == "@" }).lowercased()
    let isName = name.contains(".") && !name.contains("@") || BlueskyURI.isDID(name)
    guard isName, name.utf8.count <= 253,
      let account = await BlueskyDirectory(network: network, transport: authServer.transport).account(named: name)
    else { throw .unknownName(server, name: ServerText.line(name) ?? "\"\"") }
    guard isHere(account.home) else { throw .livesElsewhere(server, .bluesky, at: account.home) }
    guard account.home.isSecure == server.isSecure, let key = SigningKey() else {
      throw .noPage(server, why: "it does not speak https")
    }
    let issuer = try await authorizationServer(of: account.home)
    let binding = TokenBinding(
      key: key, issuer: issuer.issuer, home: account.home, tokenEndpoint: issuer.token, revocation: issuer.revocation)
    let pushed = PushedLogin(
      state: Secret(base64URL(authServer.random(16))), verifier: Secret(base64URL(authServer.random(32))),
      binding: binding, owner: account.did, handle: account.handle)
    let start = try await push(pushed, to: issuer, asking: Self.leastScopes, hint: name)
    if let start { return start }
    guard let start = try await push(pushed, to: issuer, asking: Self.wideScopes, hint: name) else {
      throw .noPage(server, why: "it grants no permission to read")
    }
    return start
  }

  /// Sends the request. Returns nil if the server does not know the scopes.
  private func push(
    _ login: PushedLogin, to issuer: BlueskyAuthorizationServer, asking scopes: [String], hint: String
  ) async throws(LoginError) -> LoginStart? {
    let app = AppRegistration(
      source: .bluesky, server: server,
      clientID: Request.address(
        "http://localhost",
        [
          ("redirect_uri", Self.redirect), ("scope", scopes.joined(separator: " ")),
        ]), clientSecret: Secret(""), scopes: scopes, redirect: Self.redirect)
    let request = Request.form(
      issuer.pushed,
      [
        ("client_id", app.clientID), ("response_type", "code"), ("redirect_uri", Self.redirect),
        ("scope", scopes.joined(separator: " ")), ("state", login.state.reveal()), ("login_hint", hint),
        ("code_challenge", base64URL(Digest.sha256(Array(login.verifier.reveal().utf8)))),
        ("code_challenge_method", "S256"),
      ])
    let response = try await answer(to: request, by: login.binding, at: issuer.issuer)
    let fields = JSONObject(response.body)
    if (400..<500).contains(response.status), let error = fields?.filled("error") {
      if error == "invalid_scope" { return nil }
      throw .noPage(server, why: refusal(fields, hiding: []) ?? "it refuses the request")
    }
    guard (200..<300).contains(response.status) else { throw authServer.at(issuer.issuer).surprise(response) }
    // It becomes part of an address that a browser opens.
    guard let name = fields?.filled("request_uri"), name.utf8.count <= 2048,
      name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .unreadable(issuer.issuer, what: "it names no request") }
    let page = Request.address(issuer.authorization, [("client_id", app.clientID), ("request_uri", name)])
    return LoginStart(app: app, endpoints: Endpoints(authorization: page, token: issuer.token), pushed: login)
  }

  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant? {
    guard let pushed = login.pushed else { throw .needsPassword(server) }
    let request = Request.form(
      login.tokenEndpoint,
      [
        ("grant_type", "authorization_code"), ("code", code.reveal()), ("redirect_uri", Self.redirect),
        ("client_id", login.app.clientID), ("code_verifier", pushed.verifier.reveal()),
      ])
    let response = try await answer(to: request, by: pushed.binding, at: pushed.binding.issuer)
    let fields = JSONObject(response.body)
    if (400..<500).contains(response.status), let error = fields?.filled("error") {
      if error == "invalid_grant" { throw .codeRefused(server) }
      throw .noPage(server, why: refusal(fields, hiding: [code, pushed.verifier]) ?? "it refuses the code")
    }
    guard (200..<300).contains(response.status) else { throw authServer.surprise(response) }
    var grant: Grant
    do throws(LoginError) { grant = try self.grant(in: fields) } catch {
      if let token = fields?.filled("refresh_token") ?? fields?.filled("access_token") {
        _ = try? await end(Secret(token), of: login.app.clientID, pushed.binding)
      }
      throw error
    }
    guard fields?.string("sub") == pushed.owner else {
      // A token that nobody keeps must not stay valid.
      _ = try? await end(grant.refreshToken ?? grant.token, of: login.app.clientID, pushed.binding)
      throw .otherAccount(server, name: pushed.handle)
    }
    grant.person = Person(handle: pushed.handle, name: pushed.handle, id: pushed.owner)
    grant.loginLife = Self.loginLife
    return grant
  }

  /// Exchanges the account's token for renewal. It works once.
  func renew(_ account: Account, _ binding: TokenBinding) async throws(LoginError) -> Grant? {
    guard let old = account.refreshToken, let app = account.clientID else { return nil }
    let request = Request.form(
      binding.tokenEndpoint,
      [("grant_type", "refresh_token"), ("refresh_token", old.reveal()), ("client_id", app)])
    let response = try await answer(to: request, by: binding, at: binding.issuer)
    let fields = JSONObject(response.body)
    // Others, such as a proof of a wrong clock, say nothing of the login.
    if (400..<500).contains(response.status), ["invalid_grant", "invalid_client"].contains(fields?.filled("error")) {
      throw .tokenRefused(server, reason: refusal(fields, hiding: [old, account.token]))
    }
    guard (200..<300).contains(response.status) else { throw authServer.surprise(response) }
    guard fields?.string("sub") == account.remoteID else {
      throw .unreadable(server, what: "it renews the login of another account")
    }
    return try grant(in: fields, isRenewed: true)
  }

  /// The owner of a login whose token is bound.
  func person(of account: Account, _ binding: TokenBinding) async throws(LoginError) -> Person {
    let address = BlueskyNetwork.address(of: "com.atproto.server.getSession", at: binding.home)
    return try person(
      in: try await answer(to: Request(.get, address, token: account.token), by: binding, at: binding.home),
      hiding: account.token)
  }

  /// Ends a login whose token is bound (RFC 7009).
  func revoke(_ account: Account, _ binding: TokenBinding) async throws(LoginError) -> Revocation {
    guard let app = account.clientID, !binding.revocation.isEmpty else {
      return .notRevoked(reason: "it revokes no tokens")
    }
    return try await Revocation { () async throws(LoginError) in
      try await end(account.refreshToken ?? account.token, of: app, binding)
    }
  }

  private func end(_ token: Secret, of app: String, _ binding: TokenBinding) async throws(LoginError) -> Response {
    try await answer(
      to: .form(binding.revocation, [("token", token.reveal()), ("client_id", app)]), by: binding,
      at: binding.issuer)
  }

  // MARK: Servers

  /// The server that logs the people of an account's server in (RFC 9728).
  private func authorizationServer(of home: Server) async throws(LoginError) -> BlueskyAuthorizationServer {
    let resource = try await document("oauth-protected-resource", of: home)
    guard resource.string("resource") == home.origin, let named = resource.texts("authorization_servers"),
      named.count == 1, let issuer = Server(named[0]), issuer.origin == named[0], issuer.isSecure == home.isSecure
    else { throw .noPage(server, why: "it does not say which server logs people in") }
    let metadata = try await document("oauth-authorization-server", of: issuer)
    do throws(LoginError) { return try BlueskyAuthorizationServer(metadata, of: issuer) } catch {
      // Whoever logs in knows the account's server, and nothing of another one.
      if case .noPage(_, let why) = error { throw .noPage(server, why: why) }
      throw error
    }
  }

  private func document(_ name: String, of other: Server) async throws(LoginError) -> JSONObject {
    let request = Request(
      .get, "\(other.origin)/.well-known/\(name)", headers: ["Accept": "application/json"],
      redirects: .nowhere(isUserChosen: false))
    let response = try await authServer.at(other).answer(to: confined(request))
    guard response.status == 200, let document = JSONObject(response.body) else {
      throw .noPage(server, why: "it has no \(name)")
    }
    return document
  }

  /// The answer to a proven request.
  private func answer(
    to request: Request, by binding: TokenBinding, at other: Server
  ) async throws(LoginError) -> Response {
    let (time, random) = (authServer.time, authServer.random)
    let response = try await authServer.at(
      other,
      over: { [nonces] transport in
        Transport(
          send: { request throws(TransportError) in
            try await transport.send(
              request, provenBy: binding.key, nonces, now: { Int(time.now().timeIntervalSince1970) }, random: random)
          }, download: transport.download)
      }
    ).answer(to: confined(request))
    guard !response.asksForNonce else { throw .unreadable(other, what: "it asks for another nonce each time") }
    return response
  }

  /// The named server leads to the others, but not into the private network.
  private func confined(_ request: Request) -> Request {
    var request = request
    request.referrer = server.origin
    return request
  }

  // MARK: Answers

  /// - Parameter isRenewed: Whether it replaces another one. Scopes that stay the same need not be told then (RFC 6749, 5.1).
  private func grant(in fields: JSONObject?, isRenewed: Bool = false) throws(LoginError) -> Grant {
    var grant = try authServer.grant(in: fields)
    guard fields?.string("token_type")?.lowercased() == "dpop" else {
      throw .unreadable(server, what: "its token is not bound to the key")
    }
    guard grant.scopes?.contains("atproto") ?? isRenewed else {
      throw .unreadable(server, what: "its token does not say whose it is")
    }
    // Without a renewal, the login would end with the first token.
    grant.life = grant.life ?? 900
    return grant
  }

  private func refusal(_ fields: JSONObject?, hiding secrets: [Secret]) -> String? {
    ServerText.reason(fields?.filled("error_description") ?? fields?.filled("error"), hiding: secrets)
  }
}
