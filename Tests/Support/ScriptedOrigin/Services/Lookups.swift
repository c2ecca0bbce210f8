// Lookups of posts by their ids, for each API.

extension Origin {
  /// Mastodon's list of posts: the existing ones among the first requested ids.
  func statuses(_ request: RecordedRequest, _ script: Script) -> Answer {
    guard script.listsStatuses else { return .error(404, "Record not found") }
    if script.requiresToken, request.token == nil { return refused(script) }
    let ids = request.query.filter { $0.name == "id[]" }.map(\.value).prefix(script.longestList)
    return Answer(.list(ids.compactMap { id in script.posts.first { $0.id == id } }.map { $0.json(base: url) }))
  }

  /// One post.
  func status(_ id: String, _ request: RecordedRequest, _ script: Script) -> Answer {
    if script.requiresToken, request.token == nil { return refused(script) }
    let post = script.posts.first { $0.id == id }
    return post.map { Answer($0.json(base: url)) } ?? .error(404, "Record not found")
  }

  private func refused(_ script: Script) -> Answer {
    .error(script.refusal, "This method requires an authenticated user")
  }

  /// X: missing posts are listed beside the found ones, or not at all.
  func lookUp(_ request: RecordedRequest, _ script: Script) -> Answer {
    let ids = (request.parameter("ids") ?? request.parameter("id") ?? "").split(separator: ",").map(String.init)
    let found = ids.compactMap { id in script.posts.first { $0.id == id } }
    if request.path == "/1.1/statuses/show.json" {
      return found.first.map { Answer(status($0)) } ?? errors(144, "No status found with that ID.", status: 404)
    }
    if request.path.hasPrefix("/1.1") { return Answer(.list(found.map(status))) }
    let missing = ids.filter { id in !found.contains { $0.id == id } }
    var answer: JSON = found.isEmpty ? [:] : shown(found)
    if !missing.isEmpty { answer = answer.replacing(["errors": .list(missing.map(problem))]) }
    return Answer(answer)
  }

  private func problem(_ id: String) -> JSON {
    [
      "value": .text(id), "resource_id": .text(id), "resource_type": "tweet", "parameter": "ids",
      "title": "Not Found Error", "detail": .text("Could not find tweet with ids: [\(id)]."),
      "type": "https://api.twitter.com/2/problems/resource-not-found",
    ]
  }
}
