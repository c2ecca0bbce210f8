// The login by pasted code, from a server's name to a stored account. The command writes the messages.

import FoundationEssentials
import HTTP
import Posts

/// An authorization to be given in a browser.
public struct Authorization: Sendable {
  /// The page to open, on one line: the app's public key and the login's state, no secret key and no token.
  public var url: String { login.page }
  /// Where it is given.
  public var server: Server { login.app.server }
  /// Whether the server shows no code, and leads to an address that holds it.
  public var leadsElsewhere: Bool { login.app.redirect != nil }
  /// Whether the person confirms it on the page, and nothing is pasted.
  public let isConfirmed: Bool
  /// What the app asks for.
  public var scopes: [String] { login.app.scopes }
  /// Whether it stands in for one the server could not finish, having forgotten the app.
  public var isSecondTry: Bool { login.again }

  let login: PendingLogin
}

/// The result of pasting a code.
public enum LoginOutcome: Sendable {
  /// The account is verified and stored.
  case loggedIn(Account)
  /// The server had forgotten the app. It is registered again: the person opens this page and pastes a new code.
  case again(Authorization)
  /// The server granted the requested scopes but requires wider ones, the authorization's `scopes`. The person opens
  /// this page and pastes a new code. The granted token was revoked.
  case needsWiderScopes(Authorization, Revocation)
}

/// Logs people in at the servers of all sources with logins: has their providers register the app, or takes their own
/// keys, builds the page's address, exchanges the pasted code for a token, verifies it, stores it. Two commands can share one
/// login, which is kept between them for an hour.
///
/// Functions throw `LoginError` and `AccountsError`. Before its token is verified, only the app's keys and the started
/// login are stored.
public struct LoginFlow: Sendable {
  let transport: Transport
  let accounts: Accounts
  let providers: LoginProviders
  let time: TimeSource
  let random: @Sendable (Int) -> [UInt8]
  let website: String?
  let directories: Directories

  /// Creates a flow.
  ///
  /// - Parameters:
  ///   - transport: The network.
  ///   - accounts: The file of accounts.
  ///   - providers: The login providers of the sources.
  ///   - time: The clock.
  ///   - website: The website that registered apps name.
  ///   - directories: The servers that know a network's accounts.
  ///   - random: Bytes that nobody can guess.
  public init(
    transport: Transport,
    accounts: Accounts,
    providers: LoginProviders,
    time: TimeSource,
    website: String? = nil,
    directories: Directories = Directories(),
    random: @escaping @Sendable (Int) -> [UInt8] = { randomBytes($0) }
  ) {
    self.transport = transport
    self.accounts = accounts
    self.providers = providers
    self.time = time
    self.website = website
    self.directories = directories
    self.random = random
  }

  /// Begins a login with the app's stored keys. Registers an app if there are none. Throws `.needsKeys` if the service
  /// registers none, or if those that are stored are for another API than the named one.
  public func begin(_ server: Server, source: SourceName = .usual, api: String? = nil) async throws -> Authorization {
    // Read first: a file that cannot be read must not cost the server a registration.
    let stored = try accounts.read().app(at: server, source: source)
    let usable = api == nil || api == stored?.api ? stored : nil
    let provider = try provider(to: server, of: source, api: api ?? stored?.api)
    return try begin(try await provider.start(with: usable, website: website), again: false)
  }

  /// Begins a login with keys a person made in the server's settings; they are kept for the next login there.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - source: Its service.
  ///   - api: The API, if it is not the service's usual one.
  ///   - clientID: The app's key.
  ///   - clientSecret: The app's secret.
  ///   - redirect: The redirect in the app's settings; nil for the service's own.
  /// - Throws: `LoginError`, `AccountsError`.
  public func begin(
    _ server: Server, source: SourceName = .usual, api: String? = nil, clientID: String, clientSecret: Secret,
    redirect: String? = nil
  ) async throws -> Authorization {
    // Read first: if the file cannot be read, the server is not asked.
    _ = try accounts.read()
    let keys = AppKeys(id: clientID, secret: clientSecret, redirect: redirect)
    return try begin(try await provider(to: server, of: source, api: api).start(with: keys), again: false)
  }

  /// Begins a login of a person by name, on the page of the server that has the account.
  ///
  /// - Parameters:
  ///   - name: The name, as the service calls it.
  ///   - server: The server.
  ///   - source: Its service.
  /// - Returns: The page.
  /// - Throws: `LoginError`, `AccountsError`.
  public func begin(_ name: String, at server: Server, source: SourceName) async throws -> Authorization {
    guard let provider = try provider(to: server, of: source) as? any NamedLoginProvider else {
      throw LoginError.noLogins(server)
    }
    // Read first: if the file cannot be read, the server is not asked.
    _ = try accounts.read()
    return try begin(try await provider.start(as: name), again: false)
  }

  /// The latest login begun at a server, or anywhere, that still waits for its code. `.nothingBegun` where none does.
  public func resume(_ server: Server? = nil) throws -> Authorization {
    let now = time.now()
    let waiting = try accounts.read().pending.filter {
      abs($0.created.timeIntervalSince(now)) <= PendingLogin.life && (server == nil || $0.app.server == server)
    }
    guard let login = waiting.last else { throw LoginError.nothingBegun(server) }
    return try authorization(of: login)
  }

  private func authorization(of login: PendingLogin) throws -> Authorization {
    let provider = try provider(to: login.app.server, of: login.app.source, api: login.app.api)
    return Authorization(isConfirmed: type(of: provider).isConfirmed, login: login)
  }

  /// Ends a login with what the person pasted: the code, `code&state=…`, or the address of the page they ended on. What was
  /// pasted does not matter if the login is confirmed on its page.
  ///
  /// - Throws: `LoginError`, such as `.notConfirmed`; `AccountsError`.
  public func finish(_ authorization: Authorization, pasted: String) async throws -> LoginOutcome {
    let server = authorization.server
    if authorization.isConfirmed { return try await finish(authorization.login, with: authorization.login.state) }
    switch PastedCode(pasted) {
    case .empty: throw LoginError.noCode(server)
    case .nonsense: throw LoginError.notACode(server)
    case .denied: throw LoginError.denied(server)
    case .code(let code, let state, let issuer):
      let login = try login(of: state, like: authorization.login)
      try expect(state, issuer, in: login)
      return try await finish(login, with: code)
    }
  }

  /// Throws if an answer does not say that it belongs to a pushed login and comes from its server (RFC 9207, 2.4).
  private func expect(_ state: Secret?, _ issuer: String?, in login: PendingLogin) throws(LoginError) {
    guard let binding = login.pushed?.binding else { return }
    guard state != nil, let issuer else { throw .notTheAddress(login.app.server) }
    guard state == login.state, issuer == binding.issuer.origin else { throw .otherLogin(login.app.server) }
  }

  private func finish(_ login: PendingLogin, with code: Secret) async throws -> LoginOutcome {
    let provider = try provider(to: login.app.server, of: login.app.source, api: login.app.api)
    guard let grant = try await provider.trade(code, for: login) else { return .again(try await beginAgain(login)) }
    return try await settle(grant, login, provider)
  }

  /// Stores a started login and its app.
  func begin(_ start: LoginStart, again: Bool) throws -> Authorization {
    let login = pending(start, again: again)
    try accounts.change {
      if start.session == nil, start.pushed == nil { $0.keep(start.app) }
      $0.begin(login)
    }
    return try authorization(of: login)
  }

  private func pending(_ start: LoginStart, again: Bool) -> PendingLogin {
    var page = start.endpoints.authorization
    let (state, verifier): (Secret, Secret?)
    if let session = start.session {
      // The page is named by its session.
      (state, verifier) = (session, nil)
    } else if let temporary = start.temporary {
      // The temporary token names the login on the page (RFC 5849, 2.2).
      page = Request.address(page, [("oauth_token", temporary.token.reveal())])
      (state, verifier) = (temporary.token, temporary.secret)
    } else if let pushed = start.pushed {
      // The server has the request.
      (state, verifier) = (pushed.state, pushed.verifier)
    } else {
      state = Secret(base64URL(random(16)))
      verifier = start.endpoints.provesOwner ? Secret(base64URL(random(32))) : nil
      page = start.app.page(at: page, state: state, verifier: verifier)
    }
    return PendingLogin(
      app: start.app, page: page, tokenEndpoint: start.endpoints.token, state: state, verifier: verifier,
      created: time.now(), again: again, pushed: start.pushed)
  }

  private func beginAgain(_ login: PendingLogin) async throws -> Authorization {
    guard !login.app.madeByHand, !login.again else { throw LoginError.appRefused(login.app.server) }
    try accounts.change {
      $0.apps.removeAll { $0 == login.app }
      $0.pending.removeAll { $0.app == login.app }
    }
    let provider = try provider(to: login.app.server, of: login.app.source, api: login.app.api)
    return try begin(try await provider.start(with: nil, website: website), again: true)
  }

  /// The login a pasted state belongs to: people run the command twice and paste the first page's code.
  private func login(of state: Secret?, like login: PendingLogin) throws -> PendingLogin {
    guard let state, state != login.state else { return login }
    let others = try accounts.read().pending
    guard let other = others.first(where: { $0.state == state && $0.app.server == login.app.server }) else {
      throw LoginError.otherLogin(login.app.server)
    }
    return other
  }
}

extension AppRegistration {
  /// The address of the page on which the person agrees (RFC 6749, 4.1.1; RFC 7636, 4.3).
  fileprivate func page(at endpoint: String, state: Secret, verifier: Secret?) -> String {
    var query = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirect ?? OutOfBand.redirect),
      ("scope", scopes.joined(separator: " ")), ("state", state.reveal()),
    ].filter { !$0.1.isEmpty }
    if let verifier {
      query.append(("code_challenge", base64URL(Digest.sha256(Array(verifier.reveal().utf8)))))
      query.append(("code_challenge_method", "S256"))
    }
    return Request.address(endpoint, query)
  }
}
