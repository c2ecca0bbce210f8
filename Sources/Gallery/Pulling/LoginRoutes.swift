import Hummingbird

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

  private struct Answer: Encodable {
    let id: Int
    var authorize: String?
    var note: String?
    var account: String?
    var failure: String?
    var status: Int32?

    init(_ id: Int, _ step: LoginStep) {
      self.id = id
      switch step {
      case .authorize(let address, let note): (authorize, self.note) = (address, note)
      case .loggedIn(let handle): account = handle
      case .failed(let sentence, let status): (failure, self.status) = (sentence, status)
      }
    }
  }

  func add(to router: Router<GalleryContext>) {
    router.get("/login") { request, _ in
      parts.page(LoginPage(server: request.fields["server"] ?? "", isReadOnly: parts.isReadOnly).html)
    }
    router.write("/api/login") { request in
      let body = try await request.object(Begin.self)
      let server = try body.server.argument("server")
      guard !server.isEmpty else { throw RequestError.badParameter("server", must: "a server such as mastodon.social") }
      let source = try body.source?.argument("source")
      let (id, step) = try await parts.logins.begin(server: server, source: source == "" ? nil : source)
      return Response(json: Answer(id, step))
    }
    router.write("/api/login/code") { request in
      let body = try await request.object(Code.self)
      // A line break would be a second answer.
      guard !body.code.isEmpty, body.code.utf8.count <= 4000, !body.code.contains(where: \.isNewline) else {
        throw RequestError.badParameter("code", must: "the code from the page, on one line")
      }
      return Response(json: Answer(body.id, try await parts.logins.send(try body.code.argument("code"), to: body.id)))
    }
    router.write("/api/login/cancel") { request in
      await parts.logins.cancel(try await request.object(NumberBody.self).id)
      return Response(json: [String: String]())
    }
  }
}
