import FoundationEssentials
import HTTP
import Posts

extension LoginFlow {
  /// Verifies a ready-made token and stores its account; `api` where it is for another API than the service's usual one.
  public func adopt(
    _ token: String, at server: Server, source: SourceName = .usual, api: String? = nil
  ) async throws -> Account {
    guard let token = Secret(asToken: token.trimmingWhiteSpace) else {
      throw LoginError.notAToken(server)
    }
    let provider = try provider(to: server, of: source, api: api)
    let person = try await provider.person(behind: token)
    let account = Account(
      source: source,
      server: server,
      handle: person.handle,
      name: person.name,
      token: token,
      scopes: [],
      created: time.now(),
      expires: try await end(of: token, at: provider),
      api: api,
      remoteID: person.id
    )
    try accounts.keep(account)
    return account
  }

  /// Accepts a valid token even if its end is unknown.
  private func end(of token: Secret, at provider: any LoginProvider) async throws(LoginError) -> Date? {
    do { return try await provider.end(of: token) } catch {
      if error == .cancelled { throw error }
      return nil
    }
  }

  /// Logs an app in by its key and secret, as nobody in particular, and stores its account. `.keysRefused` where they are
  /// none.
  public func logInApp(
    _ clientID: String, clientSecret: Secret, at server: Server, source: SourceName
  ) async throws -> Account {
    let provider = try provider(to: server, of: source)
    // Read first: if the file cannot be read, the server is not asked.
    _ = try accounts.read()
    let grant = try await provider.grant(toApp: AppKeys(id: clientID, secret: clientSecret))
    return try await keep(grant, from: provider, of: source)
  }

  /// Logs a person in by name and password, and stores the account. The password is not stored.
  ///
  /// - Parameters:
  ///   - name: The name, as the service calls it.
  ///   - password: The password.
  ///   - code: The code beside the password; nil if the server asked for none.
  ///   - server: The server.
  ///   - source: Its service.
  /// - Returns: The account.
  /// - Throws: `LoginError`, `.codeWanted` if the server wants a code, too; `AccountsError`.
  public func logIn(
    _ name: String, password: Secret, code: Secret? = nil, at server: Server, source: SourceName
  ) async throws -> Account {
    guard let provider = try provider(to: server, of: source) as? any PasswordLoginProvider else {
      throw LoginError.noLogins(server)
    }
    // Read first: if the file cannot be read, the server is not asked.
    _ = try accounts.read()
    return try await keep(
      try await provider.grant(toName: name, password: password, code: code), from: provider, of: source)
  }

  /// Stores the account of a token that no page and no code led to.
  private func keep(_ grant: Grant, from provider: any LoginProvider, of source: SourceName) async throws -> Account {
    let person = if let known = grant.person { known } else { try await provider.person(behind: grant.token) }
    let now = time.now()
    let account = Account(
      source: source,
      server: provider.authServer.server,
      handle: person.handle,
      name: person.name,
      token: grant.token,
      scopes: [],
      created: now,
      expires: grant.life.map(now.addingTimeInterval),
      refreshToken: grant.refreshToken,
      remoteID: person.id
    )
    try accounts.keep(account)
    return account
  }

  /// Asks whether the server still accepts a login. Nothing is renewed or stored.
  ///
  /// - Returns: False if the login is not asked for: it signs its requests, or its token waits to be renewed.
  /// - Throws: `LoginError.tokenRefused` if the person must log in again.
  public func check(_ account: Account) async throws -> Bool {
    guard account.signingKeys == nil, account.expires.map({ $0 > time.now() }) ?? true else { return false }
    _ = try await provider(to: account.server, of: account.source, api: account.api).person(of: account)
    return true
  }

  /// Gives the token back to the server, then forgets the account here, whatever the server said.
  public func logOut(_ account: Account) async throws -> Revocation {
    let revocation = try await provider(to: account.server, of: account.source, api: account.api).revoke(account)
    try accounts.forget(account)
    return revocation
  }

  /// Whether an account has a token for renewal: a refresh token, or one that serves as one.
  func isRenewable(_ account: Account) -> Bool {
    let provider = try? provider(to: account.server, of: account.source, api: account.api)
    return account.isRenewable(exchangingTokens: provider.map { type(of: $0).exchangesTokens } ?? false)
  }

  /// The login provider of a source at a server.
  ///
  /// - Throws: `UnknownSource` if no source has the name, `.noLogins` if the source has no logins.
  func provider(to server: Server, of source: SourceName, api: String? = nil) throws -> any LoginProvider {
    var authServer = AuthServer(server: server, transport: transport, time: time, random: random)
    authServer.directories = directories
    guard let provider = try providers.provider(source, api, authServer) else { throw LoginError.noLogins(server) }
    return provider
  }
}
