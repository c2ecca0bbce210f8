import FoundationEssentials
import HTTPTypes
import Hummingbird
import Posts
import Web

/// Exchanges codes for tokens, and revokes tokens (RFC 6749 sections 4.1.3, 4.4 and 5.2; RFC 7009).
struct TokenRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    router.post("/oauth/token") { request, _ in
      let fields = try await request.fields()
      let app = try client(request, fields)
      let token = try token(for: app, fields)
      var answer = Response(json: [
        "access_token": .text(token.value), "token_type": "Bearer",
        "scope": .text(token.scopes.joined(separator: " ")),
        "created_at": .number(Int(token.createdAt.timeIntervalSince1970)),
      ])
      answer.headers[.cacheControl] = "no-store"
      return answer
    }
    router.post("/oauth/revoke") { request, _ in
      let fields = try await request.fields()
      try revoke(request, fields)
      return Response(json: .object([]))
    }
  }

  private func token(for app: Registry.App, _ fields: Fields) throws -> Registry.Token {
    let now = serverState.now()
    switch fields["grant_type"] {
    case "authorization_code":
      guard let code = fields["code"]?.trimmingWhiteSpace, !code.isEmpty else {
        throw Refusal(.badRequest, "invalid_request", "Missing required parameter: code.")
      }
      let claim = CodeClaim(
        clientID: app.clientID,
        redirect: fields["redirect_uri"],
        verifier: fields["code_verifier"]
      )
      if let token = serverState.registry.withLock({ $0.trade(code, for: claim, at: now) }) { return token }
      throw Refusal(
        .badRequest,
        "invalid_grant",
        "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in "
          + "the authorization request, or was issued to another client."
      )
    case "client_credentials":
      let scopes = Scopes.list(fields["scope"] ?? "read")
      guard scopes.allSatisfy({ Scopes.cover(app.scopes, $0) }) else {
        throw Refusal(.badRequest, "invalid_scope", "The requested scope is invalid, unknown, or malformed.")
      }
      return serverState.registry.withLock { $0.token(clientID: app.clientID, person: nil, scopes: scopes, at: now) }
    case nil:
      throw Refusal(.badRequest, "invalid_request", "Missing required parameter: grant_type.")
    default:
      throw Refusal(
        .badRequest,
        "unsupported_grant_type",
        "The authorization grant type is not supported by the authorization server."
      )
    }
  }

  private func revoke(_ request: Request, _ fields: Fields) throws {
    let refused = Refusal(.forbidden, "unauthorized_client", "You are not authorized to revoke this token")
    guard let app = try? client(request, fields) else { throw refused }
    guard let value = fields["token"] else { return }
    let owner = serverState.registry.withLock { $0.tokens[value]?.clientID }
    guard owner == nil || owner == app.clientID else { throw refused }
    serverState.registry.withLock { $0.revoke(value) }
  }

  /// The requesting app, by its secret in the body or in the header.
  private func client(_ request: Request, _ fields: Fields) throws -> Registry.App {
    let (id, secret) = basic(request) ?? (fields["client_id"], fields["client_secret"])
    guard let id, let app = serverState.registry.withLock({ $0.apps[id] }), app.secret == secret else {
      throw Refusal(
        .unauthorized,
        "invalid_client",
        "Client authentication failed due to unknown client, no client authentication included, or unsupported "
          + "authentication method.",
        headers: [.wwwAuthenticate: #"Bearer realm="demo", error="invalid_client""#]
      )
    }
    return app
  }

  private func basic(_ request: Request) -> (String?, String?)? {
    guard let header = request.headers[.authorization], header.lowercased().hasPrefix("basic ") else { return nil }
    let data = Data(base64Encoded: header.dropFirst(6).trimmingWhiteSpace) ?? Data()
    let parts = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1)
    return parts.count == 2 ? (parts[0].percentDecoded, parts[1].percentDecoded) : (nil, nil)
  }
}
