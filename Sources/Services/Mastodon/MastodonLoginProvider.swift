import HTTP
import JSONReading
import Login
import Posts

/// Logs people in at Mastodon, Pixelfed and similar servers: registers the app, and asks for the scopes that the server
/// knows. Each request is one function; none stores anything.
struct MastodonLoginProvider: LoginProvider {
  /// Enough to read timelines, to know whose account it is, and to search.
  static let scopes = ["read:statuses", "read:accounts", "read:search"]
  /// The same scopes at Pixelfed and other servers with coarse scopes.
  static let coarseScopes = ["read"]
  static let reportsFailedRevocation = true

  let authServer: AuthServer
  var server: Server { authServer.server }

  init(_ authServer: AuthServer) {
    self.authServer = authServer.answering(as: "Mastodon, Pixelfed and their kin")
  }

  /// Starts with the stored app if the server still knows it. Otherwise registers another one.
  func start(with stored: AppRegistration?, website: String?) async throws(LoginError) -> LoginStart {
    let endpoints = try await endpoints()
    if let stored {
      let usable = stored.madeByHand ? true : try await knows(stored, at: endpoints)
      if usable { return LoginStart(app: stored, endpoints: endpoints) }
    }
    let app = try await register(try await scopes(endpoints), at: endpoints, website: website)
    return LoginStart(app: app, endpoints: endpoints)
  }

  func start(with keys: AppKeys) async throws(LoginError) -> LoginStart {
    let endpoints = try await endpoints()
    let app = AppRegistration(
      source: .mastodon, server: server, clientID: keys.id, clientSecret: keys.secret,
      scopes: try await scopes(endpoints), madeByHand: true)
    return LoginStart(app: app, endpoints: endpoints)
  }

  /// The endpoints; Mastodon's paths if the server names none or they are unreadable.
  func endpoints() async throws(LoginError) -> Endpoints {
    do {
      let response = try await authServer.answer(
        to: Request(.get, "\(server.origin)/.well-known/oauth-authorization-server"))
      guard response.status == 200, let metadata = JSONObject(response.body) else {
        return Endpoints(defaultsAt: server)
      }
      return Endpoints(reading: metadata, at: server)
    } catch {
      switch error {
      case .unreachable, .noTLS, .untrusted, .rateLimited, .cancelled: throw error
      default: return Endpoints(defaultsAt: server)
      }
    }
  }

  /// The scopes to request, by those that the server knows.
  func scopes(_ endpoints: Endpoints) async throws(LoginError) -> [String] {
    guard let known = endpoints.scopes else {
      // Servers without metadata do not list their scopes. Pixelfed rejects fine ones only on the page in the browser.
      let version = try await instance()?.filled("version") ?? ""
      return version.contains("Pixelfed") ? Self.coarseScopes : Self.scopes
    }
    let fine = Self.scopes.filter(known.contains)
    if fine.count == Self.scopes.count || !known.contains("read") { return fine.isEmpty ? Self.scopes : fine }
    return Self.coarseScopes
  }

  /// The server's self-description; nil if it does not answer as this API does. Servers drop the first version.
  func instance() async throws(LoginError) -> JSONObject? {
    for version in ["v1", "v2"] {
      let response = try await authServer.answer(to: Request(.get, "\(server.origin)/api/\(version)/instance"))
      if let fields = instance(in: response) { return fields }
    }
    return nil
  }

  private func instance(in response: Response) -> JSONObject? {
    guard let fields = JSONObject(response.body) else { return nil }
    switch response.status {
    case 200: return fields.filled("version") ?? fields.filled("uri") ?? fields.filled("domain") == nil ? nil : fields
    // Closed servers show even this only to their own users.
    case 401, 403, 422: return fields.filled("error") == nil ? nil : fields
    default: return nil
    }
  }
}
