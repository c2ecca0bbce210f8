import HTTPTypes
import Hummingbird
import Web

/// Notes by tag, by user, by words and by id (https://misskey-hub.net/en/docs/for-developers/api/endpoints/). Each is a
/// POST with JSON, and most need no token.
struct NoteRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    router.post("/api/notes/search-by-tag") { request, context in
      let fields = try await request.fields()
      guard let tag = fields["tag"], !tag.isEmpty else { throw MisskeyRefusal.invalid }
      return try list([.tag(tag.lowercased())], fields, context) { $0.boosts == nil }
    }
    router.post("/api/users/notes") { request, context in
      let fields = try await request.fields()
      guard let id = fields["userId"].flatMap(MisskeyID.number), Person.with(id: String(id)) != nil else {
        throw MisskeyRefusal.noSuchUser
      }
      // As misskey.io does.
      if fields["untilId"] != nil, fields["withRenotes"] == nil { throw MisskeyRefusal.internalError }
      let boosts = fields["withRenotes"].map { $0 == "true" } ?? true
      return try list([.person(Int(id) - 1001)], fields, context) { boosts || $0.boosts == nil }
    }
    router.post("/api/notes/search") { request, context in
      let fields = try await request.fields()
      // The role of strangers may not search.
      guard context.viewer != nil else { throw MisskeyRefusal.noSearch }
      let wanted = (fields["query"] ?? "").lowercased()
      return try list([.everything], fields, context) {
        $0.boosts == nil && $0.caption.plain.lowercased().contains(wanted)
      }
    }
    router.post("/api/notes/show") { request, context in
      let (post, wire) = try find(try await request.fields()["noteId"], context)
      if wire.isHidden(wire.world.original(of: post)) { throw MisskeyRefusal.signInRequired }
      return Response(json: wire.note(post))
    }
    addChanges(to: router)
  }

  /// Edits as Sharkey has them, and deletes.
  private func addChanges(to router: Router<DemoContext>) {
    router.post("/api/notes/edit") { request, context in
      let fields = try await request.fields()
      let (post, _) = try own(fields["editId"], context)
      guard let text = fields["text"], !text.isEmpty else { throw MisskeyRefusal.invalid }
      let now = serverState.now()
      serverState.world.withLock { $0.edit(post.id, to: Caption(typed: text), at: now, renumbering: false) }
      let (edited, wire) = try find(fields["editId"], context)
      return Response(json: ["createdNote": wire.note(edited)])
    }
    router.post("/api/notes/delete") { request, context in
      let (post, _) = try own(try await request.fields()["noteId"], context)
      serverState.world.withLock { $0.delete(post.id, at: serverState.now()) }
      return Response(status: .noContent)
    }
  }

  private func find(_ id: String?, _ context: DemoContext) throws -> (DemoPost, MisskeyWire) {
    let wire = MisskeyWire(serverState.wire, viewer: context.viewer)
    guard let id = id.flatMap(MisskeyID.number), let post = wire.world.post(id) else { throw MisskeyRefusal.noSuchNote }
    return (post, wire)
  }

  private func own(_ id: String?, _ context: DemoContext) throws -> (DemoPost, MisskeyWire) {
    guard let viewer = context.viewer else { throw MisskeyRefusal.needsLogin }
    let found = try find(id, context)
    guard found.0.person.id == viewer.id, found.0.boosts == nil else { throw MisskeyRefusal.noSuchNote }
    return found
  }

  private func list(
    _ timelines: [World.Timeline], _ fields: Fields, _ context: DemoContext, keep: (DemoPost) -> Bool
  ) throws -> Response {
    let wire = MisskeyWire(serverState.wire, viewer: context.viewer)
    let limit = Int(fields["limit"] ?? "10") ?? 0
    guard (1...100).contains(limit) else { throw MisskeyRefusal.invalid }
    var asked = PageRequest(limit: limit)
    asked.maxID = try id(fields["untilId"])
    // Above an id alone, notes come oldest first.
    let isUpward = asked.maxID == nil && fields["sinceId"] != nil
    asked.minID = isUpward ? try id(fields["sinceId"]) : nil
    asked.sinceID = try id(fields["sinceId"])
    let ids = asked.page(of: wire.world.ids(on: timelines)) { id in wire.world.posts[id].map(keep) ?? false }
    let posts = (isUpward ? ids.reversed() : ids).compactMap { wire.world.posts[$0] }
    return Response(json: .list(posts.map { wire.note($0) }))
  }

  private func id(_ text: String?) throws -> Int64? {
    guard let text else { return nil }
    guard let id = MisskeyID.number(text) else { throw MisskeyRefusal.invalid }
    return id
  }
}

extension DemoContext {
  /// Whoever is logged in; nil for strangers.
  var viewer: Person? { token?.person.map { Person.everyone[$0] } }
}
