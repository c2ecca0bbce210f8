// A server during a login. Each request is one function; none stores anything.

import HTTP
import JSONReading
import Posts

/// The OAuth endpoints of a Mastodon-like server.
///
/// Answers are untrusted: bounded, read field by field, and refused in messages that repeat no secret.
struct AuthServer: Sendable {
  /// Enough to read timelines, to know whose account it is, and to search.
  static let scopes = ["read:statuses", "read:accounts", "read:search"]
  /// The same scopes at Pixelfed and other servers with coarse scopes.
  static let coarseScopes = ["read"]

  let server: Server
  let transport: Transport
  let time: TimeSource

  /// The endpoints; Mastodon's paths if the server names none or they are unreadable.
  func endpoints() async throws(LoginError) -> Endpoints {
    do {
      let response = try await answer(to: Request(.get, "\(server.origin)/.well-known/oauth-authorization-server"))
      guard response.status == 200, let metadata = JSONObject(response.body) else {
        return Endpoints(defaultsAt: server)
      }
      return Endpoints(reading: metadata, at: server)
    } catch {
      switch error {
      case .unreachable, .rateLimited, .cancelled: throw error
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
      let response = try await answer(to: Request(.get, "\(server.origin)/api/\(version)/instance"))
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

  /// The answer to a request, with any status except 429.
  func answer(to request: Request) async throws(LoginError) -> Response {
    var request = request
    request.limit = 1 << 20
    var response: Response
    do {
      response = try await transport.send(request)
    } catch {
      throw LoginError(error, at: server)
    }
    // Names and reasons are shown and stored.
    if let search = SecretSearch(request.token) { response.body = search.hidden(inJSON: response.body) }
    if response.status == 429 {
      let now = time.now()
      let until = RateLimit(headers: response.headers, now: now).resetsAt
      throw .rateLimited(server, until: until, asked: until == nil ? nil : now)
    }
    return response
  }

  /// The error for a status that no endpoint expects.
  func surprise(_ response: Response) -> LoginError {
    switch response.status {
    case 300..<400:
      if let other = response.headers["Location"].flatMap({ $0.contains("://") ? Server($0) : nil }), other != server {
        .moved(server, to: other)
      } else {
        .notThisAPI(server)
      }
    case 404, 405, 410: .notThisAPI(server)
    case 500...: .serverFailed(server, status: response.status)
    default: .unreadable(server, what: "status \(response.status)")
    }
  }
}
