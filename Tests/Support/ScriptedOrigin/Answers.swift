import Foundation

extension Origin {
  /// Records a request and returns the trouble it meets.
  func receive(_ request: RecordedRequest) -> Trouble.Kind? {
    state.withLock { state in
      state.requests.append(request)
      state.critic.received(request, state.script)
      var kind: Trouble.Kind?
      for (index, trouble) in state.script.troubles.enumerated() where request.path.hasPrefix(trouble.path) {
        state.met[index, default: 0] += 1
        if kind == nil, trouble.times.contains(state.met[index, default: 0]) { kind = trouble.kind }
      }
      if case .status(_, let headers, _) = kind, let wait = headers["Retry-After"].flatMap(Int.init) {
        state.critic.asked(request.path, toWait: wait)
      }
      return kind
    }
  }

  /// Whether requests to a path are held.
  func isHeld(_ path: String) -> Bool {
    script.troubles.contains { trouble in
      guard case .held = trouble.kind else { return false }
      return path.hasPrefix(trouble.path)
    }
  }

  /// Records that an answer is being sent.
  func finish(_ request: RecordedRequest) { state.withLock { $0.critic.finished() } }

  /// The answer to a request with this trouble or none.
  func answer(_ request: RecordedRequest, _ trouble: Trouble.Kind?) -> Answer {
    switch trouble {
    case .status(let status, let headers, let body):
      let type = ["Content-Type": body.hasPrefix("<") ? "text/html" : "application/json"]
      return Answer(status: status, headers: type.merging(headers) { $1 }, body: Array(body.utf8))
    case .html:
      let page = "<!DOCTYPE html><html><body><h1>Down for maintenance</h1></body></html>"
      return Answer(headers: ["Content-Type": "text/html; charset=utf-8"], body: Array(page.utf8))
    case .gone: return .error(410, "Gone")
    case .redirect(let target): return Answer(status: 302, headers: ["Location": target], body: [])
    case .huge(let size):
      return Answer(headers: ["Content-Type": "image/png"], body: [UInt8](repeating: 0x20, count: size))
    case .garbage(let bytes): return Answer(headers: ["Content-Type": "application/octet-stream"], body: bytes)
    default: return route(request, trouble)
    }
  }

  private func route(_ request: RecordedRequest, _ trouble: Trouble.Kind?) -> Answer {
    if let document = state.withLock({ $0.script.documents[request.path] }) { return document.answer(request) }
    if let answer = pinAnswer(request) { return answer }
    let parts = request.path.split(separator: "/").map(String.init)
    switch (request.method, parts.first, parts.dropFirst().first) {
    case ("GET", "media", _): return picture(parts.last ?? "")
    case ("GET", "avatars", _): return avatar(parts.last ?? "")
    case (_, "v25.0", _): return graph(request, parts)
    case ("GET", "v1", _): return instagram(request, parts)
    case ("POST", "oauth", "access_token"): return instagramToken(request)
    case ("GET", "2", _), ("GET", "1.1", _), ("POST", "oauth2", _): return x(request, parts)
    case (_, "oauth", _), (_, ".well-known", _), ("POST", "api", "v1"): return oauth(request)
    case ("GET", "api", _): return counted(request) { api(request, parts, trouble) }
    default: return .error(404, "Record not found")
    }
  }

  private func api(_ request: RecordedRequest, _ parts: [String], _ trouble: Trouble.Kind?) -> Answer {
    let (script, tokens) = state.withLock { ($0.script, $0.oauth.tokens) }
    if let token = request.token, !tokens.contains(token) { return .error(401, "The access token is invalid") }
    switch parts.dropFirst().joined(separator: "/") {
    case "v2/instance" where script.instance: return Answer(instance)
    case "v1/accounts/verify_credentials":
      return request.token == nil ? .error(401, "The access token is invalid") : Answer(credentials)
    case "v1/accounts/lookup":
      let name = request.parameter("acct") ?? ""
      guard let number = (0..<script.accounts).first(where: { ScriptedPost.name($0) == name }) else { break }
      return Answer(["id": .text("\(9000 + number)"), "acct": .text(name)])
    case "v1/statuses": return statuses(request, script)
    case let path where path.hasPrefix("v1/timelines/tag/") || path.hasSuffix("/statuses") || path == "v2/search":
      if script.requiresToken, request.token == nil {
        return .error(script.refusal, "This method requires an authenticated user")
      }
      return timeline(request, parts, script)?.answer(request, trouble) ?? .error(404, "Record not found")
    case let path where path.hasPrefix("v1/statuses/"):
      return status(parts.last ?? "", request, script)
    default: break
    }
    return .error(404, "Record not found")
  }

  private func timeline(_ request: RecordedRequest, _ parts: [String], _ script: Script) -> Timeline? {
    switch parts[2] {
    case "timelines":
      let tag = parts.last?.lowercased() ?? ""
      let posts = script.posts.filter { $0.tags.contains(tag) }
      return posts.isEmpty && script.unknownTagIsMissing ? nil : Timeline(script: script, base: url, posts: posts)
    case "accounts":
      let number = Int(parts[3]).map { $0 - 9000 }
      return Timeline(script: script, base: url, posts: script.posts.filter { ($0.boost?.by ?? $0.author) == number })
    default:
      let words = (request.parameter("q") ?? "").split(separator: " ")
      // The server finds nothing without a login.
      let found = script.posts.filter { post in request.token != nil && words.allSatisfy { post.caption.contains($0) } }
      return Timeline(script: script, base: url, posts: found, member: "statuses")
    }
  }

  private var instance: JSON {
    let access: JSON = ["local": "public", "remote": "public"]
    return [
      "domain": "origin.example", "title": "A scripted origin", "version": "4.5.0",
      "configuration": ["timelines_access": ["hashtag_feeds": access]],
    ]
  }

  private var credentials: JSON {
    [
      "id": "9999", "username": "ada", "acct": "ada", "display_name": "Ada", "url": "https://origin.example/@ada",
      "avatar": .text("\(url)/avatars/0.png"),
    ]
  }

  private func counted(_ request: RecordedRequest, _ answer: () -> Answer) -> Answer {
    let script = script
    guard script.rateFields else { return answer() }
    let (fields, isOver) = state.withLock { $0.till.count(request, script.budget) }
    var answer = isOver ? .error(429, "Too many requests") : answer()
    answer.headers.merge(fields) { $1 }
    return answer
  }

  private func picture(_ name: String) -> Answer {
    let id = name.split(separator: ".").first.map(String.init)
    let shown = script.posts.lazy.flatMap(\.attachments).first { $0.id == id }
    guard let picture = shown?.picture else { return .error(404, "Not Found") }
    return Answer(headers: ["Content-Type": picture.mediaType], body: picture.bytes)
  }

  private func avatar(_ name: String) -> Answer {
    guard let number = name.split(separator: ".").first.flatMap({ Int($0) }) else { return .error(404, "Not Found") }
    return Answer(headers: ["Content-Type": "image/png"], body: Picture(1_000_000 + number * 5).bytes)
  }
}
