extension Origin {
  /// The service's answers over HTTP.
  func oauth(_ request: RecordedRequest) -> Answer {
    let script = script
    do {
      switch request.path {
      case "/.well-known/oauth-authorization-server" where script.discovery && script.oauth: return Answer(discovery)
      case "/api/v1/apps" where script.oauth: return try Answer(state.withLock { try $0.oauth.register(request.form) })
      case "/oauth/authorize" where script.oauth:
        let fields = Dictionary(request.query.map { ($0.name, $0.value) }) { $1 }
        return page(code: try state.withLock { try $0.oauth.authorize(fields) })
      case "/oauth/token" where script.oauth: return try Answer(state.withLock { try $0.oauth.trade(request.form) })
      case "/oauth/revoke" where script.oauth: return try Answer(state.withLock { try $0.oauth.revoke(request.form) })
      default: return .error(404, "Record not found")
      }
    } catch let refusal as OAuthService.Refusal {
      return Answer(["error": .text(refusal.error), "error_description": "Scripted refusal."], status: refusal.status)
    } catch {
      return .error(500, "scripted")
    }
  }

  private func page(code: String) -> Answer {
    let html = "<!DOCTYPE html><html><body><p>Copy this code:</p><code>\(code)</code></body></html>"
    return Answer(headers: ["Content-Type": "text/html; charset=utf-8"], body: Array(html.utf8))
  }

  private var discovery: JSON {
    [
      "issuer": .text(url), "authorization_endpoint": .text("\(url)/oauth/authorize"),
      "token_endpoint": .text("\(url)/oauth/token"), "revocation_endpoint": .text("\(url)/oauth/revoke"),
      "app_registration_endpoint": .text("\(url)/api/v1/apps"),
      "scopes_supported": ["read", "read:accounts", "read:statuses", "read:search", "profile"],
      "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
      "grant_types_supported": ["authorization_code", "client_credentials"],
    ]
  }
}
