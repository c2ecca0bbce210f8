import FoundationEssentials
import HTTP
import JSONReading
import Login
import Posts

/// Logs apps and people in at X. An app's key and secret return a token that reads public posts. A person's token is
/// exchanged for the PIN on a page, or comes ready-made.
struct XLoginProvider: LoginProvider {
  static let logsAppsIn = true

  let authServer: AuthServer
  private var server: Server { authServer.server }

  init(_ authServer: AuthServer) { self.authServer = authServer.answering(as: "servers of \(SourceName.x.rawValue)") }

  /// Starts with the stored app. X registers none.
  func start(with stored: AppRegistration?, website: String?) async throws(LoginError) -> LoginStart {
    guard let stored else { throw .needsKeys(server, .x, logsAppsIn: Self.logsAppsIn) }
    return try await signedLogin.start(stored)
  }

  func start(with keys: AppKeys) async throws(LoginError) -> LoginStart {
    try await signedLogin.start(keys, .x)
  }

  func grant(toApp keys: AppKeys) async throws(LoginError) -> Grant {
    Grant(token: try await token(forKey: keys.id, secret: keys.secret), person: app)
  }

  /// The app's own token (https://docs.x.com/fundamentals/authentication/oauth-2-0/application-only): always the same
  /// one until it is revoked.
  func token(forKey key: String, secret: Secret) async throws(LoginError) -> Secret {
    let pair = "\(Request.percentEncoded(key)):\(Request.percentEncoded(secret.reveal()))"
    let credentials = Secret(Data(pair.utf8).base64EncodedString())
    var request = Request.form(
      "\(server.xAPI)/oauth2/token", [("grant_type", "client_credentials")], token: credentials)
    request.tokenPlacement = .basic
    let response = try await authServer.answer(to: request)
    switch response.status {
    case 200..<300: break
    case 400, 401, 403: throw .keysRefused(server)
    default: throw authServer.surprise(response)
    }
    guard let answer = JSONObject(response.body) else { throw .unreadable(server, what: "it is not JSON") }
    guard answer.filled("token_type")?.lowercased() == "bearer", let text = answer.filled("access_token"),
      let token = Secret(asToken: text)
    else { throw .unreadable(server, what: "it has no token") }
    return token
  }

  /// The token's owner, by either API. An app's token has none, which X reports with 403.
  func person(behind token: Secret) async throws(LoginError) -> Person {
    var response = try await authServer.answer(to: Request(.get, "\(server.xAPI)/2/users/me", token: token))
    if response.status == 404 {
      let older = Request(.get, "\(server.xAPI)/1.1/account/verify_credentials.json", token: token)
      response = try await authServer.answer(to: older)
    }
    let answer = JSONObject(response.body)
    switch response.status {
    case 200: break
    case 403 where answer != nil: return app
    case 400, 401, 403: throw .tokenRefused(server, reason: nil)
    default: throw authServer.surprise(response)
    }
    let user = answer?.object("data") ?? answer
    let name = user?.filled("username") ?? user?.filled("screen_name")
    guard let person = Person(named: name, shownAs: user?.filled("name"), at: server) else {
      throw .unreadable(server, what: "it does not say whose account it is")
    }
    return person
  }

  /// The identity of an app, whose token has no person.
  var app: Person { Person(handle: "app@\(server.host)", name: "App") }

  func revoke(_ account: Account) async throws(LoginError) -> Revocation {
    if let keys = account.signingKeys { return try await revoke(keys) }
    return .notRevoked(reason: "other programs of this app may use it, too")
  }
}
