import FoundationEssentials
import Hummingbird

/// Changes of the person's own posts (https://docs.bsky.app/docs/api/com-atproto-repo-put-record).
struct BlueskyRecordRoutes {
  let serverState: ServerState
  let sessions: BlueskySessions

  /// What a change names, and what it writes.
  private struct Change: Decodable {
    let rkey: String
    let record: Record?

    struct Record: Decodable { let text: String }
  }

  func add(to router: Router<DemoContext>) {
    router.post("/xrpc/com.atproto.repo.putRecord") { request, _ in
      let (change, post) = try await change(in: request)
      guard let text = change.record?.text else { throw BlueskyRefusal.invalid("Input must have the property record") }
      let now = serverState.now()
      serverState.world.withLock { $0.edit(post.id, to: Caption(typed: text), at: now, renumbering: false) }
      return Response(json: ["uri": .text("at://\(post.person.did)/app.bsky.feed.post/\(change.rkey)")])
    }
    router.post("/xrpc/com.atproto.repo.deleteRecord") { request, _ in
      let (_, post) = try await change(in: request)
      serverState.world.withLock { $0.delete(post.id, at: serverState.now()) }
      return Response(json: [:])
    }
  }

  private func change(in request: Request) async throws -> (Change, DemoPost) {
    let person = try sessions.person(of: request, to: serverState.origin, at: serverState.now())
    let body = Data(buffer: try await request.body.collect(upTo: 1 << 16))
    guard let change = try? JSONDecoder().decode(Change.self, from: body), let id = BlueskyNames.id(change.rkey),
      let post = serverState.wire.world.posts[id], post.person.id == person.id, post.boosts == nil
    else { throw BlueskyRefusal.invalid("Could not locate record") }
    return (change, post)
  }
}
