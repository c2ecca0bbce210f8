import Hummingbird
import Web

/// Logins at the servers of feeds.
struct LoginRoutes: Sendable {
  let parts: GalleryParts

  private struct Begin: Decodable {
    let server: String
    var source: String?
  }

  private struct Code: Decodable {
    let id: Int
    let code: String
  }

  private static func answer(_ id: Int, _ step: LoginStep) -> Response {
    switch step {
    case .authorize(let address, let note):
      Response(json: JSONMembers(present: ["id": id, "authorize": address, "note": note]))
    case .loggedIn(let handle): Response(json: JSONMembers(present: ["id": id, "account": handle]))
    case .failed(let sentence, let status):
      Response(json: JSONMembers(present: ["id": id, "failure": sentence, "status": status]))
    }
  }

  func add(to router: Router<GalleryContext>) {
    router.get("/login") { request, _ in
      parts.page(LoginPage(server: request.fields["server"] ?? "", isReadOnly: parts.isReadOnly).html)
    }
    router.post("/api/login") { request, _ in
      let body = try await request.object(Begin.self)
      let server = try body.server.argument("server")
      guard !server.isEmpty else { throw RequestError.badParameter("server", must: "a server such as mastodon.social") }
      let source = try body.source?.argument("source")
      let (id, step) = try await parts.logins.begin(server: server, source: source == "" ? nil : source)
      return Self.answer(id, step)
    }
    router.post("/api/login/code") { request, _ in
      let body = try await request.object(Code.self)
      // A line break would be a second answer.
      guard !body.code.isEmpty, body.code.utf8.count <= 4000, !body.code.contains(where: \.isNewline) else {
        throw RequestError.badParameter("code", must: "the code from the page, on one line")
      }
      return Self.answer(body.id, try await parts.logins.send(try body.code.argument("code"), to: body.id))
    }
    router.post("/api/login/cancel") { request, _ in
      await parts.logins.cancel(try await request.object(NumberBody.self).id)
      return Response(json: [String: String]())
    }
  }
}
