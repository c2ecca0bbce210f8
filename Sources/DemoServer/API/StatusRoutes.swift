import Hummingbird

/// Single posts, many at once, and what they were before (https://docs.joinmastodon.org/methods/statuses/).
struct StatusRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    router.get("/api/v1/statuses") { request, _ in
      guard serverState.dialect.listsStatuses else { throw Refusal.notFound }
      let wire = serverState.wire
      let wanted = request.query.all("id").prefix(20).compactMap { Int64($0) }
      return Response(json: .list(wanted.compactMap(wire.world.post).map(wire.status)))
    }
    router.put("/api/v1/statuses/:id") { request, context in
      Response(json: try await edit(request, context))
    }
    router.get("/api/v1/statuses/:id") { _, context in
      let (post, wire) = try find(context)
      return Response(json: wire.status(post))
    }
    router.get("/api/v1/statuses/:id/context") { _, context in
      _ = try find(context)
      return Response(json: ["ancestors": [], "descendants": []])
    }
    router.get("/api/v1/statuses/:id/history") { _, context in
      let (post, wire) = try find(context)
      return Response(json: .list(wire.history(of: wire.world.original(of: post))))
    }
    router.get("/api/v1/statuses/:id/source") { _, context in
      let (post, _) = try find(context)
      return Response(
        json: [
          "id": .text(String(post.shownID)), "text": .text(post.caption.plain), "spoiler_text": .text(post.warning),
        ])
    }
  }

  private func find(_ context: DemoContext) throws -> (DemoPost, Wire) {
    let wire = serverState.wire
    guard let id = Int64(try context.parameters.require("id")), let post = wire.world.post(id) else {
      throw Refusal.notFound
    }
    return (post, wire)
  }

  /// Replaces the text of the person's own post (https://docs.joinmastodon.org/methods/statuses/#edit).
  private func edit(_ request: Request, _ context: DemoContext) async throws -> JSON {
    let person = try context.person("write:statuses")
    let (post, _) = try find(context)
    guard post.person.id == person.id, post.boosts == nil else { throw Refusal.notFound }
    guard let text = try await request.fields()["status"], !text.isEmpty else {
      throw Refusal(.unprocessableContent, "Validation failed: Text can't be blank")
    }
    let (now, renumbering) = (serverState.now(), serverState.dialect.renumbersEdits)
    serverState.world.withLock { $0.edit(post.id, to: Caption(typed: text), at: now, renumbering: renumbering) }
    let wire = serverState.wire
    guard let edited = wire.world.post(post.id) else { throw Refusal.notFound }
    return wire.status(edited)
  }
}

extension Wire {
  /// Every text of a post, oldest first, the current one last.
  fileprivate func history(of post: DemoPost) -> [JSON] {
    let present = DemoPost.Revision(caption: post.caption, writtenAt: post.editedAt ?? post.createdAt)
    return (post.history + [present]).map { revision in
      [
        "content": .text(revision.caption.html(origin: origin).markup), "spoiler_text": .text(post.warning),
        "sensitive": .bool(!post.warning.isEmpty), "created_at": .text(written(revision.writtenAt, post)),
        "account": account(post.person),
        "media_attachments": .list(post.pictures.map { picture($0, of: post.person) }), "poll": nil,
        "emojis": .list(emojis(in: revision.caption.plain)),
      ]
    }
  }
}
