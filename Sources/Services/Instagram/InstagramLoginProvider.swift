import HTTP
import JSONReading
import Login
import Posts

/// Logs people in at a server with Instagram's first API: with keys made by hand, a code, and a token that neither
/// expires nor can be revoked.
struct InstagramLoginProvider: LoginProvider {
  /// The scope to request: reading public posts.
  static let scopes = ["basic", "public_content"]

  let authServer: AuthServer
  private var server: Server { authServer.server }

  init(_ authServer: AuthServer) {
    self.authServer = authServer.answering(as: "servers of \(SourceName.instagram.rawValue)")
  }

  /// Starts with the stored app. The server registers none.
  func start(with stored: AppRegistration?, website: String?) async throws(LoginError) -> LoginStart {
    guard let stored else { throw .needsKeys(server, .instagram) }
    return LoginStart(app: stored, endpoints: Endpoints(instagramAt: server))
  }

  func start(with keys: AppKeys) async throws(LoginError) -> LoginStart {
    let app = AppRegistration(
      source: .instagram, server: server, clientID: keys.id, clientSecret: keys.secret, scopes: Self.scopes,
      madeByHand: true)
    return LoginStart(app: app, endpoints: Endpoints(instagramAt: server))
  }

  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant? {
    let fields = [
      ("client_id", login.app.clientID), ("client_secret", login.app.clientSecret.reveal()),
      ("grant_type", "authorization_code"), ("redirect_uri", OutOfBand.redirect), ("code", code.reveal()),
    ]
    let response = try await authServer.answer(to: .form(login.tokenEndpoint, fields))
    let answer = JSONObject(response.body)
    switch (response.status, answer?.filled("error_message")) {
    case (200..<300, nil): return try grant(in: response.body)
    case (200..<500, let message?): if message.lowercased().contains("client") { return nil }
    case (400, _), (401, _), (403, _): break
    default: throw authServer.surprise(response)
    }
    throw .codeRefused(server)
  }

  private func grant(in body: [UInt8]) throws(LoginError) -> Grant {
    guard let answer = JSONObject(body) else { throw .unreadable(server, what: "it is not JSON") }
    guard let text = answer.filled("access_token"), let token = Secret(asToken: text) else {
      throw .unreadable(server, what: "it has no token")
    }
    let shown = SecretSearch(token).flatMap { JSONObject($0.hidden(inJSON: body)) } ?? answer
    return Grant(token: token, person: person(shown.object("user")))
  }

  func person(behind token: Secret) async throws(LoginError) -> Person {
    var request = Request(.get, "\(server.origin)/v1/users/self", token: token)
    request.tokenPlacement = .query(fields: ["access_token"])
    let response = try await authServer.answer(to: request)
    let answer = JSONObject(response.body)
    let apiError = answer?.object("meta") ?? answer
    let said = ServerText.line(apiError?.filled("error_message"), limit: 120)
    switch response.status {
    case 200 where said == nil: break
    case 200, 400, 401, 403: throw .tokenRefused(server, reason: said.flatMap { token.occurs(in: $0) ? nil : $0 })
    default: throw authServer.surprise(response)
    }
    guard let person = person(answer?.object("data")) else {
      throw .unreadable(server, what: "it does not say whose account it is")
    }
    return person
  }

  func revoke(_ account: Account) async throws(LoginError) -> Revocation {
    .notRevoked(reason: "it takes no tokens back")
  }

  private func person(_ user: JSONObject?) -> Person? {
    Person(named: user?.filled("username"), shownAs: user?.filled("full_name"), at: server)
  }
}

extension Endpoints {
  /// The paths of Instagram's first API.
  init(instagramAt server: Server) {
    self.init(
      authorization: "\(server.origin)/oauth/authorize/", token: "\(server.origin)/oauth/access_token")
  }
}
