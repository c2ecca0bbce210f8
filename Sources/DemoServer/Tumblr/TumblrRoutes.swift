import FoundationEssentials
import HTTPTypes
import Hummingbird
import Posts
import Web

/// Tumblr's API v2 (https://www.tumblr.com/docs/en/api/v2): tags and blogs, page by page, with the key of an app or the token of
/// a person. One blog is shown to people alone.
struct TumblrRoutes {
  let serverState: ServerState
  /// The only key that it takes.
  static let key = "demo-consumer-key"
  /// The blog that is hidden from those who have no account.
  static let hidden = "fern"

  func add(to router: Router<DemoContext>) {
    TumblrLoginRoutes(serverState: serverState).add(to: router)
    router.get("/v2/user/info") { request, context in
      _ = try asked(request, context)
      guard let person = context.token?.person.map({ Person.everyone[$0] }) else { throw TumblrRefusal.unauthorized }
      let blog = TumblrWire(wire: serverState.wire, isOfBlocks: true).blog(person).adding(["primary": true])
      return answer(["user": ["name": .text(person.username), "likes": 0, "following": 0, "blogs": [blog]]])
    }
    router.get("/v2/tagged") { request, context in
      let fields = try asked(request, context)
      guard let tag = fields["tag"], !tag.isEmpty else { throw TumblrRefusal(.badRequest, "Bad Request") }
      return answer(.list(try posts(on: .tag(tag.lowercased()), fields, showsAll: context.token != nil)))
    }
    router.get("/v2/blog/:blog/posts") { request, context in
      let fields = try asked(request, context)
      let wire = TumblrWire(wire: serverState.wire, isOfBlocks: fields["npf"] == "true")
      let person = try person(try context.parameters.require("blog").percentDecoded ?? "")
      guard context.token != nil || person.username != Self.hidden else { throw TumblrRefusal.onlyInDashboard }
      if let id = fields["id"] {
        guard let post = Int64(id).flatMap(wire.wire.world.post), post.person.id == person.id else {
          throw TumblrRefusal.notFound
        }
        return answer(["blog": wire.blog(person), "posts": [wire.post(post)], "total_posts": 1])
      }
      let posts = try posts(on: .person(person.id - 1001), fields, showsAll: true)
      return answer(["blog": wire.blog(person), "posts": .list(posts)])
    }
  }

  /// The parameters of a request with the right key, or with a token that has not ended.
  private func asked(_ request: Request, _ context: DemoContext) throws -> Fields {
    let isAllowed =
      context.token.map { serverState.now().timeIntervalSince($0.createdAt) < TumblrLoginRoutes.life }
      ?? (request.query["api_key"] == Self.key)
    guard isAllowed else { throw TumblrRefusal.unauthorized }
    return request.query
  }

  /// A blog's person, by the blog's name, its host or its identifier.
  private func person(_ blog: String) throws -> Person {
    let name = blog.hasSuffix(".tumblr.com") ? String(blog.dropLast(".tumblr.com".count)) : blog
    let found = Person.everyone.first { $0.username == name || TumblrWire.identifier(of: $0) == name }
    guard let found else { throw TumblrRefusal.notFound }
    return found
  }

  /// Posts before a second, in which several may lie.
  private func posts(on timeline: World.Timeline, _ fields: Fields, showsAll: Bool) throws -> [JSON] {
    let limit = fields["limit"].map { Int($0) ?? 0 } ?? 20
    guard (1...20).contains(limit) else { throw TumblrRefusal(.badRequest, "Bad Request") }
    let before = fields["before"].flatMap { Int($0) } ?? .max
    let wire = TumblrWire(wire: serverState.wire, isOfBlocks: fields["npf"] == "true")
    let posts = wire.wire.world.ids(on: timeline).reversed().lazy.compactMap { wire.wire.world.posts[$0] }
    return posts.filter {
      TumblrWire.second(of: $0) < before && (showsAll || $0.person.username != Self.hidden)
    }.prefix(limit).map(wire.post)
  }

  private func answer(_ response: JSON) -> Response {
    let now = serverState.now()
    let state = serverState.rates.withLock { $0.count("", at: now) }
    var answer = Response(json: ["meta": ["status": 200, "msg": "OK"], "response": response])
    for (name, value) in [
      ("Limit", RateWindow.limit), ("Remaining", state.remaining), ("Reset", Int(state.reset.timeIntervalSince(now))),
    ] {
      answer.headers[HTTPField.Name("X-Ratelimit-Perhour-\(name)")!] = String(value)
    }
    return answer
  }
}

/// An error in Tumblr's form.
struct TumblrRefusal: APIRefusal {
  let status: HTTPResponse.Status
  let title: String
  let code: Int

  init(_ status: HTTPResponse.Status, _ title: String, code: Int = 0) {
    (self.status, self.title, self.code) = (status, title, code)
  }

  static let unauthorized = TumblrRefusal(.unauthorized, "Unauthorized", code: 1016)
  static let notFound = TumblrRefusal(.notFound, "Not Found")
  static let onlyInDashboard = TumblrRefusal(.notFound, "Only viewable within the dashboard", code: 4012)

  var answer: Response {
    let error: JSON = ["title": .text(title), "code": .number(code), "detail": .text("\(title), says the demo")]
    return Response(
      json: ["meta": ["status": .number(status.code), "msg": .text(title)], "response": [], "errors": [error]],
      status: status)
  }
}
