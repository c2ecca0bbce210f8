import Hummingbird
import Posts
import Web

/// Registration of apps (https://docs.joinmastodon.org/methods/apps/) and where to find everything (RFC 8414).
struct AppRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    router.post("/api/v1/apps") { request, _ in
      Response(json: try register(try await request.fields()))
    }
    router.get("/api/v1/apps/verify_credentials") { _, context in
      guard let token = context.token, let app = serverState.registry.withLock({ $0.apps[token.clientID] }) else {
        throw Refusal.badToken
      }
      return Response(json: AppRoutes.open(app))
    }
    router.get("/.well-known/oauth-authorization-server") { _, _ in
      guard serverState.dialect.describesOAuth else { throw HTTPError(.notFound) }
      return Response(json: metadata(serverState.origin))
    }
  }

  private func register(_ fields: Fields) throws -> JSON {
    let name = fields["client_name"]?.trimmingWhiteSpace ?? ""
    guard !name.isEmpty else { throw invalid("Application name can't be blank") }
    guard name.count <= 60 else { throw invalid("Application name is too long (maximum is 60 characters)") }
    let redirects = fields.all("redirect_uris").flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    guard !redirects.isEmpty else { throw invalid("Redirect URI can't be blank") }
    guard redirects.allSatisfy(AppRoutes.isRedirect) else { throw invalid("Redirect URI must be an absolute URI.") }
    let scopes = Scopes.list(fields["scopes"] ?? "read")
    guard scopes.allSatisfy({ Scopes.known.contains($0) }) else {
      throw invalid("Scopes doesn't match configured on the server.")
    }
    let app = serverState.registry.withLock {
      $0.register(name: name, website: fields["website"], redirects: redirects, scopes: scopes)
    }
    return AppRoutes.open(app).adding([
      "client_id": .text(app.clientID), "client_secret": .text(app.secret), "client_secret_expires_at": 0,
    ])
  }

  private func invalid(_ why: String) -> Refusal { Refusal(.unprocessableContent, "Validation failed: \(why)") }

  private static func isRedirect(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), colon > text.startIndex, !text.contains("#") else { return false }
    let scheme = text[..<colon].lowercased()
    return !["javascript", "data", "vbscript", "file"].contains(scheme) && text.index(after: colon) < text.endIndex
  }

  /// What the holder of a token may see of its app.
  private static func open(_ app: Registry.App) -> JSON {
    [
      "id": .text(String(app.clientID.prefix(8))), "name": .text(app.name), "website": .maybe(app.website),
      "scopes": .list(app.scopes.map(JSON.text)), "redirect_uri": .text(app.redirects.joined(separator: "\n")),
      "redirect_uris": .list(app.redirects.map(JSON.text)), "vapid_key": "",
    ]
  }

  private func metadata(_ origin: String) -> JSON {
    [
      "issuer": .text(origin + "/"), "service_documentation": "https://docs.joinmastodon.org/",
      "authorization_endpoint": .text(origin + "/oauth/authorize"), "token_endpoint": .text(origin + "/oauth/token"),
      "revocation_endpoint": .text(origin + "/oauth/revoke"),
      "app_registration_endpoint": .text(origin + "/api/v1/apps"),
      "scopes_supported": .list(Scopes.known.map(JSON.text)), "response_types_supported": ["code"],
      "response_modes_supported": ["query"], "grant_types_supported": ["authorization_code", "client_credentials"],
      "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
      "code_challenge_methods_supported": ["S256"],
    ]
  }
}
