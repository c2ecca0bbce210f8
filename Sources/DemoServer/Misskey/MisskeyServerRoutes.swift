import HTTPTypes
import Hummingbird

/// What the server says of itself and of its users, the pages of notes, and the proxy for pictures of other servers.
struct MisskeyServerRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    NodeInfoRoutes(serverState: serverState).add(to: router)
    router.post("/api/users/show") { request, context in
      let fields = try await request.fields()
      let wire = serverState.wire
      let handle = (fields["username"] ?? "") + (fields["host"].map { "@\($0)" } ?? "")
      guard let person = wire.person(handle) else { throw MisskeyRefusal.noSuchUser }
      return Response(json: MisskeyWire(wire, viewer: context.viewer).user(person))
    }
    router.get("/notes/:id") { _, context in
      let wire = serverState.wire
      guard let id = MisskeyID.number(try context.parameters.require("id")), let post = wire.world.posts[id] else {
        throw HTTPError(.notFound)
      }
      return Response(html: DemoPage.html(post.person.name, PostCard(wire: wire).html(post)))
    }
    router.get("/proxy/image.webp") { request, _ in
      let name = request.query["url"]?.split(separator: "/").last
      guard let art = name.flatMap({ Art(name: $0) }) else { throw HTTPError(.notFound) }
      return try await PictureRoutes(serverState: serverState).answer(request, .art(art, .preview))
    }
  }
}
