import HTTP
import JSONReading
import Login
import Posts

extension MastodonLoginProvider {
  /// Exchanges a code for a token (RFC 6749, 4.1.3). Returns nil if the server does not know the app, or no longer.
  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant? {
    var fields = [
      ("grant_type", "authorization_code"), ("code", code.reveal()), ("client_id", login.app.clientID),
      ("client_secret", login.app.clientSecret.reveal()), ("redirect_uri", OutOfBand.redirect),
    ]
    if let verifier = login.verifier { fields.append(("code_verifier", verifier.reveal())) }
    let response = try await authServer.answer(to: .form(login.tokenEndpoint, fields))
    let answer = JSONObject(response.body)
    switch (response.status, answer?.filled("error")) {
    case (200..<500, "invalid_client"), (200..<500, "unauthorized_client"): return nil
    case (200..<500, "invalid_grant"): throw .codeRefused(server)
    case (200..<500, "access_denied"): throw .denied(server)
    case (200..<300, _): return try authServer.grant(in: answer)
    case (404, nil), (405, _), (410, nil), (300..<400, _): throw authServer.surprise(response)
    case (400..<500, _): throw .codeRefused(server)
    // Some servers crash on a wrong code. If the server is otherwise well, it has rejected the code.
    case (500, _): throw try await instance() == nil ? authServer.surprise(response) : .codeRefused(server)
    default: throw authServer.surprise(response)
    }
  }

  /// The token's owner (`GET /api/v1/accounts/verify_credentials`): the handle with its host, and the name.
  ///
  /// The host is always the server's own: it cannot speak for users elsewhere.
  func person(behind token: Secret) async throws(LoginError) -> Person {
    let response = try await authServer.answer(
      to: Request(.get, "\(server.origin)/api/v1/accounts/verify_credentials", token: token)
    )
    let answer = JSONObject(response.body)
    let reason = ServerText.reason(StatedError(in: response.body).reason, hiding: [token])
    switch response.status {
    case 200: break
    case 400, 401, 403, 422:
      throw Self.wantsScope(response) ? .outOfScope(server, reason: reason) : .tokenRefused(server, reason: reason)
    default: throw authServer.surprise(response)
    }
    guard let answer else { throw .unreadable(server, what: "it is not JSON") }
    let said = ServerText.line(answer.filled("acct") ?? answer.filled("username")) ?? ""
    guard let user = said.split(separator: "@").first.map(String.init), !user.contains(" ") else {
      throw .unreadable(server, what: "it does not say whose account it is")
    }
    return Person(handle: "\(user)@\(server.host)", name: ServerText.line(answer.filled("display_name")) ?? user)
  }

  /// Whether a refusal is due to a missing scope.
  private static func wantsScope(_ response: Response) -> Bool {
    let said = StatedError(in: response.body)
    return TokenRefusal(response, code: said.code, description: said.description) == .wantsScope
  }

  /// Whether the server refuses a pull's request for a missing scope: some accept a token for verification but not for
  /// pulls. Other failures do not concern the login.
  func findsTooNarrow(_ token: Secret) async -> Bool {
    for path in ["/api/v1/timelines/tag/media?limit=1", "/api/v2/search?q=media&type=statuses&limit=1"] {
      let request = Request(.get, server.origin + path, headers: ["Accept": "application/json"], token: token)
      if let response = try? await authServer.answer(to: request), Self.wantsScope(response) { return true }
    }
    return false
  }

  /// Revokes a token (RFC 7009). Throws only if the task is cancelled: other failures are returned.
  func revoke(_ account: Account) async throws(LoginError) -> Revocation {
    guard let id = account.clientID, let secret = account.clientSecret else {
      return .notRevoked(reason: "the token was not made here")
    }
    return try await revoke(account.token, clientID: id, clientSecret: secret)
  }

  /// Revokes a token that was granted to the app with these keys.
  func revoke(_ token: Secret, clientID id: String, clientSecret secret: Secret) async throws(LoginError) -> Revocation
  {
    try await Revocation { () async throws(LoginError) in
      let fields = [("client_id", id), ("client_secret", secret.reveal()), ("token", token.reveal())]
      return try await authServer.answer(to: .form(endpoints().revocation, fields))
    }
  }
}
