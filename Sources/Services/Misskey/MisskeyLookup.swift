import Posts

// Looks notes up one at a time (`notes/show`), as every server can.

extension MisskeySource {
  /// Each is a request. A few at once, so that an interruption loses little.
  public var mostLookedUp: Int? { Self.largestLookup }

  /// Looks up these notes. One that its author shows only to people who are logged in stays undecided, and so does one
  /// that comes without its text.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult {
    var looked = LookupResult()
    for id in ids {
      let response = try await response(to: "notes/show", MisskeyQuery(noteId: id))
      switch MisskeyAPIError(response, hiding: token).code {
      case "NO_SUCH_NOTE": looked.gone.append(id)
      case "SIGNIN_REQUIRED": continue
      default:
        if let error = error(in: response, "post \(Bounds.reason(id))") { throw error }
        let body = response.body.hiding(token)
        let items = try await items(at: [body.indices], in: body)
        guard items.contains(where: { $0.id != nil }) else { throw .unreadable(server, reason: "it is not a post") }
        looked.append(items, requested: [id])
      }
    }
    return looked
  }
}
