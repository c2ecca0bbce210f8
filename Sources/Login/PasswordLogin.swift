import HTTP
import Posts

/// What people type where they log in by name and password.
public struct PasswordLogin: Sendable, Hashable {
  /// What the name is called: `handle`.
  public let name: String
  /// What the password is called: `app password`.
  public let password: String
  /// Where people find the password, as a clause.
  public let advice: String
  /// What a server did that wants a code, too, behind its name: `sent a code by mail`.
  public let code: String

  /// Creates what is typed.
  package init(name: String, password: String, advice: String, code: String) {
    (self.name, self.password, self.advice, self.code) = (name, password, advice, code)
  }
}

/// Logs people in by name and password. Neither a page nor a code leads to a login there.
package protocol PasswordLoginProvider: LoginProvider {
  /// What people type.
  static var wanted: PasswordLogin { get }

  /// Exchanges a name and a password for a token, whose owner the grant names. The password is not kept.
  ///
  /// - Parameter code: The code beside the password; nil if the server asked for none.
  /// - Throws: `.codeWanted` if the server wants a code, too, `.codeRefused` if it is not that code,
  ///   `.passwordRefused` if name and password do not fit, `.livesElsewhere` if another server has the account.
  func grant(toName name: String, password: Secret, code: Secret?) async throws(LoginError) -> Grant
}

extension PasswordLoginProvider {
  /// Throws `.needsPassword`.
  package func start(with stored: AppRegistration?, website: String?) async throws(LoginError) -> LoginStart {
    throw .needsPassword(authServer.server)
  }

  /// Throws `.needsPassword`.
  package func start(with keys: AppKeys) async throws(LoginError) -> LoginStart {
    throw .needsPassword(authServer.server)
  }

  /// Throws `.needsPassword`.
  package func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant? {
    throw .needsPassword(authServer.server)
  }
}
