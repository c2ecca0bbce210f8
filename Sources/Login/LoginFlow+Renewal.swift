import Foundation
import HTTP
import Posts

extension Account {
  /// Whether its token has come to the last tenth of its life, or to its end.
  func isDue(_ now: Date) -> Bool {
    guard let expires else { return false }
    let life = max(0, expires.timeIntervalSince(renewed ?? created))
    return now >= expires.addingTimeInterval(-life / 10)
  }

  /// Whether it has what buys another token: one for that purpose, or one that does for it.
  public var isRenewable: Bool {
    clientID != nil && clientSecret != nil && (refreshToken != nil || api == SourceName.graphAPI)
  }

  /// The account with the token that was bought for it. Who says nothing of a refresh token leaves the old one good.
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
  /// The account with a token that is good for a while: where the one it has ends soon, another is bought, and written
  /// before it is used.
  ///
  /// Most tokens that buy others buy one only, so one process does it and the others wait and find what it brought. A
  /// server that fails leaves the account as it is. `.tokenRefused` where the person has to log in again.
  public func fresh(_ account: Account) async throws -> Account {
    guard account.isRenewable, account.isDue(time.now()) else { return account }
    let lock = try await accounts.holdRenewal(time)
    defer { withExtendedLifetime(lock) {} }
    guard let current = try accounts.all().first(where: { $0.isSameLogin(as: account) }) else { return account }
    guard current.isRenewable, current.isDue(time.now()) else { return current }
    // Carried through whatever becomes of the command: the server may have spent the old token by now.
    return try await Task { try await renewed(current) }.value
  }

  private func renewed(_ account: Account) async throws -> Account {
    // A disk that takes no more is to be found out before the old token is spent.
    try accounts.rewrite()
    let grant: Grant?
    do {
      grant = try await door(to: account.server, of: account.source, api: account.api).renew(account)
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
