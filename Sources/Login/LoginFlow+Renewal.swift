import FoundationEssentials
import HTTP
import Posts

extension Account {
  /// Whether its token has reached the last tenth of its life, or expired.
  func isDue(_ now: Date) -> Bool {
    guard let expires else { return false }
    let life = max(0, expires.timeIntervalSince(renewed ?? created))
    return now >= expires.addingTimeInterval(-life / 10)
  }

  /// Whether it has a token for renewal: a refresh token, or one that serves as one where tokens are exchanged.
  public func isRenewable(exchangingTokens: Bool) -> Bool {
    refreshToken != nil || exchangingTokens && clientID != nil && clientSecret != nil
  }

  /// Whether its token lives less than a day.
  public var isShortLived: Bool {
    expires.map { $0.timeIntervalSince(renewed ?? created) < 86_400 } ?? false
  }

  /// The account with the renewed token. If the server returns no refresh token, the old one stays valid.
  func renewed(by grant: Grant, now: Date) -> Account {
    var account = self
    account.token = grant.token
    account.expires = grant.life.map(now.addingTimeInterval)
    account.refreshToken = grant.refreshToken ?? refreshToken
    account.scopes = grant.scopes ?? scopes
    account.renewed = now
    return account
  }
}

extension LoginFlow {
  /// The account with a token that stays valid for a while. A token that expires soon is renewed, and the new one is
  /// stored before use.
  ///
  /// Most refresh tokens work once, so one process renews while the others wait and read its result. If the server
  /// fails, the account stays unchanged. Throws `.tokenRefused` if the person must log in again.
  public func fresh(_ account: Account) async throws -> Account {
    guard isRenewable(account), account.isDue(time.now()) else { return account }
    let lock = try await accounts.holdRenewal(time)
    defer { withExtendedLifetime(lock) {} }
    guard let current = try accounts.all().first(where: { $0.isSameLogin(as: account) }) else { return account }
    guard isRenewable(current), current.isDue(time.now()) else { return current }
    // Not cancelled with the command: the server may already have used up the old token.
    return try await Task { try await renewed(current) }.value
  }

  /// What asks for an account's token of that moment, renewed if it is due; nil if the account cannot renew it.
  public func renewal(of account: Account?) -> (@Sendable () async -> Secret?)? {
    guard let account, isRenewable(account) else { return nil }
    return { try? await fresh(account).token }
  }

  private func renewed(_ account: Account) async throws -> Account {
    // A full disk must be noticed before the old token is used up.
    try accounts.rewrite()
    let grant: Grant?
    do {
      grant = try await provider(to: account.server, of: account.source, api: account.api).renew(account)
    } catch LoginError.tokenRefused(let server, let reason) {
      throw LoginError.tokenRefused(server, reason: reason)
    } catch {
      return account
    }
    guard let grant else { return account }
    let renewed = account.renewed(by: grant, now: time.now())
    try accounts.keep(renewed)
    return renewed
  }
}
