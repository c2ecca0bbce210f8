import HTTPTypes
import Hummingbird
import Web

/// Logins by name and password, what the server says of itself and of whoever asks, and changes of one's own posts.
struct LemmyAccountRoutes {
  let serverState: ServerState
  /// The code of everybody's authenticator app. Who wants one is asked for it, except by PieFed.
  static let code = "123456"
  private var version: LemmyVersion { serverState.dialect.lemmyVersion }
  private var base: String { "/api/\(version.rawValue)" }

  func add(to router: Router<DemoContext>) {
    let isNewest = version == .v4
    router.post("\(base)/\(isNewest ? "account/auth" : "user")/login") { request, _ in try await logIn(request) }
    if !version.isPieFed {
      router.post("\(base)/\(isNewest ? "account/auth" : "user")/logout") { _, context in
        guard let token = context.token else { throw version.refusal("not_logged_in") }
        serverState.registry.withLock { $0.revoke(token.value) }
        return Response(json: ["success": true])
      }
    }
    router.get("\(base)/site") { _, context in
      Response(json: [
        version.isPieFed ? "site" : "site_view": ["name": "Media demo"],
        "version": .text(serverState.dialect.version), "my_user": isNewest ? nil : account(context),
      ])
    }
    if isNewest {
      router.get("\(base)/account") { _, context in
        guard context.viewer != nil else { throw version.refusal("not_logged_in") }
        return Response(json: account(context))
      }
    }
    addChanges(to: router)
    NodeInfoRoutes(serverState: serverState).add(to: router)
  }

  private func account(_ context: DemoContext) -> JSON {
    guard let viewer = context.viewer else { return nil }
    return ["local_user_view": ["person": LemmyWire(serverState.wire).person(viewer)]]
  }

  private func logIn(_ request: Request) async throws -> Response {
    let fields = try await request.fields()
    let name = fields[version.isPieFed ? "username" : "username_or_email"]
    let person = Person.everyone.firstIndex { $0.host == nil && $0.username == name }
    guard let person, fields["password"] == AuthorizeRoutes.password else {
      throw version.refusal("incorrect_login", .unauthorized)
    }
    if Person.everyone[person].wantsMailCode, !version.isPieFed {
      guard let code = fields["totp_2fa_token"] else { throw version.refusal("missing_totp_token") }
      guard code == Self.code else { throw version.refusal("incorrect_totp_token") }
    }
    let now = serverState.now()
    let token = serverState.registry.withLock {
      $0.token(clientID: version.rawValue, person: person, scopes: ["read"], at: now)
    }
    return Response(json: ["jwt": .text(token.value), "registration_created": false, "verify_email_sent": false])
  }

  private func addChanges(to router: Router<DemoContext>) {
    router.put("\(base)/post") { request, context in
      let (fields, post) = try await own(request, context)
      guard let body = fields["body"] else { throw version.refusal("invalid_body_field") }
      let now = serverState.now()
      serverState.world.withLock { $0.edit(post.id, to: Caption(typed: body), at: now, renumbering: false) }
      return Response(json: ["post_view": ["post": ["id": .number(Int(post.id))]]])
    }
    router.post("\(base)/post/delete") { request, context in
      let (_, post) = try await own(request, context)
      serverState.world.withLock { $0.delete(post.id, at: serverState.now()) }
      return Response(json: ["post_view": ["post": ["id": .number(Int(post.id)), "deleted": true]]])
    }
  }

  private func own(_ request: Request, _ context: DemoContext) async throws -> (Fields, DemoPost) {
    guard let viewer = context.viewer else { throw version.refusal("not_logged_in") }
    let fields = try await request.fields()
    guard let post = fields["post_id"].flatMap({ Int64($0) }).flatMap(serverState.wire.world.post),
      post.person.id == viewer.id, post.boosts == nil
    else { throw version.missing("post") }
    return (fields, post)
  }
}
