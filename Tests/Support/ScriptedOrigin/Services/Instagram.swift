extension Origin {
  /// Instagram's first API over the same posts: `/v1/tags`, `/v1/users`, tokens in the query.
  func instagram(_ request: RecordedRequest, _ parts: [String]) -> Answer {
    let (script, tokens) = state.withLock { ($0.script, $0.oauth.tokens) }
    guard let token = request.token else {
      return apiError("OAuthParameterException", "Missing client_id or access_token URL parameter.")
    }
    guard tokens.contains(token) else {
      return apiError("OAuthAccessTokenException", "The access_token provided is invalid.")
    }
    switch (parts.dropFirst().first, parts.count > 2 ? parts[2] : "", parts.dropFirst(3).joined(separator: "/")) {
    case ("users", "self", ""): return enveloped(["id": "9999", "username": "ada", "full_name": "Ada"])
    case ("users", "search", ""):
      let names = (0..<script.accounts).filter { ScriptedPost.name($0).hasPrefix(request.parameter("q") ?? "") }
      return enveloped(.list(names.map(user)))
    case ("media", let id, ""):
      guard let shown = script.posts.first(where: { "\($0.id)_\(9000 + $0.author)" == id }) else { break }
      return enveloped(post(shown))
    case ("users", let id, "media/recent"):
      return media(script.posts.filter { "\(9000 + $0.author)" == id }, request, "max_id", token)
    case ("tags", let tag, "media/recent"):
      return media(script.posts.filter { $0.tags.contains(tag) }, request, "max_tag_id", token)
    default: break
    }
    return apiError("APINotFoundError", "invalid media id")
  }

  /// Exchanges a code as Instagram did: errors in its own format, the user beside the token.
  func instagramToken(_ request: RecordedRequest) -> Answer {
    do {
      let grant = try state.withLock { try $0.oauth.trade(request.form) }
      return Answer(["access_token": grant["access_token"] ?? nil, "user": ["id": "9999", "username": "ada"]])
    } catch let refusal as OAuthService.Refusal where refusal.error == "invalid_client" {
      return Answer(words("OAuthException", "Invalid Client ID"), status: 400)
    } catch {
      return Answer(words("OAuthException", "Matching code was not found or was already used."), status: 400)
    }
  }

  private func media(_ all: [ScriptedPost], _ request: RecordedRequest, _ cursor: String, _ token: String) -> Answer {
    let below = request.parameter(cursor).flatMap { position in all.firstIndex { "AQ\($0.id)" == position } }
    let rest = all.dropFirst(below.map { $0 + 1 } ?? 0)
    let page = rest.prefix(request.parameter("count").flatMap { Int($0) } ?? 20)
    var pagination: JSON = [:]
    if let last = page.last, page.count < rest.count {
      let next = "\(url)\(request.path)?access_token=\(token)&\(cursor)=AQ\(last.id)"
      pagination = ["next_\(cursor)": .text("AQ\(last.id)"), "next_url": .text(next)]
    }
    return enveloped(.list(page.map(post)), pagination)
  }

  private func post(_ post: ScriptedPost) -> JSON {
    let files = post.attachments.map { attachment -> JSON in
      let picture = attachment.picture
      let file: JSON = [
        "url": .text(url + attachment.path), "width": .number(picture.width), "height": .number(picture.height),
      ]
      return ["type": "image", "images": ["standard_resolution": file]]
    }
    let common: JSON = [
      "id": .text("\(post.id)_\(9000 + post.author)"), "type": files.count > 1 ? "carousel" : "image",
      "created_time": .text("\(post.createdAt)"), "link": .text("https://www.instagram.com/p/\(post.id)/?taken-by=x"),
      "caption": post.caption.isEmpty ? nil : ["text": .text(post.caption)], "user": user(post.author),
      "tags": .list(post.tags.map { .text($0) }), "images": files.first?["images"] ?? nil,
    ]
    return files.count > 1 ? common.replacing(["carousel_media": .list(files)]) : common
  }

  private func user(_ account: Int) -> JSON {
    [
      "id": .text("\(9000 + account)"), "username": .text(ScriptedPost.name(account)),
      "full_name": .text("User \(account)"), "profile_picture": .text("\(url)/avatars/\(account).png"),
    ]
  }

  private func enveloped(_ data: JSON, _ pagination: JSON = [:]) -> Answer {
    var answer = Answer(["meta": ["code": 200], "data": data, "pagination": pagination])
    answer.headers["X-Ratelimit-Limit"] = "5000"
    answer.headers["X-Ratelimit-Remaining"] = "4999"
    return answer
  }

  private func apiError(_ type: String, _ message: String) -> Answer {
    Answer(["meta": words(type, message)], status: 400)
  }

  private func words(_ type: String, _ message: String) -> JSON {
    ["code": 400, "error_type": .text(type), "error_message": .text(message)]
  }
}
