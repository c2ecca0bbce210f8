import Foundation
import HTTP
import Posts

/// The strategy of logging in at one server of a service.
protocol LoginProvider: Sendable {
  /// Exchanges a code for a token. Returns nil if the server does not know the app, or no longer.
  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant?

  /// The token's owner.
  func person(behind token: Secret) async throws(LoginError) -> Person

  /// When a ready-made token expires; nil if it does not, or the server does not say.
  func end(of token: Secret) async throws(LoginError) -> Date?

  /// Renews a token that expires soon. Returns nil if the account cannot renew it. Throws `.tokenRefused` if the person
  /// must log in again.
  func renew(_ account: Account) async throws(LoginError) -> Grant?

  /// Revokes a token. Throws only if the task is cancelled: other failures are returned.
  func revoke(_ account: Account) async throws(LoginError) -> Revocation
}

extension LoginProvider {
  /// nil: the expiry is unknown.
  func end(of token: Secret) async throws(LoginError) -> Date? { nil }

  /// nil: tokens do not expire here.
  func renew(_ account: Account) async throws(LoginError) -> Grant? { nil }
}

extension AuthServer: LoginProvider {}
