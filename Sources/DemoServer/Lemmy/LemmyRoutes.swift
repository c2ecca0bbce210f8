import HTTPTypes
import Hummingbird
import Web

/// The lists and posts of Lemmy's kind. A community is what carries a tag.
struct LemmyRoutes {
  let serverState: ServerState
  private var version: LemmyVersion { serverState.dialect.lemmyVersion }
  private var base: String { "/api/\(version.rawValue)" }

  func add(to router: Router<DemoContext>) {
    router.get("\(base)/post/list") { request, context in try list(request.query, context) }
    if version != .v4 {
      router.get("\(base)/user") { request, context in
        // PieFed shows no posts unless they are asked for.
        let isShown = !version.isPieFed || request.query.flag("include_content")
        let person = try person(request.query["username"])
        let posts = isShown ? try page(request.query, context, [.person(person.id - 1001)]).posts : []
        return Response(json: ["person_view": ["person": wire.person(person)], "posts": .list(posts), "comments": []])
      }
      router.get("\(base)/search") { request, context in
        let posts = try page(request.query, context, [.everything], holding: request.query["q"]).posts
        return Response(json: ["type_": "Posts", "posts": .list(posts), "comments": [], "users": []])
      }
    }
    router.get("\(base)/post") { request, context in
      Response(json: ["post_view": wire.view(try post(request.query["id"], context)), "cross_posts": []])
    }
    LemmyAccountRoutes(serverState: serverState).add(to: router)
    addPages(to: router)
  }

  private var wire: LemmyWire { LemmyWire(serverState.wire) }

  private func addPages(to router: Router<DemoContext>) {
    router.get("/post/:id") { _, context in
      let wire = serverState.wire
      guard let id = Int64(try context.parameters.require("id")), let post = wire.world.posts[id] else {
        throw HTTPError(.notFound)
      }
      return Response(html: DemoPage.html(post.person.name, PostCard(wire: wire).html(post)))
    }
    for (path, target) in [("u", "/@"), ("c", "/tags/")] {
      router.get("/\(path)/:name") { _, context in
        Response(status: .found, headers: [.location: "\(target)\(try context.parameters.require("name"))"])
      }
    }
    router.get(version == .v4 ? "/api/v4/image/proxy" : "/api/v3/image_proxy") { request, _ in
      let name = request.query["url"]?.split(separator: "/").last
      guard let art = name.flatMap({ Art(name: $0) }) else { throw HTTPError(.notFound) }
      return try await PictureRoutes(serverState: serverState).answer(request, .art(art, .preview))
    }
  }

  // MARK: What is asked for

  private func person(_ name: String?) throws -> Person {
    guard let name, let person = serverState.wire.person(name) else { throw version.missing("person") }
    return person
  }

  private func post(_ id: String?, _ context: DemoContext) throws -> DemoPost {
    guard let post = id.flatMap({ Int64($0) }).flatMap(wire.world.post), post.boosts == nil, isShown(post, context)
    else { throw version.missing("post") }
    return post
  }

  /// Lemmy shows the posts of a community that is for its own people to nobody else. PieFed has none.
  private func isShown(_ post: DemoPost, _ context: DemoContext) -> Bool {
    version.isPieFed || context.viewer != nil || !wire.isLocalOnly(post)
  }

  private func list(_ fields: Fields, _ context: DemoContext) throws -> Response {
    var timeline = World.Timeline.everything
    if let name = fields["community_name"] {
      let domain = "@\(serverState.wire.domain)"
      timeline = .tag((name.hasSuffix(domain) ? String(name.dropLast(domain.count)) : name).lowercased())
      // PieFed finds nothing in a community that is not there.
      if wire.world.ids(on: timeline).isEmpty, !version.isPieFed { throw version.missing("community") }
    } else if let name = fields["creator_username"] {
      timeline = .person(try person(name).id - 1001)
    }
    let text = fields["search_term"] ?? fields["q"]
    let (posts, next) = try page(fields, context, [timeline], holding: text, pinning: fields["community_name"] != nil)
    return Response(json: [version == .v4 ? "items" : "posts": .list(posts), "next_page": next])
  }

  // MARK: Pages

  /// A page of posts, and the name of the next one.
  private func page(
    _ fields: Fields, _ context: DemoContext, _ timelines: [World.Timeline], holding text: String? = nil,
    pinning: Bool = false
  ) throws -> (posts: [JSON], next: JSON) {
    let limit = fields["limit"].map { Int($0) ?? 0 } ?? 10
    guard (1...50).contains(limit) else { throw version.refusal("couldnt_get_posts") }
    let wire = wire
    let wanted = text?.lowercased()
    var posts = wire.world.ids(on: timelines).reversed().compactMap { wire.world.posts[$0] }
    posts.removeAll { post in
      post.boosts != nil || !isShown(post, context)
        || wanted.map { !post.caption.plain.lowercased().contains($0) } ?? false
    }
    if pinning, !fields.flag("ignore_sticky") {
      posts = posts.filter(wire.isPinned) + posts.filter { !wire.isPinned($0) }
    }
    let start = try start(fields, in: posts, limit)
    let page = posts.dropFirst(start).prefix(limit)
    return (page.map(wire.view), next(fields, page, isLast: start + page.count >= posts.count))
  }

  private func start(_ fields: Fields, in posts: [DemoPost], _ limit: Int) throws -> Int {
    if let cursor = fields["page_cursor"], !version.isPieFed {
      guard let id = Self.id(cursor), let index = posts.firstIndex(where: { $0.id == id }) else {
        throw version.refusal("couldnt_parse_pagination_token")
      }
      return index + 1
    }
    return (max(1, fields["page"].flatMap { Int($0) } ?? 1) - 1) * limit
  }

  /// Lemmy 0.19 names a page below every post, PieFed counts, and both others say where the end is.
  private func next(_ fields: Fields, _ page: ArraySlice<DemoPost>, isLast: Bool) -> JSON {
    guard let last = page.last, version == .v3 || !isLast else { return nil }
    if version.isPieFed { return .text(String((fields["page"].flatMap { Int($0) } ?? 1) + 1)) }
    return .text("P" + String(last.id, radix: 16))
  }

  private static func id(_ cursor: String) -> Int64? {
    cursor.hasPrefix("P") ? Int64(cursor.dropFirst(), radix: 16) : nil
  }
}
