import Foundation
import HTTP
import Posts

extension LoginFlow {
  /// Verifies a ready-made token and stores its account; `api` where it is for another API than the service's usual one.
  public func adopt(
    _ token: String, at server: Server, source: SourceName = .mastodon, api: String? = nil
  ) async throws -> Account {
    guard let token = Secret(asToken: token.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw LoginError.notAToken(server)
    }
    let provider = provider(to: server, of: source, api: api)
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

  /// A token that is good is taken whether or not its end can be told.
  private func end(of token: Secret, at provider: any LoginProvider) async throws(LoginError) -> Date? {
    do { return try await provider.end(of: token) } catch {
      if error == .cancelled { throw error }
      return nil
    }
  }

  /// Logs an app in at X, with its key and secret, as nobody in particular, and stores its account. `.keysRefused` where
  /// they are none.
  public func logInApp(_ clientID: String, clientSecret: Secret, at server: Server) async throws -> Account {
    let provider = xProvider(to: server)
    // Read first: a file that cannot be read is no reason to ask.
    _ = try accounts.read()
    let token = try await provider.token(forKey: clientID, secret: clientSecret)
    let account = Account(
      source: .x,
      server: server,
      handle: provider.app.handle,
      name: provider.app.name,
      token: token,
      scopes: [],
      created: time.now()
    )
    try accounts.keep(account)
    return account
  }

  /// Gives the token back to the server, then forgets the account here, whatever the server said.
  public func logOut(_ account: Account) async throws -> Revocation {
    let revocation = try await provider(to: account.server, of: account.source, api: account.api).revoke(account)
    try accounts.forget(account)
    return revocation
  }

  /// What is asked of a server, in the words of its service.
  func provider(to server: Server, of source: SourceName, api: String? = nil) -> any LoginProvider {
    let house = AuthServer(server: server, transport: transport, time: time)
    return switch source {
    case .instagram where api == SourceName.graphAPI: InstagramGraphLoginProvider(house: house)
    case .instagram: InstagramLoginProvider(house: house)
    case .x: xProvider(to: server)
    default: house
    }
  }
}
