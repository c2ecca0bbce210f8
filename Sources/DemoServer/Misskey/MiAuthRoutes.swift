import HTTPTypes
import Hummingbird
import Web

/// Logging in by MiAuth (https://misskey-hub.net/en/docs/for-developers/api/token/miauth/): a page named by the app's
/// session, and the trade of the session for a token, once.
struct MiAuthRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    router.get("/miauth/:session") { request, context in
      Response(html: MiAuthPage.html(try context.parameters.require("session"), request.query))
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

  private func decide(_ session: String, _ request: Request) async throws -> Response {
    let fields = try await request.fields()
    let person = Person.everyone.firstIndex { $0.host == nil && $0.username == fields["username"] }
    guard let person, fields["password"] == AuthorizeRoutes.password else {
      return Response(
        html: MiAuthPage.html(session, fields, trouble: "That name and password do not belong together."),
        status: .unauthorized)
    }
    guard fields["decision"] == "allow" else {
      return Response(html: DemoPage.message("Denied", "The app gets nothing. You can close this page."))
    }
    let (now, scopes) = (serverState.now(), (fields["permission"] ?? "").split(separator: ",").map(String.init))
    serverState.registry.withLock { $0.allow(session: session, person: person, scopes: scopes, at: now) }
    return Response(html: DemoPage.message("Allowed", "Go back to the app, and press Enter there."))
  }
}

/// The page on which a person allows a session.
private enum MiAuthPage {
  static func html(_ session: String, _ asked: Fields, trouble: String? = nil) -> HTML {
    let people: [HTML] = Person.residents.map { person in
      "<option value=\"\(person.username)\">\(person.name) (@\(person.username))</option>"
    }
    let warning: HTML = trouble.map { "<p class=\"trouble\">\($0)</p>" } ?? ""
    let permission = asked["permission"] ?? ""
    return DemoPage.html(
      "Allow access",
      """
      <section class="card"><h1>Let \(asked["name"] ?? "an app") in?</h1>\(warning)
      <p>It asks for <code>\(permission)</code>. Choose whom you want to be;
      everybody's password is <code>\(AuthorizeRoutes.password)</code>.</p>
      <form method="post" action="/miauth/\(session)"><input type="hidden" name="permission" value="\(permission)">
      <label for="username">Who</label><select id="username" name="username">\(HTML.joined(people))</select>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" value="\(AuthorizeRoutes.password)" autocomplete="off">
      <button name="decision" value="allow">Allow</button>
      <button class="plain" name="decision" value="deny">Deny</button></form></section>
      """
    )
  }
}
