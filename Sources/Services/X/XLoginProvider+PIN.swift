import FoundationEssentials
import HTTP
import Login
import Posts

// The login of a person at X by a PIN (RFC 5849, 2;
// https://docs.x.com/fundamentals/authentication/oauth-1-0a/pin-based-oauth). The page shows seven digits, which are
// exchanged for a token. The token signs requests.

extension XLoginProvider {
  /// Begins a login whose page shows a PIN.
  func start(_ app: AppRegistration) async throws(LoginError) -> LoginStart {
    let endpoints = Endpoints(
      authorization: "\(authServer.server.xAPI)/oauth/authorize", token: "\(authServer.server.xAPI)/oauth/access_token")
    return LoginStart(app: app, endpoints: endpoints, temporary: try await token(forPageOf: app))
  }

  /// A temporary token for the authorization page. Throws `.keysRefused` if the app is unknown.
  private func token(forPageOf app: AppRegistration) async throws(LoginError) -> TemporaryToken {
    let keys = OAuthKeys(app: app.clientID, appSecret: app.clientSecret)
    let response = try await answer(to: "/oauth/request_token", keys, [("oauth_callback", "oob")])
    switch response.status {
    case 200:
      let (token, secret) = try pair(in: response)
      return TemporaryToken(token: token, secret: secret)
    case 400, 401, 403: throw .keysRefused(authServer.server)
    default: throw authServer.surprise(response)
    }
  }

  /// Exchanges the PIN for the person's token.
  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant? {
    let keys = OAuthKeys(
      app: login.app.clientID, appSecret: login.app.clientSecret, token: login.state, tokenSecret: login.verifier)
    let response = try await answer(to: "/oauth/access_token", keys, [("oauth_verifier", code.reveal())])
    switch response.status {
    case 200: break
    case 400, 401, 403: throw .codeRefused(authServer.server)
    default: throw authServer.surprise(response)
    }
    let (token, secret) = try pair(in: response)
    let said = Request.parameter("screen_name", of: Self.query(of: response))
    guard let name = ServerText.line(said), !name.contains(" "), !name.contains("@") else {
      throw .unreadable(authServer.server, what: "it does not say whose account it is")
    }
    let person = Person(handle: "\(name)@\(authServer.server.host)", name: name)
    return Grant(token: token, tokenSecret: secret, person: person)
  }

  /// Gives a person's token back
  /// (https://docs.x.com/fundamentals/authentication/api-reference, POST oauth/invalidate_token).
  func revoke(_ keys: OAuthKeys) async throws(LoginError) -> Revocation {
    do {
      let response = try await answer(to: "/1.1/oauth/invalidate_token", keys, [])
      if response.status == 200 { return .revoked }
      return .notRevoked(reason: "it answers with status \(response.status)")
    } catch {
      if error == .cancelled { throw error }
      return .notRevoked(reason: error.summary)
    }
  }

  private func answer(
    to path: String, _ keys: OAuthKeys, _ more: [(String, String)]
  ) async throws(LoginError) -> Response {
    let moment = Int(authServer.time.now().timeIntervalSince1970)
    let signature = OAuthSignature(keys, moment: moment, nonce: base64URL(authServer.random(24)))
    return try await authServer.answer(to: signature.signing(Request(.post, "\(authServer.server.xAPI)\(path)"), more))
  }

  /// The token and its secret, which the server sends as a form.
  private func pair(in response: Response) throws(LoginError) -> (token: Secret, secret: Secret) {
    let query = Self.query(of: response)
    guard let token = Request.parameter("oauth_token", of: query).flatMap(Secret.init(asToken:)),
      let secret = Request.parameter("oauth_token_secret", of: query).flatMap(Secret.init(asToken:))
    else { throw .unreadable(authServer.server, what: "it has no token") }
    return (token, secret)
  }

  private static func query(of response: Response) -> String { "?" + String(decoding: response.body, as: UTF8.self) }
}
