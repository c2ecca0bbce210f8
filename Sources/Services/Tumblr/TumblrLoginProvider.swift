import HTTP
import JSONReading
import Login
import Posts

/// Logs an app in at Tumblr. Its key alone reads all that is public, and is sent with each request.
struct TumblrLoginProvider: LoginProvider {
  static let logsAppsIn = true
  static let takesKeysAlone = true

  let authServer: AuthServer
  private var server: Server { authServer.server }

  init(_ authServer: AuthServer) {
    self.authServer = authServer.answering(as: "servers of \(SourceName.tumblr.rawValue)")
  }

  func start(with stored: AppRegistration?, website: String?) async throws(LoginError) -> LoginStart {
    throw .needsKey(server, .tumblr)
  }

  /// A key that comes with its secret is for the login of a person.
  func start(with keys: AppKeys) async throws(LoginError) -> LoginStart {
    TumblrPersonLoginProvider(authServer).start(with: keys)
  }

  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant? {
    throw .codeRefused(server)
  }

  /// An app, if the server takes its key.
  func person(behind token: Secret) async throws(LoginError) -> Person {
    var request = Request(
      .get, Request.address("\(server.tumblrAPI)/v2/tagged", [("tag", "tumblr"), ("limit", "1")]), token: token)
    request.tokenPlacement = .query(fields: ["api_key"])
    let response = try await authServer.answer(to: request)
    switch response.status {
    case 200: break
    case 400, 401, 403: throw .tokenRefused(server, reason: nil)
    default: throw authServer.surprise(response)
    }
    guard let answer = JSONObject(response.body) else { throw .unreadable(server, what: "it is not JSON") }
    guard answer.object("meta")?.integer("status") == 200 else {
      throw .unreadable(server, what: "it does not say whether the key is good")
    }
    return Person(handle: "app@\(server.host)", name: "App")
  }

  func revoke(_ account: Account) async throws(LoginError) -> Revocation {
    .notRevoked(reason: "a key ends in the app's settings alone")
  }
}
