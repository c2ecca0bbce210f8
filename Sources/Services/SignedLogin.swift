import FoundationEssentials
import HTTP
import Login
import Posts

/// The login of a person by signed requests (RFC 5849, 2), whose page shows a code. The code is exchanged for a token, which signs
/// requests.
struct SignedLogin {
  let authServer: AuthServer
  /// The base address of its three endpoints.
  let base: String
  /// What the page is told beside the login.
  var page: [(String, String)] = []

  private var server: Server { authServer.server }

  /// Begins a login with keys that a person made in the service's settings.
  func start(_ keys: AppKeys, _ source: SourceName) async throws(LoginError) -> LoginStart {
    try await start(
      AppRegistration(
        source: source, server: server, clientID: keys.id, clientSecret: keys.secret, scopes: [], madeByHand: true))
  }

  /// Begins a login whose page shows a code.
  func start(_ app: AppRegistration) async throws(LoginError) -> LoginStart {
    let endpoints = Endpoints(
      authorization: Request.address("\(base)/authorize", page), token: "\(base)/access_token")
    return LoginStart(app: app, endpoints: endpoints, temporary: try await token(forPageOf: app))
  }

  /// A temporary token for the authorization page. Throws `.keysRefused` if the app is unknown.
  private func token(forPageOf app: AppRegistration) async throws(LoginError) -> TemporaryToken {
    let keys = OAuthKeys(app: app.clientID, appSecret: app.clientSecret)
    let response = try await answer(to: "\(base)/request_token", keys, [("oauth_callback", "oob")])
    switch response.status {
    case 200:
      let (token, secret) = try pair(in: response)
      return TemporaryToken(token: token, secret: secret)
    case 400, 401, 403: throw .keysRefused(server)
    default: throw authServer.surprise(response)
    }
  }

  /// Exchanges the code for the person's token.
  ///
  /// - Parameter person: The token's owner, by the fields of the answer; nil if they do not say.
  func grant(
    for code: Secret, of login: PendingLogin, to person: (_ said: (String) -> String?) -> Person?
  ) async throws(LoginError) -> Grant {
    let keys = OAuthKeys(
      app: login.app.clientID, appSecret: login.app.clientSecret, token: login.state, tokenSecret: login.verifier)
    let response = try await answer(to: "\(base)/access_token", keys, [("oauth_verifier", code.reveal())])
    switch response.status {
    case 200: break
    case 400, 401, 403: throw .codeRefused(server)
    default: throw authServer.surprise(response)
    }
    let (token, secret) = try pair(in: response)
    guard let person = person({ Request.parameter($0, of: Self.query(of: response)) }) else {
      throw .unreadable(server, what: "it does not say whose account it is")
    }
    return Grant(token: token, tokenSecret: secret, person: person)
  }

  /// The answer to a signed request.
  func answer(
    to address: String, _ keys: OAuthKeys, _ more: [(String, String)]
  ) async throws(LoginError) -> Response {
    let moment = Int(authServer.time.now().timeIntervalSince1970)
    let signature = OAuthSignature(keys, moment: moment, nonce: base64URL(authServer.random(24)))
    return try await authServer.answer(to: signature.signing(Request(.post, address), more))
  }

  /// The token and its secret, which the server sends as a form.
  private func pair(in response: Response) throws(LoginError) -> (token: Secret, secret: Secret) {
    let query = Self.query(of: response)
    guard let token = Request.parameter("oauth_token", of: query).flatMap(Secret.init(asToken:)),
      let secret = Request.parameter("oauth_token_secret", of: query).flatMap(Secret.init(asToken:))
    else { throw .unreadable(server, what: "it has no token") }
    return (token, secret)
  }

  private static func query(of response: Response) -> String { "?" + String(decoding: response.body, as: UTF8.self) }
}
