import Posts

// Looks up posts by id: many at once if the server can (https://docs.joinmastodon.org/methods/statuses/#index, 4.3 and
// later), else one at a time (https://docs.joinmastodon.org/methods/statuses/#get).

extension MastodonSource {
  /// Mastodon refuses a longer list.
  public var mostLookedUp: Int? { 20 }

  /// Looks up these posts. A post missing from the server's list is gone only if a request for it alone does not find
  /// it. If many are missing, four stand for all.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult {
    let ids = ids.filter { !$0.isEmpty && $0.utf8.count <= Bounds.id && $0.utf8.allSatisfy(Self.isInID) }
    var looked = LookupResult()
    let list = showsOneAtATime.isSet ? nil : try await list(of: ids)
    guard let list else {
      showsOneAtATime.set()
      for id in ids { try await lookUp(id, into: &looked) }
      return looked
    }
    looked.append(list, requested: ids)
    let missing = ids.filter { id in !list.contains { $0.id == id } }
    let samples = Self.samples(of: missing)
    let rest = missing.filter { !samples.contains($0) }
    for id in samples { try await lookUp(id, into: &looked) }
    if looked.gone.count == samples.count {
      looked.gone += rest
    } else {
      // The server omits existing posts, so its lists do not show which are gone.
      showsOneAtATime.set()
      for id in rest { try await lookUp(id, into: &looked) }
    }
    return looked
  }

  /// Four of many, spread from first to last.
  private static func samples(of ids: [String]) -> [String] {
    ids.count <= 4 ? ids : [0, ids.count / 3, 2 * ids.count / 3, ids.count - 1].map { ids[$0] }
  }

  /// The requested posts that the server shows; nil if it does not support the request.
  private func list(of ids: [String]) async throws(SourceError) -> [PageItem]? {
    if ids.isEmpty { return [] }
    do throws(SourceError) {
      let response = try await answer(to: "/api/v1/statuses", ids.map { ("id[]", $0) }, "posts")
      return try await items(in: response.body, member: nil, asked: ids.count)
    } catch {
      switch error {
      case .notFound, .unreadable: return nil
      default: throw error
      }
    }
  }

  private func lookUp(_ id: String, into looked: inout LookupResult) async throws(SourceError) {
    do throws(SourceError) {
      let body = try await answer(to: "/api/v1/statuses/\(id)", [], "post \(id)").body.hiding(token)
      var items = try await items(at: [body.indices], in: body)
      guard items.contains(where: { $0.id != nil }) else { throw .unreadable(server, reason: "it is not a post") }
      // snac gives a post a new id with each edit and also shows it under the old one. The identity shows whether it is
      // the known post.
      for index in items.indices { items[index].id = id }
      looked.append(items, requested: [id])
    } catch {
      guard case .notFound = error else { throw error }
      looked.gone.append(id)
    }
  }
}
