import HTTPTypes
import Hummingbird
import Web

/// Logging in by MiAuth (https://misskey-hub.net/en/docs/for-developers/api/token/miauth/): a page named by the app's
/// session, and the trade of the session for a token, once.
struct MiAuthRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    router.get("/miauth/:session") { request, context in
      Response(html: Self.page(try context.parameters.require("session"), request.query))
    }
    router.post("/miauth/:session") { request, context in
      try await decide(try context.parameters.require("session"), request)
    }
    router.post("/api/miauth/:session/check") { _, context in
      let session = try context.parameters.require("session")
      let now = serverState.now()
      guard let token = serverState.registry.withLock({ $0.trade(session: session, at: now) }),
        let person = token.person
      else { return Response(json: ["ok": false]) }
      let wire = MisskeyWire(serverState.wire, viewer: nil)
      return Response(json: ["ok": true, "token": .text(token.value), "user": wire.user(Person.everyone[person])])
    }
    router.post("/api/i") { _, context in
      guard let viewer = context.viewer else { throw MisskeyRefusal.needsLogin }
      guard context.token?.scopes.contains("read:account") == true else {
        throw MisskeyRefusal(
          .forbidden, "PERMISSION_DENIED",
          "Your app does not have the necessary permissions to use this endpoint.")
      }
      return Response(json: MisskeyWire(serverState.wire, viewer: viewer).user(viewer))
    }
  }

  private static func page(_ session: String, _ asked: Fields, trouble: String? = nil) -> HTML {
    let permission = asked["permission"] ?? ""
    return AllowPage.html(
      to: "/miauth/\(session)", app: asked["name"] ?? "an app", permission: permission,
      hidden: [("permission", permission)], trouble: trouble)
  }

  private func decide(_ session: String, _ request: Request) async throws -> Response {
    let fields = try await request.fields()
    guard let person = AllowPage.person(fields) else {
      return Response(html: Self.page(session, fields, trouble: AllowPage.mismatch), status: .unauthorized)
    }
    guard fields["decision"] == "allow" else { return AllowPage.denied }
    let (now, scopes) = (serverState.now(), (fields["permission"] ?? "").split(separator: ",").map(String.init))
    serverState.registry.withLock { $0.allow(session: session, person: person.id - 1001, scopes: scopes, at: now) }
    return Response(html: DemoPage.message("Allowed", "Go back to the app, and press Enter there."))
  }
}
