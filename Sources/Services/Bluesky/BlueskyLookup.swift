import HTTP
import Posts

// Looks up posts by their URIs: https://docs.bsky.app/docs/api/app-bsky-feed-get-posts

extension BlueskySource {
  /// The servers of the network refuse a longer list.
  public var mostLookedUp: Int? { Self.mostInLookup }

  /// Looks up these posts where everybody may ask. A post that is left out there is gone: deleted, or its account was
  /// deleted, deactivated or taken down.
  ///
  /// Where nobody may ask without a login, the account's own server is asked. It also leaves out posts of people who block
  /// the account, so nothing is concluded from what it leaves out.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult {
    let ids = ids.filter { BlueskyURI($0) != nil }
    if ids.isEmpty { return LookupResult() }
    let isOpen = network.publicView != server
    do throws(SourceError) {
      var looked = try await posts(ids, at: network.publicView, token: isOpen ? nil : token)
      looked.gone = ids.filter { id in !looked.shown.contains { $0.id == id } }
      return looked
    } catch {
      guard isOpen, let token, error.exitCode == .needsLogin || error == .blocked(server) else { throw error }
      return try await posts(ids, at: server, token: token)
    }
  }

  private func posts(_ ids: [String], at asked: Server, token: Secret?) async throws(SourceError) -> LookupResult {
    let response = try await answer(
      to: "app.bsky.feed.getPosts", ids.map { ("uris", $0) }, "posts", at: asked, token: token)
    let items = try await items(
      in: response.body.hiding(token), member: "posts", asked: ids.count, said: response.body)
    var looked = LookupResult()
    looked.append(items, requested: ids)
    return looked
  }
}
