import HTTP
import Login
import Posts

// The login of a person at X by a PIN (https://docs.x.com/fundamentals/authentication/oauth-1-0a/pin-based-oauth). The page
// shows seven digits.

extension XLoginProvider {
  var signedLogin: SignedLogin { SignedLogin(authServer: authServer, base: "\(authServer.server.xAPI)/oauth") }

  /// Exchanges the PIN for the person's token.
  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant? {
    try await signedLogin.grant(for: code, of: login) { said in
      Person(named: said("screen_name"), shownAs: nil, at: authServer.server)
    }
  }

  /// Gives a person's token back
  /// (https://docs.x.com/fundamentals/authentication/api-reference, POST oauth/invalidate_token).
  func revoke(_ keys: OAuthKeys) async throws(LoginError) -> Revocation {
    try await Revocation { () async throws(LoginError) in
      try await signedLogin.answer(to: "\(authServer.server.xAPI)/1.1/oauth/invalidate_token", keys, [])
    }
  }
}
