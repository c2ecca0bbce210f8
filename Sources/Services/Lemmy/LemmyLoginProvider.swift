import FoundationEssentials
import HTTP
import JSONReading
import Login
import Posts

/// Logs people in by name and password, at the path of the API that the server speaks (`POST /api/v4/account/auth/login`,
/// `/api/v3/user/login`, `/api/alpha/user/login`). Tokens last until the login ends.
struct LemmyLoginProvider: PasswordLoginProvider {
  static let wanted = PasswordLogin(
    name: "user name or e-mail address", password: "password", advice: "the one of the server's web site",
    code: "asks for the code of your authenticator app")
  static let reportsFailedRevocation = true

  let authServer: AuthServer
  private var server: Server { authServer.server }

  init(_ authServer: AuthServer) { self.authServer = authServer.answering(as: "servers of Lemmy or PieFed") }

  /// What a login sends. PieFed takes a name and a password alone.
  private struct Fields: Encodable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var username_or_email, username, password, totp_2fa_token: String?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var stay_logged_in: Bool?
  }

  func grant(toName name: String, password: Secret, code: Secret?) async throws(LoginError) -> Grant {
    let name = String(name.trimmingWhiteSpace.drop { $0 == "@" })
    let (api, response) = try await answer { api in
      var fields = Fields(password: password.reveal())
      if api == .alpha {
        fields.username = name
      } else {
        (fields.username_or_email, fields.totp_2fa_token, fields.stay_logged_in) = (name, code?.reveal(), true)
      }
      var request = Request(.post, api.address(api == .v4 ? "account/auth/login" : "user/login", at: server))
      request.headers["Content-Type"] = "application/json"
      request.body = (try? JSONEncoder().encode(fields)).map(Array.init)
      return request
    }
    switch (response.status, LemmyAPIError(in: response.body).name) {
    case (200..<300, _): break
    case (400..<500, "missing_totp_token"): throw .codeWanted(server)
    case (400..<500, "incorrect_totp_token"): throw .codeRefused(server)
    case (400..<500, "rate_limit_error"), (400..<500, "too_many_requests"): throw .rateLimited(server)
    case (400..<500, "incorrect_login"), (400..<500, "couldnt_find_person"), (401, _): throw .passwordRefused(server)
    case (400..<500, let said?):
      // Passwords may be short.
      let reason = said.contains(password.reveal()) ? nil : ServerText.reason(said, hiding: [])
      throw .unreadable(server, what: reason.map { "it says: \($0)" } ?? "status \(response.status)")
    default: throw authServer.surprise(response)
    }
    guard let answer = JSONObject(response.body) else { throw .unreadable(server, what: "it is not JSON") }
    guard let token = answer.filled("jwt").flatMap(Secret.init(asToken:)) else {
      throw .unreadable(server, what: "it has no token")
    }
    return Grant(token: token, scopes: [], person: try await person(behind: token, by: api))
  }

  func person(behind token: Secret) async throws(LoginError) -> Person { try await person(behind: token, by: nil) }

  /// The token's owner: the server's description of itself says it, in Lemmy 1.0 that of the account.
  private func person(behind token: Secret, by known: LemmyAPI?) async throws(LoginError) -> Person {
    let (_, response) = try await answer(by: known) { api in
      Request(.get, api.address(api == .v4 ? "account" : "site", at: server), token: token)
    }
    let said = LemmyAPIError(in: response.body).name
    switch (response.status, said) {
    case (200, _): break
    case (400..<500, _?): throw .tokenRefused(server, reason: ServerText.reason(said, hiding: [token]))
    case (400, _), (401, _), (403, _): throw .tokenRefused(server, reason: nil)
    default: throw authServer.surprise(response)
    }
    guard let answer = JSONObject(response.body) else { throw .unreadable(server, what: "it is not JSON") }
    let shown = (answer.object("my_user") ?? answer).object("local_user_view")?.object("person").map(LemmyPerson.init)
    guard let person = Person(named: shown?.name, shownAs: shown?.displayName, at: server) else {
      // It describes the server to strangers, too.
      if answer.has("site") || answer.has("site_view") { throw .tokenRefused(server, reason: nil) }
      throw .unreadable(server, what: "it does not say whose account it is")
    }
    return person
  }

  /// Ends the login. PieFed has no way to.
  func revoke(_ account: Account) async throws(LoginError) -> Revocation {
    do {
      let (api, response) = try await answer { api in
        Request(
          .post, api.address(api == .v4 ? "account/auth/logout" : "user/logout", at: server), token: account.token,
          body: [])
      }
      if (200..<300).contains(response.status) { return .revoked }
      let isWithout = api == .alpha && [404, 405].contains(response.status)
      return .notRevoked(reason: isWithout ? "it ends no logins" : "it answers with status \(response.status)")
    } catch {
      if error == .cancelled { throw error }
      return .notRevoked(reason: error.summary)
    }
  }

  /// The answer of the first API that the server has, or of the last one.
  private func answer(
    by known: LemmyAPI? = nil, to request: (LemmyAPI) -> Request
  ) async throws(LoginError) -> (api: LemmyAPI, response: Response) {
    for api in known.map({ [$0] }) ?? LemmyAPI.allCases {
      let response = try await authServer.answer(to: request(api))
      if !LemmyAPI.isUnknown(response) || api == known { return (api, response) }
    }
    throw .notThisAPI(server, kin: authServer.kin)
  }
}
