import HTTP
import Posts

// Turns a granted token into an account, or revokes it.

extension LoginFlow {
  /// Verifies a token and stores its account. On any failure the token is revoked, because nobody else knows of it.
  func settle(_ grant: Grant, _ login: PendingLogin, _ provider: any LoginProvider) async throws -> LoginOutcome {
    do {
      let person = if let known = grant.person { known } else { try await provider.person(behind: grant.token) }
      if let wider = await provider.widerEndpoints(for: login.app), await provider.isTooNarrow(grant) {
        return try await widened(login, grant, provider, at: wider)
      }
      let account = account(of: person.hiding(grant.token), grant, login)
      try accounts.change {
        $0.keep(account)
        $0.pending.removeAll { $0.state == login.state }
      }
      return .loggedIn(account)
    } catch LoginError.outOfScope(let server, let reason) {
      if let wider = await provider.widerEndpoints(for: login.app) {
        return try await widened(login, grant, provider, at: wider)
      }
      throw await abandoned(grant, login, provider, for: LoginError.outOfScope(server, reason: reason))
    } catch {
      throw await abandoned(grant, login, provider, for: error)
    }
  }

  /// Begins a login again with wider scopes after the server granted narrower ones and then refused them. The token
  /// granted in vain is given back.
  private func widened(
    _ login: PendingLogin, _ grant: Grant, _ provider: any LoginProvider, at endpoints: Endpoints
  ) async throws -> LoginOutcome {
    let revocation = await giveBack(grant, login, provider)
    let app = try await provider.widened(login.app, at: endpoints, website: website)
    try accounts.change { $0.pending.removeAll { $0.state == login.state } }
    return .needsWiderScopes(try begin(LoginStart(app: app, endpoints: endpoints), again: login.again), revocation)
  }

  /// Revokes a token without an account, even if the login was cancelled.
  private func giveBack(_ grant: Grant, _ login: PendingLogin, _ provider: any LoginProvider) async -> Revocation {
    let account = account(of: Person(handle: "", name: ""), grant, login)
    // Not cancelled with the command: a token that nobody keeps must not stay valid.
    return await Task {
      do throws(LoginError) { return try await provider.revoke(account) } catch {
        return .notRevoked(reason: error.summary)
      }
    }.value
  }

  /// Revokes a token, and reports a failed revocation beside the original failure.
  private func abandoned(
    _ grant: Grant, _ login: PendingLogin, _ provider: any LoginProvider, for failure: any Error
  ) async -> any Error {
    let revocation = await giveBack(grant, login, provider)
    // A service without a way back says nothing new, and a token that the server does not take is not a loss.
    if case LoginError.tokenRefused = failure { return failure }
    guard type(of: provider).reportsFailedRevocation, case .notRevoked(let reason) = revocation,
      let failure = failure as? any ExplainedError
    else { return failure }
    return TokenLeft(failure: failure, server: login.app.server, reason: reason)
  }

  private func account(of person: Person, _ grant: Grant, _ login: PendingLogin) -> Account {
    let now = time.now()
    return Account(
      source: login.app.source,
      server: login.app.server,
      handle: person.handle,
      name: person.name,
      token: grant.token,
      scopes: grant.scopes ?? login.app.scopes,
      created: now,
      expires: grant.life.map(now.addingTimeInterval),
      refreshToken: grant.refreshToken,
      clientID: login.app.clientID,
      clientSecret: login.app.clientSecret,
      api: login.app.api,
      remoteID: person.id,
      tokenSecret: grant.tokenSecret,
      ends: grant.loginLife.map(now.addingTimeInterval),
      binding: login.pushed?.binding
    )
  }
}

extension Person {
  /// The person, without names that repeat the token.
  func hiding(_ token: Secret) -> Person {
    guard let search = SecretSearch(token) else { return self }
    return Person(handle: search.hidden(in: handle), name: search.hidden(in: name), id: id)
  }
}

/// A login failed after the server had granted a token, and the server did not take it back.
public struct TokenLeft: ExplainedError {
  let failure: any ExplainedError
  let server: Server
  let reason: String

  /// What failed, and what is left of it.
  public var summary: String { "\(failure.summary); the token that \(server) granted may still be good (\(reason))" }
  /// What helps.
  public var cure: String? { failure.cure }
  /// The status the command ends with.
  public var exitCode: ExitCode { failure.exitCode }
}
