import FoundationEssentials
import HTTP
import JSONReading
import Login
import Posts

/// Where people log in for Instagram's Graph API: at Facebook, with keys made by hand and a redirect of the app's
/// settings. The code buys a token of an hour, and that one a token of some sixty days, which buys the next one.
/// (https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived)
struct GraphLoginProvider: LoginProvider {
  /// The scopes to read public posts and to find the account linked to a page.
  static let scopes = ["instagram_basic", "pages_show_list", "pages_read_engagement"]
  /// The page that Facebook has for programs that no server belongs to
  /// (https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow).
  static let redirect = "https://www.facebook.com/connect/login_success.html"

  static let exchangesTokens = true

  let authServer: AuthServer
  private var server: Server { authServer.server }

  init(_ authServer: AuthServer) {
    self.authServer = authServer.answering(as: "servers of \(SourceName.instagram.rawValue)", .meta)
  }

  /// Starts with the stored app. Facebook registers none.
  func start(with stored: AppRegistration?, website: String?) async throws(LoginError) -> LoginStart {
    guard let stored else { throw .needsKeys(server, .instagram) }
    return LoginStart(app: stored, endpoints: Endpoints(graphAt: server))
  }

  func start(with keys: AppKeys) async throws(LoginError) -> LoginStart {
    let app = AppRegistration(
      source: .instagram, server: server, clientID: keys.id, clientSecret: keys.secret, scopes: Self.scopes,
      madeByHand: true, api: GraphSource.apiName, redirect: keys.redirect ?? Self.redirect)
    return LoginStart(app: app, endpoints: Endpoints(graphAt: server))
  }

  /// The secret is sent in the body, where no log of addresses records it. The server accepts it there as in a query.
  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant? {
    let (app, redirect) = (login.app, login.app.redirect ?? Self.redirect)
    let keys = [("client_id", app.clientID), ("client_secret", app.clientSecret.reveal())]
    let fields = keys + [("redirect_uri", redirect), ("code", code.reveal())]
    let response = try await authServer.answer(to: .form(login.tokenEndpoint, fields))
    switch Self.apiError(in: response) {
    case nil where response.status == 200: break
    case .keys?: throw .redirectRefused(server, redirect: redirect)
    case .other?: throw .codeRefused(server)
    case nil: throw authServer.surprise(response)
    }
    let short = try authServer.grant(in: JSONObject(response.body)).token
    return try await exchanged(short, app.clientID, app.clientSecret, at: login.tokenEndpoint)
  }

  /// Whose token it is: the first professional account that is linked to one of the person's pages
  /// (https://developers.facebook.com/docs/instagram-platform/instagram-api-with-facebook-login/get-started).
  func person(behind token: Secret) async throws(LoginError) -> Person {
    let fields = [("fields", "instagram_business_account{id,username,name}"), ("limit", "100")]
    var request = Request(.get, Request.address("\(server.graphAPI)/me/accounts", fields), token: token)
    request.tokenPlacement = .query(fields: ["access_token"])
    let response = try await authServer.answer(to: request)
    if let apiError = JSONObject(response.body)?.object("error"), response.status < 500 {
      let said = ServerText.line(apiError.filled("message"), limit: 120)
      throw .tokenRefused(server, reason: said.flatMap { token.occurs(in: $0) ? nil : $0 })
    }
    guard response.status == 200 else { throw authServer.surprise(response) }
    guard let pages = JSONObject(response.body)?.value("data")?.elements(most: 1000) else {
      throw .unreadable(server, what: "it does not say whose account it is")
    }
    guard let person = pages.lazy.compactMap({ $0.object.flatMap(professional) }).first else {
      throw .noProfessionalAccount(server)
    }
    return person
  }

  /// When it ends, or what people allowed it to read does. Of a token that it takes for none of its asker's the server
  /// says nothing (https://developers.facebook.com/docs/graph-api/reference/debug_token).
  func end(of token: Secret) async throws(LoginError) -> Date? {
    var request = Request(.get, "\(server.graphAPI)/debug_token", token: token)
    request.tokenPlacement = .query(fields: ["input_token", "access_token"])
    let response = try await authServer.answer(to: request)
    guard response.status == 200, let data = JSONObject(response.body)?.object("data") else { return nil }
    let ends = [data.amount("expires_at"), data.amount("data_access_expires_at")]
    return ends.compactMap { $0 }.filter { (1...1e11).contains($0) }.min().map { Date(timeIntervalSince1970: $0) }
  }

  /// Exchanges a valid token for one that lasts some sixty days from now.
  func renew(_ account: Account) async throws(LoginError) -> Grant? {
    guard let id = account.clientID, let secret = account.clientSecret else { return nil }
    return try await exchanged(account.token, id, secret, at: Endpoints(graphAt: server).token)
  }

  func revoke(_ account: Account) async throws(LoginError) -> Revocation {
    .notRevoked(reason: "it takes tokens back on its own pages alone")
  }

  private func exchanged(
    _ token: Secret, _ id: String, _ secret: Secret, at endpoint: String
  ) async throws(LoginError) -> Grant {
    let fields = [
      ("grant_type", "fb_exchange_token"), ("client_id", id), ("client_secret", secret.reveal()),
      ("fb_exchange_token", token.reveal()),
    ]
    let response = try await authServer.answer(to: .form(endpoint, fields))
    if Self.apiError(in: response) != nil { throw .tokenRefused(server, reason: nil) }
    guard response.status == 200 else { throw authServer.surprise(response) }
    return try authServer.grant(in: JSONObject(response.body))
  }

  private enum APIErrorKind { case keys, other }

  /// What is wrong with what was sent; nil where nothing is, or the server only fails for now. 101 is an app that is
  /// none, and 1 comes with a wrong secret, too; 191 is a redirect that is not allowed.
  private static func apiError(in response: Response) -> APIErrorKind? {
    guard let error = JSONObject(response.body)?.object("error"), response.status < 500 else { return nil }
    let message = error.filled("message")?.lowercased() ?? ""
    let isOfKeys = message.contains("client secret") || message.contains("redirect") || message.contains("application")
    switch error.text("code").flatMap({ Int($0) }) {
    case 2, 4, 17, 32: return nil
    case 101, 191: return .keys
    default: return isOfKeys ? .keys : .other
    }
  }

  /// The professional account linked to a page, if any.
  private func professional(of page: JSONObject) -> Person? {
    let account = page.object("instagram_business_account")
    guard let id = account?.filled("id"), id.utf8.count <= 64, id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    let user =
      ServerText.line(account?.string("username")).flatMap { $0.contains(" ") || $0.contains("@") ? nil : $0 } ?? id
    return Person(handle: "\(user)@\(server.host)", name: ServerText.line(account?.string("name")) ?? user, id: id)
  }
}

extension Endpoints {
  /// The paths of Meta's Graph API.
  init(graphAt server: Server) {
    self.init(authorization: server.graphDialog, token: "\(server.graphAPI)/oauth/access_token")
  }
}
