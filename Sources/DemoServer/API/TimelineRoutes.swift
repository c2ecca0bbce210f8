import HTTPTypes
import Hummingbird
import Posts
import Web

/// Timelines page by page (https://docs.joinmastodon.org/methods/timelines/). Public ones need no token.
struct TimelineRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    router.get("/api/v1/timelines/public") { request, _ in
      try answer(request, [.everything], Filter(request.query))
    }
    router.get("/api/v1/timelines/home") { request, context in
      _ = try context.person("read:statuses")
      return try answer(request, [.everything], Filter(request.query))
    }
    router.get("/api/v1/timelines/tag/:tag") { request, context in
      let tag = try context.parameters.require("tag").percentDecoded ?? ""
      let more = request.query.all("any").prefix(4)
      return try answer(request, Set([tag] + more).map { .tag($0.lowercased()) }, Filter(request.query))
    }
    router.get("/api/v1/accounts/:id/statuses") { request, context in
      guard let person = Person.with(id: try context.parameters.require("id")) else { throw Refusal.notFound }
      let filter = Filter(request.query, withoutBoosts: request.query.flag("exclude_reblogs"))
      return try answer(request, request.query.flag("pinned") ? [] : [.person(person.id - 1001)], filter)
    }
  }

  private func answer(_ request: Request, _ timelines: [World.Timeline], _ filter: Filter) throws -> Response {
    let wire = serverState.wire
    var asked = PageRequest(request.query, firstID: wire.world.firstID)
    if serverState.dialect.minIDGivesNewest, let id = asked.minID { (asked.minID, asked.sinceID) = (nil, id) }
    let ids = asked.page(of: wire.world.ids(on: timelines)) { id in
      wire.world.posts[id].map { filter.keeps(wire.world.original(of: $0), boost: $0.boosts != nil) } ?? false
    }
    var answer = Response(json: .list(ids.compactMap { wire.world.posts[$0] }.map(wire.status)))
    if serverState.dialect.sendsLinks { answer.headers[.link] = link(request, ids, wire.origin) }
    return answer
  }

  /// Links to the neighbours of a page. Like Mastodon's, they keep few parameters of the request: a client that follows
  /// them blindly loses `any[]`, `all[]`, `none[]` and `remote`.
  private func link(_ request: Request, _ ids: [Int64], _ origin: String) -> String? {
    guard let newest = ids.first, let oldest = ids.last else { return nil }
    let kept = ["limit", "local", "only_media"].compactMap { name in
      request.query[name].map { "\(name)=\($0.pathEscaped)" }
    }
    let base = "\(origin)\(request.uri.path)?"
    let next = base + (kept + ["max_id=\(oldest)"]).joined(separator: "&")
    let previous = base + (kept + ["min_id=\(newest)"]).joined(separator: "&")
    return "<\(next)>; rel=\"next\", <\(previous)>; rel=\"prev\""
  }
}

/// Which posts of a timeline are wanted.
private struct Filter {
  let local: Bool
  let remote: Bool
  let onlyMedia: Bool
  let all: Set<String>
  let none: Set<String>
  let withoutBoosts: Bool

  init(_ fields: Fields, withoutBoosts: Bool = false) {
    local = fields.flag("local")
    remote = fields.flag("remote")
    onlyMedia = fields.flag("only_media")
    let tags = { Set(fields.all($0).prefix(4).map { $0.lowercased() }) }
    (all, none) = (tags("all"), tags("none"))
    self.withoutBoosts = withoutBoosts
  }

  func keeps(_ post: DemoPost, boost: Bool) -> Bool {
    if boost && withoutBoosts || onlyMedia && post.pictures.isEmpty { return false }
    if local && post.person.host != nil || remote && post.person.host == nil { return false }
    let tags = Set(post.tags)
    return all.isSubset(of: tags) && none.isDisjoint(with: tags)
  }
}
