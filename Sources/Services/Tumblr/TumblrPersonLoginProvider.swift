import HTTP
import JSONReading
import Login
import Posts

/// Logs people in at Tumblr by OAuth 2 (https://www.tumblr.com/docs/en/api/v2#oauth2-authorization), with keys made by hand and the
/// redirect of the app's settings. A token lives 42 minutes, and one for renewal, which is good once, 42 days
/// (https://github.com/tumblr/docs/issues/134).
struct TumblrPersonLoginProvider: LoginProvider {
  /// The name by which people choose this login.
  static let api = "oauth2"
  /// The scopes for reading and for tokens that can be renewed.
  private static let scopes = ["basic", "offline_access"]

  let authServer: AuthServer
  private var server: Server { authServer.server }
  private var endpoints: Endpoints {
    Endpoints(authorization: "\(server.tumblrSite)/oauth2/authorize", token: "\(server.tumblrAPI)/v2/oauth2/token")
  }

  init(_ authServer: AuthServer) {
    self.authServer = authServer.answering(as: "servers of \(SourceName.tumblr.rawValue)")
  }

  /// Starts with the stored app. Tumblr registers none.
  func start(with stored: AppRegistration?, website: String?) async throws(LoginError) -> LoginStart {
    guard let stored else { throw .needsKeys(server, .tumblr) }
    return LoginStart(app: stored, endpoints: endpoints)
  }

  func start(with keys: AppKeys) -> LoginStart {
    let app = AppRegistration(
      source: .tumblr, server: server, clientID: keys.id, clientSecret: keys.secret, scopes: Self.scopes,
      madeByHand: true, api: Self.api, redirect: keys.redirect ?? "")
    return LoginStart(app: app, endpoints: endpoints)
  }

  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant? {
    let redirect = login.app.redirect ?? ""
    let fields = [("grant_type", "authorization_code"), ("code", code.reveal()), ("redirect_uri", redirect)]
    return try await grant(fields.filter { !$0.1.isEmpty }, login.app.clientID, login.app.clientSecret) { error, _ in
      switch error {
      case "invalid_client", "unauthorized_client", "redirect_uri_mismatch":
        .redirectRefused(server, redirect: redirect.isEmpty ? "URL" : redirect)
      default: .codeRefused(server)
      }
    }
  }

  func renew(_ account: Account) async throws(LoginError) -> Grant? {
    guard let old = account.refreshToken, let id = account.clientID, let secret = account.clientSecret else {
      return nil
    }
    let fields = [("grant_type", "refresh_token"), ("refresh_token", old.reveal())]
    return try await grant(fields, id, secret) { _, reason in
      .tokenRefused(server, reason: ServerText.reason(reason, hiding: [old, account.token, secret]))
    }
  }

  /// Exchanges a code or a token for renewal.
  ///
  /// - Parameter refusal: The error for the server's own word of what is wrong, and its reason, if it gives them.
  private func grant(
    _ fields: [(String, String)], _ id: String, _ secret: Secret,
    refusal: (_ error: String?, _ reason: String?) -> LoginError
  ) async throws(LoginError) -> Grant {
    let keys = [("client_id", id), ("client_secret", secret.reveal())]
    let response = try await authServer.answer(to: .form(endpoints.token, fields + keys))
    let answer = JSONObject(response.body)
    switch (response.status, answer?.filled("error")) {
    case (200..<300, nil): return try authServer.grant(in: answer)
    // The documentation promises the status alone.
    case (200..<500, let error?): throw refusal(error, StatedError(in: response.body).reason)
    case (401, nil): throw refusal(nil, nil)
    default: throw authServer.surprise(response)
    }
  }

  /// The token's owner, by the name of their main blog.
  func person(behind token: Secret) async throws(LoginError) -> Person {
    let response = try await authServer.answer(to: Request(.get, "\(server.tumblrAPI)/v2/user/info", token: token))
    switch response.status {
    case 200: break
    case 400, 401, 403: throw .tokenRefused(server, reason: nil)
    default: throw authServer.surprise(response)
    }
    let user = JSONObject(response.body)?.object("response")?.object("user")
    let blog = user?.objects("blogs", most: 100).first { $0.bool("primary") == true }
    guard let person = Person(named: user?.filled("name"), shownAs: blog?.string("title"), at: server) else {
      throw .unreadable(server, what: "it does not say whose account it is")
    }
    return person
  }

  func revoke(_ account: Account) async throws(LoginError) -> Revocation {
    .notRevoked(reason: "an app's access ends in the account's settings alone")
  }
}
