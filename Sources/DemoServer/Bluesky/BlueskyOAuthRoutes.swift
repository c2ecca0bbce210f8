import FoundationEssentials
import HTTPTypes
import Hummingbird
import Synchronization
import Web

/// Logging in on a page, as the AT Protocol has it (https://atproto.com/specs/oauth). The demo is its own authorization server, and
/// as strict as any: requests are pushed, codes and tokens for renewal work once, and every proof is checked.
final class BlueskyOAuthRoutes: Sendable {
  /// What an app pushed.
  private struct Pushed {
    let client, redirect, state, challenge, scope, key: String
    let hint: String?
    let expires: Date
    /// Who let the app in.
    var person: Person?
  }

  /// What an OAuth server says is wrong (RFC 6749, 5.2).
  private struct Refusal: Error {
    let error, detail: String

    static let grant = Refusal(error: "invalid_grant", detail: "Invalid code or token")
    static func request(_ detail: String) -> Refusal { Refusal(error: "invalid_request", detail: detail) }

    var answer: Response {
      Response(json: ["error": .text(error), "error_description": .text(detail)], status: .badRequest)
    }
  }

  private let serverState: ServerState
  private let sessions: BlueskySessions
  /// What was pushed, by the name of the request, and then by the code.
  private let waiting = Mutex<[String: Pushed]>([:])
  private let scopes = Mutex<[String: String]>([:])

  init(serverState: ServerState, sessions: BlueskySessions) {
    (self.serverState, self.sessions) = (serverState, sessions)
  }

  func add(to router: Router<DemoContext>) {
    router.get("/.well-known/oauth-protected-resource") { [self] _, _ in
      Response(json: [
        "resource": .text(serverState.origin), "authorization_servers": [.text(serverState.origin)],
        "bearer_methods_supported": ["header"], "scopes_supported": [],
      ])
    }
    router.get("/.well-known/oauth-authorization-server") { [self] _, _ in Response(json: metadata) }
    router.post("/oauth/par") { [self] request, _ in try await refusing { try await push(request) } }
    router.get("/oauth/authorize") { [self] request, _ in page(request.query) }
    router.post("/oauth/authorize") { [self] request, _ in decide(try await request.fields()) }
    router.post("/oauth/token") { [self] request, _ in try await refusing { try await grant(request) } }
    router.post("/oauth/revoke") { [self] request, _ in
      try await refusing {
        let key = try proof(request)
        _ = sessions.close(try await request.fields()["token"] ?? "", boundTo: key, at: serverState.now())
        return Response(json: [:])
      }
    }
  }

  private var metadata: JSON {
    let origin = serverState.origin
    return [
      "issuer": .text(origin), "authorization_endpoint": .text("\(origin)/oauth/authorize"),
      "token_endpoint": .text("\(origin)/oauth/token"), "revocation_endpoint": .text("\(origin)/oauth/revoke"),
      "pushed_authorization_request_endpoint": .text("\(origin)/oauth/par"),
      "response_types_supported": ["code"], "grant_types_supported": ["authorization_code", "refresh_token"],
      "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": ["none"],
      "scopes_supported": ["atproto", "transition:generic"], "dpop_signing_alg_values_supported": ["ES256"],
      "authorization_response_iss_parameter_supported": true, "require_pushed_authorization_requests": true,
      "client_id_metadata_document_supported": true,
    ]
  }

  // MARK: The request and its page

  private func push(_ request: Request) async throws -> Response {
    let key = try proof(request)
    let fields = try await request.fields()
    guard let client = fields["client_id"], client.hasPrefix("http://localhost?"),
      let challenge = fields["code_challenge"],
      fields["code_challenge_method"] == "S256", fields["response_type"] == "code", let state = fields["state"]
    else { throw Refusal.request("the request is not complete") }
    let asked = Fields(form: String(client.dropFirst("http://localhost?".count)))
    guard let redirect = fields["redirect_uri"], redirect.hasPrefix("http://127.0.0.1"),
      redirect == asked["redirect_uri"]
    else { throw Refusal.request("Invalid redirect_uri") }
    guard let scope = fields["scope"], scope == asked["scope"], scope.split(separator: " ").contains("atproto") else {
      throw Refusal(error: "invalid_scope", detail: "The scope is not that of the client")
    }
    let name = "urn:ietf:params:oauth:request_uri:\(BlueskyProofs.fresh())"
    let pushed = Pushed(
      client: client, redirect: redirect, state: state, challenge: challenge, scope: scope, key: key,
      hint: fields["login_hint"], expires: serverState.now().addingTimeInterval(600), person: nil)
    waiting.withLock { $0[name] = pushed }
    return Response(json: ["request_uri": .text(name), "expires_in": 600], status: .created)
  }

  private func pushed(_ fields: Fields) -> (name: String, Pushed)? {
    guard let name = fields["request_uri"], let pushed = waiting.withLock({ $0[name] }), pushed.person == nil,
      pushed.client == fields["client_id"], pushed.expires > serverState.now()
    else { return nil }
    return (name, pushed)
  }

  private func page(_ fields: Fields, trouble: String? = nil) -> Response {
    guard let (name, pushed) = pushed(fields) else { return Self.unknown }
    return Response(
      html: AllowPage.html(
        to: "/oauth/authorize", app: "an app on this machine", permission: pushed.scope,
        hidden: [("request_uri", name), ("client_id", pushed.client)], trouble: trouble),
      status: trouble == nil ? .ok : .unauthorized)
  }

  private func decide(_ fields: Fields) -> Response {
    guard let (name, pushed) = pushed(fields) else { return Self.unknown }
    guard let person = AllowPage.person(fields) else { return page(fields, trouble: AllowPage.mismatch) }
    let isAllowed = fields["decision"] == "allow"
    let code = BlueskyProofs.fresh()
    waiting.withLock {
      $0[name] = nil
      guard isAllowed else { return }
      var granted = pushed
      granted.person = person
      $0[code] = granted
    }
    let query = [
      isAllowed ? ("code", code) : ("error", "access_denied"), ("iss", serverState.origin), ("state", pushed.state),
    ].map { "\($0.0)=\($0.1.pathEscaped)" }.joined(separator: "&")
    return Response(status: .seeOther, headers: [.location: "\(pushed.redirect)?\(query)"])
  }

  private static let unknown = Response(
    html: DemoPage.message("Unknown request", "No app asks for this, or no longer."), status: .badRequest)

  // MARK: Tokens

  private func grant(_ request: Request) async throws -> Response {
    let key = try proof(request)
    let (fields, now) = (try await request.fields(), serverState.now())
    switch fields["grant_type"] {
    case "authorization_code":
      guard let code = fields["code"], let begun = waiting.withLock({ $0.removeValue(forKey: code) }),
        let person = begun.person, begun.expires > now, begun.key == key, begun.client == fields["client_id"],
        begun.redirect == fields["redirect_uri"],
        base64URL(sha256(Array((fields["code_verifier"] ?? "").utf8))) == begun.challenge
      else { throw Refusal.grant }
      return tokens(for: person, key, begun.scope)
    case "refresh_token":
      let old = fields["refresh_token"] ?? ""
      guard let scope = scopes.withLock({ $0.removeValue(forKey: old) }),
        let person = sessions.close(old, boundTo: key, at: now)
      else { throw Refusal.grant }
      return tokens(for: person, key, scope)
    default: throw Refusal(error: "unsupported_grant_type", detail: "unknown grant_type")
    }
  }

  private func tokens(for person: Person, _ key: String, _ scope: String) -> Response {
    let pair = sessions.open(person, at: serverState.now(), boundTo: key)
    scopes.withLock { $0[pair.refresh] = scope }
    return Response(json: [
      "access_token": .text(pair.access), "token_type": "DPoP", "expires_in": .number(Int(BlueskySessions.life)),
      "refresh_token": .text(pair.refresh), "scope": .text(scope), "sub": .text(person.did),
    ])
  }

  private func proof(_ request: Request) throws -> String {
    do { return try sessions.proofs.key(of: request, to: serverState.origin, at: serverState.now()) } catch {
      guard let refusal = error as? BlueskyRefusal else { throw error }
      throw Refusal(error: refusal.name, detail: refusal.message)
    }
  }

  private func refusing(_ body: () async throws -> Response) async throws -> Response {
    do { return try await body() } catch let refusal as Refusal { return refusal.answer }
  }
}
