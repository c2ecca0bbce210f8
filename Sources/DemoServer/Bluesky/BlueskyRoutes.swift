import FoundationEssentials
import Hummingbird
import Web

/// The API of a Bluesky server (https://docs.bsky.app/docs/category/http-reference), which is also the directory of its
/// made-up accounts.
struct BlueskyRoutes {
  let serverState: ServerState
  let sessions = BlueskySessions()

  func add(to router: Router<DemoContext>) {
    router.add(middleware: BlueskyMiddleware(serverState: serverState, proofs: sessions.proofs))
    BlueskySessionRoutes(serverState: serverState, sessions: sessions).add(to: router)
    BlueskyOAuthRoutes(serverState: serverState, sessions: sessions).add(to: router)
    addFeeds(to: router)
    addFiles(to: router)
    BlueskyRecordRoutes(serverState: serverState, sessions: sessions).add(to: router)
    BlueskyPageRoutes().add(to: router)
    // Who asks for it in HTTP alone.
    router.get("\(Jetstream.path)") { _, _ -> Response in throw HTTPError(.upgradeRequired) }
  }

  private var wire: BlueskyWire { BlueskyWire(world: serverState.wire.world, origin: serverState.origin) }

  private func addFeeds(to router: Router<DemoContext>) {
    router.get("/xrpc/app.bsky.feed.searchPosts") { request, _ in
      _ = try sessions.person(of: request, to: serverState.origin, at: serverState.now())
      guard let text = request.query["q"], !text.isEmpty else { throw BlueskyRefusal.invalid("q must not be empty") }
      let found = wire.posts(matching: text, before: request.query["until"])
      let start = request.query["cursor"].flatMap { Int($0) } ?? 0
      let page = found.dropFirst(start).prefix(Self.limit(request))
      let end = start + page.count
      let isMore = end < min(found.count, Self.mostFound)
      let posts = try await views(of: Array(page))
      return Self.page(
        ["posts": .list(posts), "hitsTotal": .number(found.count)], leadingTo: isMore ? String(end) : nil)
    }
    router.get("/xrpc/app.bsky.feed.getAuthorFeed") { request, _ in
      guard let actor = request.query["actor"], let person = Person.bluesky(actor) else {
        throw BlueskyRefusal.invalid("Profile not found")
      }
      let ids = wire.world.ids(on: .person(person.id - 1001)).reversed()
      let below = request.query["cursor"].flatMap { Int64($0) } ?? .max
      let page = ids.lazy.filter { $0 < below }.prefix(Self.limit(request)).compactMap { wire.world.posts[$0] }
      let feed = try await entries(of: Array(page))
      return Self.page(["feed": .list(feed)], leadingTo: page.last.map { String($0.id) })
    }
    router.get("/xrpc/app.bsky.feed.getPosts") { request, _ in
      let wanted = request.query.all("uris")
      guard (1...25).contains(wanted.count) else { throw BlueskyRefusal.invalid("uris must have 1 to 25 elements") }
      return Response(json: ["posts": .list(try await views(of: wanted.compactMap(wire.post)))])
    }
  }

  private func addFiles(to router: Router<DemoContext>) {
    router.get("/xrpc/com.atproto.sync.getBlob") { request, _ in
      guard let cid = request.query["cid"], let art = serverState.blobs[cid] else {
        throw BlueskyRefusal.invalid("Blob not found")
      }
      let finished = try await serverState.studio.picture(of: .art(art, .upload))
      return Response(
        status: .ok, headers: [.contentType: finished.picture.format.contentType, .xContentTypeOptions: "nosniff"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: finished.picture.bytes)))
    }
  }

  /// A search shows no more than this.
  private static let mostFound = 10_000

  private static func limit(_ request: Request) -> Int {
    max(1, request.query.count("limit", atMost: 100) ?? 25)
  }

  // MARK: Answers

  /// A page; the last one has no cursor.
  private static func page(_ content: JSON, leadingTo cursor: String?) -> Response {
    Response(json: cursor.map { content.adding(["cursor": .text($0)]) } ?? content)
  }

  private func views(of posts: [DemoPost]) async throws -> [JSON] {
    let files = try await serverState.blobs.files(of: posts, drawnBy: serverState.studio)
    return posts.map { wire.view($0, files) }
  }

  private func entries(of posts: [DemoPost]) async throws -> [JSON] {
    let world = wire.world
    let files = try await serverState.blobs.files(of: posts.map(world.original), drawnBy: serverState.studio)
    return posts.map { post in
      let view: JSON = ["post": wire.view(world.original(of: post), files)]
      return post.boosts == nil ? view : view.adding(["reason": wire.reason(post)])
    }
  }
}
