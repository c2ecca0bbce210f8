import HTTP
import JSONReading
import Login
import Posts

extension MastodonLoginProvider {
  /// Exchanges an account's refresh token (RFC 6749, section 6). Most servers accept it once and return a new one.
  func renew(_ account: Account) async throws(LoginError) -> Grant? {
    guard let old = account.refreshToken, let id = account.clientID, let secret = account.clientSecret else {
      return nil
    }
    let fields = [
      ("grant_type", "refresh_token"), ("refresh_token", old.reveal()), ("client_id", id),
      ("client_secret", secret.reveal()), ("scope", account.scopes.joined(separator: " ")),
    ].filter { !$0.1.isEmpty }
    let response = try await authServer.answer(to: .form(endpoints().token, fields))
    let answer = JSONObject(response.body)
    switch (response.status, answer?.filled("error")) {
    case (200..<300, nil): return try authServer.grant(in: answer)
    case (200..<500, _?), (401, nil):
      throw .tokenRefused(
        server, reason: ServerText.reason(StatedError(in: response.body).reason, hiding: [old, account.token, secret]))
    default: throw authServer.surprise(response)
    }
  }
}
