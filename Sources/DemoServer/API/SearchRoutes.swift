import Hummingbird
import Posts
import Web

/// People, posts and tags by a word, a handle or an address (https://docs.joinmastodon.org/methods/search/).
struct SearchRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    router.get("/api/v2/search") { request, _ in
      let wire = serverState.wire
      return Response(json: try found(request.query) { name, count in wire.tag(name, count) })
    }
    router.get("/api/v1/search") { request, _ in
      Response(json: try found(request.query) { name, _ in .text(name) })
    }
  }

  private func found(_ fields: Fields, tag: (String, Int) -> JSON) throws -> JSON {
    guard let text = fields["q"]?.trimmingWhiteSpace, !text.isEmpty else {
      throw Refusal(.badRequest, "param is missing or the value is empty: q")
    }
    let (wire, type) = (serverState.wire, fields["type"])
    let repeats = serverState.dialect.repeatsSearches
    let fields = repeats ? Fields() : fields
    let limit = repeats ? 40 : fields.count("limit", atMost: 40) ?? 20
    let offset = fields.count("offset", atMost: 100_000) ?? 0
    let wanted = { (name: String) in type.map { $0 == name } ?? true }
    let page = { (items: [JSON]) in JSON.list(Array(items.dropFirst(offset).prefix(limit))) }
    let word = text.drop { $0 == "#" }.lowercased()
    let tags = wire.world.tags.filter { $0.name.contains(word) }
    return [
      "accounts": wanted("accounts") ? page(wire.people(matching: text)) : [],
      "statuses": wanted("statuses")
        ? page(wire.posts(matching: text, PageRequest(fields, firstID: wire.world.firstID))) : [],
      "hashtags": wanted("hashtags") ? page(tags.map { tag($0.name, $0.count) }) : [],
    ]
  }
}

extension Wire {
  /// Posts that contain `text`, newest first, between the requested ids; an address finds its post.
  fileprivate func posts(matching text: String, _ asked: PageRequest) -> [JSON] {
    let wanted = text.lowercased()
    let between = (asked.minID ?? .min, asked.maxID ?? .max)
    let originals = world.ids(on: .everything).reversed().lazy.filter { $0 > between.0 && $0 < between.1 }
      .compactMap { world.posts[$0] }.filter { $0.boosts == nil }
    if wanted.hasPrefix("http") {
      return originals.filter { $0.url(origin) == text || $0.uri(origin) == text }.map(status)
    }
    return Array(originals.filter { $0.caption.plain.lowercased().contains(wanted) }.prefix(400)).map(status)
  }

  fileprivate func tag(_ name: String, _ count: Int) -> JSON {
    return [
      "id": .text(name), "name": .text(name), "url": .text("\(origin)/tags/\(name.pathEscaped)"), "history": [],
      "following": false, "featuring": false,
    ]
  }
}
