import FoundationEssentials
import HTTP
import Posts

/// Logs people in at one server of a service. Each source with logins has a provider in its own folder.
package protocol LoginProvider: Sendable {
  /// Whether a failed login must say that its token could not be revoked. False where a service revokes none anyway.
  static var reportsFailedRevocation: Bool { get }
  /// Whether a token is exchanged for the next one, without a refresh token.
  static var exchangesTokens: Bool { get }
  /// Whether apps log in by themselves, without a person.
  static var logsAppsIn: Bool { get }

  /// Whether an app logs in by its key alone, without a secret.
  static var takesKeysAlone: Bool { get }
  /// Whether the person confirms the login on its page and pastes nothing. `trade` then gets the session of the login.
  static var isConfirmed: Bool { get }

  /// The server.
  var authServer: AuthServer { get }

  /// Begins a login with the app of an earlier one, or with a new one where the server registers apps.
  ///
  /// - Throws: `.needsKeys` if there is no earlier app and the server registers none.
  func start(with stored: AppRegistration?, website: String?) async throws(LoginError) -> LoginStart

  /// Begins a login with keys that a person made in the server's settings.
  func start(with keys: AppKeys) async throws(LoginError) -> LoginStart

  /// The token and the identity of an app that logs in by itself. Throws `.keysRefused` if the app is unknown.
  func grant(toApp keys: AppKeys) async throws(LoginError) -> Grant

  /// Exchanges a code for a token. Returns nil if the server does not know the app, or no longer.
  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant?

  /// The token's owner.
  func person(behind token: Secret) async throws(LoginError) -> Person

  /// The owner of a stored login, as the server says now. Nothing is renewed.
  func person(of account: Account) async throws(LoginError) -> Person

  /// When a ready-made token expires; nil if it does not, or the server does not say.
  func end(of token: Secret) async throws(LoginError) -> Date?

  /// Where wider scopes can be asked for than an app's; nil if there are none.
  func widerEndpoints(for app: AppRegistration) async -> Endpoints?

  /// Whether the server refuses a pull's requests for a missing scope.
  func isTooNarrow(_ grant: Grant) async -> Bool

  /// The app with wider scopes.
  func widened(
    _ app: AppRegistration, at endpoints: Endpoints, website: String?
  ) async throws(LoginError) -> AppRegistration

  /// Renews a token that expires soon. Returns nil if the account cannot renew it. Throws `.tokenRefused` if the person
  /// must log in again.
  func renew(_ account: Account) async throws(LoginError) -> Grant?

  /// Revokes a token. Throws only if the task is cancelled: other failures are returned.
  func revoke(_ account: Account) async throws(LoginError) -> Revocation
}

extension LoginProvider {
  package static var reportsFailedRevocation: Bool { false }
  package static var exchangesTokens: Bool { false }
  package static var logsAppsIn: Bool { false }
  package static var takesKeysAlone: Bool { false }
  package static var isConfirmed: Bool { false }

  /// The key itself, once the server has taken it. Refuses it where an app's key is not enough.
  package func grant(toApp keys: AppKeys) async throws(LoginError) -> Grant {
    guard Self.takesKeysAlone, let key = Secret(asToken: keys.id) else { throw .keysRefused(authServer.server) }
    do {
      return Grant(token: key, person: try await person(behind: key))
    } catch {
      if case .tokenRefused = error { throw .keysRefused(authServer.server) }
      throw error
    }
  }

  /// Asks with the token alone.
  package func person(of account: Account) async throws(LoginError) -> Person {
    try await person(behind: account.token)
  }

  /// nil: the expiry is unknown.
  package func end(of token: Secret) async throws(LoginError) -> Date? { nil }

  /// nil: tokens do not expire here.
  package func renew(_ account: Account) async throws(LoginError) -> Grant? { nil }

  /// nil: there is one set of scopes.
  package func widerEndpoints(for app: AppRegistration) async -> Endpoints? { nil }

  /// False: there is one set of scopes.
  package func isTooNarrow(_ grant: Grant) async -> Bool { false }

  /// The same: there is one set of scopes.
  package func widened(
    _ app: AppRegistration, at endpoints: Endpoints, website: String?
  ) async throws(LoginError) -> AppRegistration { app }
}

/// The keys of an app that a person made in a server's settings.
package struct AppKeys: Sendable {
  package var id: String
  package var secret: Secret
  /// The redirect in the app's settings; nil for the service's own.
  package var redirect: String?
}

/// What the authorization page of a login needs.
package struct LoginStart: Sendable {
  /// The app that asks.
  package var app: AppRegistration
  /// Where it asks.
  package var endpoints: Endpoints
  /// The temporary token that names the login on its page, if requests are signed (RFC 5849, 2.1).
  package var temporary: TemporaryToken?

  /// What names a login that is confirmed on its page. The address for authorization is then that of the page.
  package var session: Secret?
  /// What the provider prepared if the request went to the server already. The address for authorization is then that of the
  /// page.
  package var pushed: PushedLogin?

  package init(
    app: AppRegistration, endpoints: Endpoints, temporary: TemporaryToken? = nil, session: Secret? = nil,
    pushed: PushedLogin? = nil
  ) {
    (self.app, self.endpoints, self.temporary, self.session) = (app, endpoints, temporary, session)
    self.pushed = pushed
  }
}

/// A token that is good only until its login ends.
package struct TemporaryToken: Sendable {
  package var token: Secret
  package var secret: Secret

  package init(token: Secret, secret: Secret) { (self.token, self.secret) = (token, secret) }
}

/// Finds the login provider of a source.
public struct LoginProviders: Sendable {
  /// The provider of a source's API at a server; nil if it has no logins.
  package let provider: @Sendable (SourceName, _ api: String?, AuthServer) throws -> (any LoginProvider)?

  package init(_ provider: @escaping @Sendable (SourceName, String?, AuthServer) throws -> (any LoginProvider)?) {
    self.provider = provider
  }
}
