import HTTP
import Posts

// Looks posts up one at a time, by their blog and their id.

extension TumblrSource {
  /// Each is a request, of which a key has a thousand in an hour.
  public var mostLookedUp: Int? { Self.largestLookup }

  /// Looks up these posts: `t:blog/123`. Only a post that the API itself does not find is gone; one that is shown to people
  /// on the web site alone stays undecided.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult {
    var looked = LookupResult()
    for id in ids {
      let parts = id.split(separator: "/").map(String.init)
      guard parts.count == 2, parts[0].contains(where: { $0 != "." }) else { continue }
      let path = "blog/\(Request.percentEncoded(parts[0]))/posts"
      let response = try await response(to: path, [("id", parts[1])])
      let apiError = TumblrAPIError(response, hiding: token)
      if apiError.isOfDashboard { continue }
      if response.status == 404, apiError.isOfTumblr {
        looked.gone.append(id)
        continue
      }
      if let error = error(in: response, "post \(Bounds.reason(id))") { throw error }
      let body = response.body.hiding(token)
      var items = try await items(at: try ranges(in: body, "posts", asked: 1), in: body)
      for index in items.indices where items[index].post?.remoteID == id { items[index].id = id }
      looked.append(items, requested: [id])
    }
    return looked
  }
}
