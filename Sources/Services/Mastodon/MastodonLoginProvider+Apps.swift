import HTTP
import JSONReading
import Login
import Posts

extension MastodonLoginProvider {
  /// Registers the app (`POST /api/v1/apps`) with the one redirect that makes the server show the code.
  ///
  /// - Throws: `.noRegistration` if the server speaks the API but offers no registration, `.notThisAPI` if it does not
  /// speak the API.
  func register(_ scopes: [String], at endpoints: Endpoints, website: String?) async throws(LoginError)
    -> AppRegistration
  {
    var fields = [
      ("client_name", "media"), ("redirect_uris", OutOfBand.redirect), ("scopes", scopes.joined(separator: " ")),
    ]
    if let website { fields.append(("website", website)) }
    let response = try await authServer.answer(to: .form(endpoints.registration, fields))
    switch response.status {
    case 200..<300:
      return try registration(in: response, scopes: scopes)
    case 400 where scopes != Self.coarseScopes, 422 where scopes != Self.coarseScopes:
      return try await register(Self.coarseScopes, at: endpoints, website: website)
    case 400..<500, 501:
      throw try await instance() == nil ? .notThisAPI(server, kin: authServer.kin) : .noRegistration(server)
    default:
      throw authServer.surprise(response)
    }
  }

  /// Whether the server still knows the app. Servers drop apps without logins, and then show an error in the browser,
  /// where no program sees it. So the app first requests a token for itself (RFC 6749, 4.4). Only an explicit rejection
  /// counts.
  func knows(_ app: AppRegistration, at endpoints: Endpoints) async throws(LoginError) -> Bool {
    let response = try await authServer.answer(
      to: .form(
        endpoints.token,
        [
          ("grant_type", "client_credentials"), ("client_id", app.clientID),
          ("client_secret", app.clientSecret.reveal()), ("redirect_uri", OutOfBand.redirect),
        ]
      )
    )
    let error = JSONObject(response.body)?.filled("error")
    return !(error == "invalid_client" || (response.status == 401 && error == nil))
  }

  private func registration(in response: Response, scopes: [String]) throws(LoginError) -> AppRegistration {
    guard let fields = JSONObject(response.body) else { throw .unreadable(server, what: "it is not JSON") }
    guard let id = fields.filled("client_id"), let secret = fields.filled("client_secret") else {
      throw .unreadable(server, what: "it registers the app without keys")
    }
    // The keys are stored, and sent with each login.
    guard let id = Secret(asToken: id)?.reveal(), let secret = Secret(asToken: secret) else {
      throw .unreadable(server, what: "it registers the app with keys that are none")
    }
    // The page rejects scopes that were not registered, and some servers register others than requested.
    let granted = fields.texts("scopes") ?? scopes
    let isCoarse = !scopes.allSatisfy(granted.contains) && granted.contains("read")
    return AppRegistration(
      server: server,
      clientID: id,
      clientSecret: secret,
      scopes: isCoarse ? Self.coarseScopes : scopes
    )
  }
}
