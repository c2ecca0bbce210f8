import Foundation
import HTTP
import Posts

/// What a login asks of one server, in the words of its service.
protocol LoginDoor: Sendable {
  /// Trades a code for a token. Nil where the server does not know the app, or no longer.
  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant?

  /// Whose token it is.
  func person(behind token: Secret) async throws(LoginError) -> Person

  /// When a token that came ready-made ends; nil where it does not, or the server does not say.
  func end(of token: Secret) async throws(LoginError) -> Date?

  /// A token in place of one that ends soon. Nil where the account has nothing to buy one with; `.tokenRefused` where
  /// the server wants the person to log in again.
  func renew(_ account: Account) async throws(LoginError) -> Grant?

  /// Gives a token back. Never fails but for a stopped task: what cannot be revoked is said.
  func revoke(_ account: Account) async throws(LoginError) -> Revocation
}

extension LoginDoor {
  /// Nil: nobody says.
  func end(of token: Secret) async throws(LoginError) -> Date? { nil }

  /// Nil: tokens do not end here.
  func renew(_ account: Account) async throws(LoginError) -> Grant? { nil }
}

extension AuthServer: LoginDoor {}
