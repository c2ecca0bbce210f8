import Hummingbird
import Posts
import Web

/// The pages behind the links in posts: the front page, a tag, a person, one post.
struct PageRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    addIdentities(to: router)
    router.get("/") { _, _ in Response(html: front(serverState.wire)) }
    router.get("/tags/:tag") { _, context in
      let tag = try context.parameters.require("tag").percentDecoded?.lowercased() ?? ""
      let wire = serverState.wire
      let ids = wire.world.ids(on: .tag(tag))
      return Response(html: DemoPage.html("#" + tag, "<h1>#\(tag)</h1>" + cards(ids, wire)))
    }
    router.get("/:handle") { _, context in
      let wire = serverState.wire
      let person = try person(context, wire)
      let body: HTML =
        "<section class=\"card\">\(PostCard(wire: wire).head(person))<p dir=\"auto\">\(person.note)</p></section>"
      return Response(
        html: DemoPage.html(person.name, body + cards(wire.world.ids(on: .person(person.id - 1001)), wire)))
    }
    router.get("/:handle/:id") { _, context in
      let wire = serverState.wire
      _ = try person(context, wire)
      guard let id = Int64(try context.parameters.require("id")), let post = wire.world.posts[id] else {
        throw HTTPError(.notFound)
      }
      return Response(html: DemoPage.html(post.person.name, PostCard(wire: wire).html(post)))
    }
  }

  /// Identities redirect to pages, because people paste them as often as addresses.
  private func addIdentities(to router: Router<DemoContext>) {
    router.get("/users/:name") { _, context in
      Response(status: .found, headers: [.location: "/@\(try context.parameters.require("name"))"])
    }
    router.get("/users/:name/statuses/:id") { _, context in
      let (name, id) = (try context.parameters.require("name"), try context.parameters.require("id"))
      return Response(status: .found, headers: [.location: "/@\(name)/\(id)"])
    }
  }

  private func person(_ context: DemoContext, _ wire: Wire) throws -> Person {
    let handle = try context.parameters.require("handle").percentDecoded ?? ""
    guard handle.hasPrefix("@"), let person = wire.person(handle) else { throw HTTPError(.notFound) }
    return person
  }

  private func front(_ wire: Wire) -> HTML {
    let tags: [HTML] = wire.world.tags.prefix(14).map { "<a href=\"/tags/\($0.name.pathEscaped)\">#\($0.name)</a>" }
    let ids = wire.world.ids(on: .tag(Author.commonTag))
    return DemoPage.html(
      "Media demo",
      """
      <section class="card"><h1>Media demo</h1><p>A small server that speaks the \(wire.dialect.api.name) API, with made-up people,
      \(ids.count) made-up posts and drawn pictures. It lives on this machine and is gone when you end it.</p>
      <p>\(HTML.joined(tags, separator: " "))</p></section>
      """ + cards(ids, wire)
    )
  }

  private func cards(_ ids: [Int64], _ wire: Wire) -> HTML {
    let card = PostCard(wire: wire)
    return HTML.joined(ids.suffix(20).reversed().compactMap { wire.world.posts[$0] }.map(card.html))
  }
}
