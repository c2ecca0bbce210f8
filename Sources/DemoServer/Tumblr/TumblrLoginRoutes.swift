import FoundationEssentials
import HTTPTypes
import Hummingbird
import Synchronization
import Web

/// Logins of people by OAuth 2 (https://www.tumblr.com/docs/en/api/v2#oauth2-authorization). Tokens live 42 minutes, and those for
/// renewal are good once. Kept in memory: ending the demo ends them.
final class TumblrLoginRoutes: Sendable {
  /// How long a token lives.
  static let life: TimeInterval = 2_520
  /// The only app.
  static let app = Registry.App(
    clientID: TumblrRoutes.key, secret: "demo-consumer-secret", name: "an app", website: nil,
    redirects: ["http://127.0.0.1/"], scopes: ["basic", "write", "offline_access"])

  private let serverState: ServerState
  /// Whom the tokens for renewal are for.
  private let renewals = Mutex<[String: Registry.Token]>([:])

  init(serverState: ServerState) { self.serverState = serverState }

  func add(to router: Router<DemoContext>) {
    router.get("/oauth2/authorize") { [self] request, _ in answer(request.query) { page($0) } }
    router.post("/oauth2/authorize") { [self] request, _ in
      let fields = try await request.fields()
      return answer(fields) { decide($0, fields) }
    }
    router.post("/v2/oauth2/token") { [self] request, _ in grant(try await request.fields()) }
  }

  // MARK: The page

  private func answer(_ fields: Fields, _ reply: (AuthorizationRequest) -> Response) -> Response {
    do { return reply(try AuthorizationRequest(fields, apps: [Self.app.clientID: Self.app])) } catch {
      return Response(html: DemoPage.message("Unknown request", "No app asks for this."), status: .badRequest)
    }
  }

  private func page(_ asked: AuthorizationRequest, trouble: String? = nil) -> Response {
    Response(
      html: AllowPage.html(
        to: "/oauth2/authorize", app: Self.app.name, permission: asked.scopes.joined(separator: " "),
        hidden: asked.fields.map { (name: $0.0, value: $0.1) }, trouble: trouble),
      status: trouble == nil ? .ok : .unauthorized)
  }

  private func decide(_ asked: AuthorizationRequest, _ fields: Fields) -> Response {
    guard let person = AllowPage.person(fields) else { return page(asked, trouble: AllowPage.mismatch) }
    let now = serverState.now()
    let answer =
      fields["decision"] == "allow"
      ? ("code", serverState.registry.withLock { $0.issueCode(asked, person: person.id - 1001, at: now) })
      : ("error", "access_denied")
    let query = [answer, ("state", asked.state ?? "")].map { "\($0.0)=\($0.1.pathEscaped)" }.joined(separator: "&")
    return Response(status: .found, headers: [.location: "\(asked.redirect)?\(query)#_=_"])
  }

  // MARK: Tokens

  private func grant(_ fields: Fields) -> Response {
    guard fields["client_id"] == Self.app.clientID, fields["client_secret"] == Self.app.secret else {
      return Self.refusal("invalid_client")
    }
    let now = serverState.now()
    let before: Registry.Token?
    switch fields["grant_type"] {
    case "authorization_code":
      let claim = CodeClaim(
        clientID: Self.app.clientID, redirect: fields["redirect_uri"] ?? Self.app.redirects[0], verifier: nil)
      before = serverState.registry.withLock { $0.trade(fields["code"] ?? "", for: claim, at: now) }
    case "refresh_token": before = renewals.withLock { $0.removeValue(forKey: fields["refresh_token"] ?? "") }
    default: return Self.refusal("unsupported_grant_type")
    }
    guard let before else { return Self.refusal("invalid_grant") }
    let token = serverState.registry.withLock { registry in
      // An app's earlier token ends.
      let old = registry.token(clientID: before.clientID, person: before.person, scopes: before.scopes, at: now)
      registry.revoke(old.value)
      return registry.token(clientID: before.clientID, person: before.person, scopes: before.scopes, at: now)
    }
    var answer: JSON = [
      "access_token": .text(token.value), "expires_in": .number(Int(Self.life)), "id_token": false,
      "scope": .text(token.scopes.joined(separator: " ")), "token_type": "bearer",
    ]
    if token.scopes.contains("offline_access") {
      let renewal = BlueskyProofs.fresh()
      renewals.withLock { $0[renewal] = token }
      answer = answer.adding(["refresh_token": .text(renewal)])
    }
    return Response(json: answer)
  }

  private static func refusal(_ error: String) -> Response {
    Response(json: ["error": .text(error), "error_description": "The demo refuses it"], status: .unauthorized)
  }
}
