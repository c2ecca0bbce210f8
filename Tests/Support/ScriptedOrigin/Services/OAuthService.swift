import Foundation

/// The OAuth service: apps, codes for one use, PKCE with S256, tokens.
struct OAuthService: Sendable {
  struct Refusal: Error {
    var status: Int
    var error: String
  }

  private struct App {
    var secret: String
    var redirect: String
    var scopes: Set<String>
  }

  private struct Grant {
    var client: String
    var redirect: String
    var scope: String
    var challenge: String?
  }

  var tokens: Set<String>
  /// Refresh tokens, each for one use.
  private var refreshTokens: Set<String>
  private var apps: [String: App] = [:]
  private var grants: [String: Grant] = [:]
  private var made = 0

  /// Creates a service with these tokens, and with apps of these keys from its settings.
  init(tokens: Set<String>, keys: [String: String], refreshTokens: Set<String>) {
    self.tokens = tokens
    self.refreshTokens = refreshTokens
    let redirect = "urn:ietf:wg:oauth:2.0:oob"
    apps = keys.mapValues { App(secret: $0, redirect: redirect, scopes: ["basic", "public_content"]) }
  }

  mutating func register(_ fields: [String: String]) throws -> JSON {
    guard let name = fields["client_name"], !name.isEmpty, let redirect = fields["redirect_uris"], !redirect.isEmpty
    else { throw Refusal(status: 422, error: "Validation failed: Redirect URI must be an absolute URI.") }
    made += 1
    let (id, secret) = ("client-\(made)", "client-secret-\(made)")
    let scopes = fields["scopes"] ?? "read"
    apps[id] = App(secret: secret, redirect: redirect, scopes: Set(scopes.split(separator: " ").map(String.init)))
    return [
      "id": .text("\(made)"), "name": .text(name), "client_id": .text(id), "client_secret": .text(secret),
      "redirect_uri": .text(redirect), "redirect_uris": [.text(redirect)], "client_secret_expires_at": 0,
      "scopes": .list(scopes.split(separator: " ").map { .text(String($0)) }),
    ]
  }

  /// The code that the page shows.
  mutating func authorize(_ fields: [String: String]) throws -> String {
    guard let client = fields["client_id"], let app = apps[client] else {
      throw Refusal(status: 401, error: "invalid_client")
    }
    let scope = fields["scope"] ?? "read"
    guard fields["response_type"] == "code", fields["redirect_uri"] == app.redirect else {
      throw Refusal(status: 400, error: "invalid_request")
    }
    guard app.scopes.isSuperset(of: scope.split(separator: " ").map(String.init)) else {
      throw Refusal(status: 400, error: "invalid_scope")
    }
    if fields["code_challenge"] != nil, fields["code_challenge_method"] != "S256" {
      throw Refusal(status: 400, error: "invalid_code_challenge_method")
    }
    made += 1
    let code = "code-\(made)-x_Y"
    grants[code] = Grant(client: client, redirect: app.redirect, scope: scope, challenge: fields["code_challenge"])
    return code
  }

  mutating func trade(_ fields: [String: String]) throws -> JSON {
    guard let client = fields["client_id"], let app = apps[client], app.secret == fields["client_secret"] else {
      throw Refusal(status: 401, error: "invalid_client")
    }
    if fields["grant_type"] == "refresh_token" { return try refresh(fields) }
    guard fields["grant_type"] == "authorization_code" else {
      throw Refusal(status: 400, error: "unsupported_grant_type")
    }
    guard let code = fields["code"], let grant = grants.removeValue(forKey: code), grant.client == client,
      grant.redirect == fields["redirect_uri"], proves(fields["code_verifier"], grant.challenge)
    else { throw Refusal(status: 400, error: "invalid_grant") }
    made += 1
    let token = "token-\(made)-secret"
    tokens.insert(token)
    return [
      "access_token": .text(token), "token_type": "Bearer", "scope": .text(grant.scope), "created_at": 1_760_000_000,
    ]
  }

  /// RFC 6749, section 6, with rotation: the old token becomes invalid.
  private mutating func refresh(_ fields: [String: String]) throws -> JSON {
    guard let old = fields["refresh_token"], refreshTokens.remove(old) != nil else {
      throw Refusal(status: 400, error: "invalid_grant")
    }
    made += 1
    tokens.insert("token-\(made)-secret")
    refreshTokens.insert("refresh-\(made)-secret")
    return [
      "access_token": .text("token-\(made)-secret"), "token_type": "Bearer", "expires_in": 31_536_000,
      "refresh_token": .text("refresh-\(made)-secret"),
    ]
  }

  mutating func revoke(_ fields: [String: String]) throws -> JSON {
    guard let client = fields["client_id"], let app = apps[client], app.secret == fields["client_secret"] else {
      throw Refusal(status: 403, error: "unauthorized_client")
    }
    if let token = fields["token"] { tokens.remove(token) }
    return [:]
  }

  /// RFC 7636, 4.6: the challenge is the base64url of the verifier's SHA-256; an unrequested verifier is ignored.
  private func proves(_ verifier: String?, _ challenge: String?) -> Bool {
    guard let challenge else { return true }
    guard let verifier, (43...128).contains(verifier.utf8.count) else { return false }
    let text = Data(Picture.digest(Array(verifier.utf8))).base64EncodedString()
    return text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") == challenge
  }
}
