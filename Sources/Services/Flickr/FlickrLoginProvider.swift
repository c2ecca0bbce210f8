import HTTP
import JSONReading
import Login
import Posts

/// Logs apps and people in at Flickr. An app's key alone reads all that is public and safe. A person's token is exchanged for the
/// code on a page (https://www.flickr.com/services/api/auth.oauth.html), and signs requests.
struct FlickrLoginProvider: LoginProvider {
  static let logsAppsIn = true
  static let takesKeysAlone = true

  let authServer: AuthServer
  private var server: Server { authServer.server }
  private let signedLogin: SignedLogin

  init(_ authServer: AuthServer) {
    self.authServer = authServer.answering(as: "servers of \(SourceName.flickr.rawValue)")
    signedLogin = SignedLogin(
      authServer: self.authServer, base: "\(authServer.server.flickrSite)/services/oauth", page: [("perms", "read")])
  }

  func start(with stored: AppRegistration?, website: String?) async throws(LoginError) -> LoginStart {
    guard let stored else { throw .needsKey(server, .flickr) }
    return try await signedLogin.start(stored)
  }

  func start(with keys: AppKeys) async throws(LoginError) -> LoginStart {
    try await signedLogin.start(keys, .flickr)
  }

  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant? {
    try await signedLogin.grant(for: code, of: login) { said in
      guard let id = FlickrPhoto.account(said("user_nsid")) else { return nil }
      let username = ServerText.line(said("username"))
      let handle = username.flatMap { $0.contains(" ") || $0.contains("@") ? nil : $0 } ?? id
      return Person(
        handle: "\(handle)@\(server.host)", name: ServerText.line(said("fullname")) ?? username ?? handle, id: id)
    }
  }

  /// An app, if the server takes its key.
  func person(behind token: Secret) async throws(LoginError) -> Person {
    let response = try await authServer.answer(to: server.flickrRequest("test.echo", [], token: token))
    switch response.status {
    case 200: break
    case 400, 401, 403: throw .tokenRefused(server, reason: nil)
    default: throw authServer.surprise(response)
    }
    guard let answer = JSONObject(response.body) else { throw .unreadable(server, what: "it is not JSON") }
    switch answer.string("stat") {
    case "ok": return Person(handle: "app@\(server.host)", name: "App")
    case "fail" where answer.text("code") == "100": throw .tokenRefused(server, reason: nil)
    case "fail" where answer.text("code") == "105": throw .serverFailed(server, status: 503)
    default: throw .unreadable(server, what: "it does not say whether the key is good")
    }
  }

  func revoke(_ account: Account) async throws(LoginError) -> Revocation {
    if account.signingKeys != nil { return .notRevoked(reason: "an app's access ends in the account's settings alone") }
    return .notRevoked(reason: "a key ends in the app's settings alone")
  }
}
