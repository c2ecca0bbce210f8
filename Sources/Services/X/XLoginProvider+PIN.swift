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
      guard let name = ServerText.line(said("screen_name")), !name.contains(" "), !name.contains("@") else {
        return nil
      }
      return Person(handle: "\(name)@\(authServer.server.host)", name: name)
    }
  }

  /// Gives a person's token back
  /// (https://docs.x.com/fundamentals/authentication/api-reference, POST oauth/invalidate_token).
  func revoke(_ keys: OAuthKeys) async throws(LoginError) -> Revocation {
    do {
      let address = "\(authServer.server.xAPI)/1.1/oauth/invalidate_token"
      let response = try await signedLogin.answer(to: address, keys, [])
      if response.status == 200 { return .revoked }
      return .notRevoked(reason: "it answers with status \(response.status)")
    } catch {
      if error == .cancelled { throw error }
      return .notRevoked(reason: error.summary)
    }
  }
}
