/// A timeline with the paging of Mastodon: `max_id` and `since_id` exclusive, `min_id` the page just above, always newest
/// first, `Link` with only `limit` and a cursor.
struct Timeline {
  let script: Script
  let base: String
  /// Its posts.
  let posts: [ScriptedPost]
  /// The member that holds them, if the answer is an object.
  var member: String?

  func answer(_ request: RecordedRequest, _ trouble: Trouble.Kind?) -> Answer {
    var page = posts(on: request, trouble).filter { !script.muted.contains($0.id) }
    if case .short(let count) = trouble { page = Array(page.prefix(count)) }
    var items = page.map { $0.json(base: base) }
    if case .badItem(let index) = trouble, items.indices.contains(index) {
      items[index] = ["id": .text(page[index].id), "created_at": false, "account": 17, "media_attachments": "none"]
    }
    if case .empty = trouble { items = [] }
    if let member { return Answer(["accounts": [], member: .list(items), "hashtags": []]) }
    var answer = Answer(.list(items))
    answer.headers["Link"] = link(page, request, trouble)
    return answer
  }

  private func limit(_ request: RecordedRequest) -> Int {
    min(script.largestPage, max(1, request.parameter("limit").flatMap { Int($0) } ?? 20))
  }

  private func posts(on request: RecordedRequest, _ trouble: Trouble.Kind?) -> [ScriptedPost] {
    let limit = limit(request)
    if case .cursorLoop = trouble { return Array(posts.prefix(limit)) }
    let below = request.parameter("max_id")
    let above = request.parameter("min_id") ?? request.parameter("since_id")
    let between = posts.filter { post in
      (below.map { precedes(post.id, $0) } ?? true) && (above.map { precedes($0, post.id) } ?? true)
    }
    let isAbove = request.parameter("min_id") != nil && !script.minIDGivesNewest
    return Array(isAbove ? between.suffix(limit) : between.prefix(limit))
  }

  /// Ids of one script sort by length, then by letters.
  private func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count ? left < right : left.utf8.count < right.utf8.count
  }

  private func link(_ page: [ScriptedPost], _ request: RecordedRequest, _ trouble: Trouble.Kind?) -> String? {
    if case .noLink = trouble { return nil }
    guard script.links, let first = page.first, let last = page.last else { return nil }
    // A server that omits a page's posts links to the next ones.
    let oldest = if case .empty = trouble, let number = Int(first.id) { String(number + 1) } else { last.id }
    var host = base
    if case .foreignLink(let other) = trouble { host = other }
    let address = "\(host)\(request.path)?limit=\(limit(request))"
    return "<\(address)&max_id=\(oldest)>; rel=\"next\", <\(address)&min_id=\(first.id)>; rel=\"prev\""
  }
}
