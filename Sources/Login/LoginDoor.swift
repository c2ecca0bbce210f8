import HTTP
import Posts

/// What a login asks of one server, in the words of its service.
protocol LoginDoor: Sendable {
  /// Trades a code for a token. Nil where the server does not know the app, or no longer.
  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant?

  /// Whose token it is.
  func person(behind token: Secret) async throws(LoginError) -> Person

  /// Gives a token back. Never fails but for a stopped task: what cannot be revoked is said.
  func revoke(_ account: Account) async throws(LoginError) -> Revocation
}

extension AuthServer: LoginDoor {}
