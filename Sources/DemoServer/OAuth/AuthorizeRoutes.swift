import HTTPTypes
import Hummingbird
import Web

/// The pages where a person logs in and consents.
///
/// A browser goes through three: log in, consent, code. A script needs one request: the fields of the authorization URL
/// with `username`, `password` and `decision=approve`, sent as a form, answer with the code page.
///
///     curl -s "$SERVER/oauth/authorize" -d response_type=code -d client_id="$ID" -d scope=read \
///       -d redirect_uri=urn:ietf:wg:oauth:2.0:oob -d username=mira -d password=demo -d decision=approve |
///       sed -n 's/.*id="code">\([^<]*\)<.*/\1/p'
///
/// There is no cookie, so no other site can act for a person: every form carries the password or the ticket of the consent
/// page.
struct AuthorizeRoutes {
  let serverState: ServerState
  /// Everybody's password, shown on the page.
  static let password = "demo"

  func add(to router: Router<DemoContext>) {
    router.get("/oauth/authorize") { request, _ in
      try await answer(request) { asked, app, _ in Response(html: LoginPage.html(asked, app: app)) }
    }
    router.post("/oauth/authorize") { request, _ in
      try await answer(request) { asked, app, fields in try step(asked, app, fields) }
    }
  }

  private func answer(
    _ request: Request,
    _ reply: (AuthorizationRequest, Registry.App, Fields) throws -> Response
  ) async throws -> Response {
    let fields = try await request.fields()
    let apps = serverState.registry.withLock { $0.apps }
    do {
      let asked = try AuthorizationRequest(fields, apps: apps)
      guard let app = apps[asked.clientID] else { throw AuthorizationRequest.Fault.unknownClient }
      return try reply(asked, app, fields)
    } catch let fault as AuthorizationRequest.Fault {
      return refuse(fault, fields)
    }
  }

  private func step(_ asked: AuthorizationRequest, _ app: Registry.App, _ fields: Fields) throws -> Response {
    let now = serverState.now()
    if let ticket = fields["ticket"] {
      guard let person = serverState.registry.withLock({ $0.consent(ticket, to: asked, at: now) }) else {
        return Response(html: LoginPage.html(asked, app: app, trouble: "That took too long. Please log in again."))
      }
      return decide(asked, person, fields)
    }
    let name = fields["username"]?.drop { $0 == "@" }.lowercased()
    guard let person = Person.everyone.firstIndex(where: { $0.host == nil && $0.username == name }),
      fields["password"] == Self.password
    else {
      return Response(
        html: LoginPage.html(asked, app: app, trouble: "That name and password do not belong together."),
        status: .unauthorized
      )
    }
    if fields["decision"] != nil { return decide(asked, person, fields) }
    let ticket = serverState.registry.withLock { $0.askConsent(asked, person: person, at: now) }
    return Response(html: ConsentPage.html(asked, app: app, person: Person.everyone[person], ticket: ticket))
  }

  private func decide(_ asked: AuthorizationRequest, _ person: Int, _ fields: Fields) -> Response {
    guard fields["decision"] == "approve" else {
      return refuse(.reported("access_denied", "The resource owner denied the request."), fields)
    }
    let now = serverState.now()
    let code = serverState.registry.withLock { $0.issueCode(asked, person: person, at: now) }
    if asked.redirect == AuthorizationRequest.paste { return Response(html: CodePage.html(code)) }
    return redirect(to: asked.redirect, [("code", code)] + (asked.state.map { [("state", $0)] } ?? []))
  }

  private func refuse(_ fault: AuthorizationRequest.Fault, _ fields: Fields) -> Response {
    switch fault {
    case .unknownClient:
      return Response(
        html: DemoPage.message("Unknown app", "No app with this client_id is registered here."),
        status: .badRequest
      )
    case .unknownRedirect:
      return Response(
        html: DemoPage.message("Unknown address", "The app did not register this redirect_uri."),
        status: .badRequest
      )
    case .reported(let error, let detail):
      guard let target = fields["redirect_uri"], target != AuthorizationRequest.paste else {
        return Response(html: DemoPage.message("Not authorized", detail), status: .badRequest)
      }
      let state = fields["state"].map { [("state", $0)] } ?? []
      return redirect(to: target, [("error", error), ("error_description", detail)] + state)
    }
  }

  private func redirect(to address: String, _ values: [(String, String)]) -> Response {
    let query = values.map { "\($0.0)=\($0.1.pathEscaped)" }.joined(separator: "&")
    return Response(status: .found, headers: [.location: address + (address.contains("?") ? "&" : "?") + query])
  }
}
