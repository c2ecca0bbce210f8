import Foundation

extension Origin {
  /// What a person does with an authorization URL of the Graph API: logs in, consents, and copies the final address.
  public func approveGraph(_ authorizationURL: String) throws -> String {
    guard let parts = URLComponents(string: authorizationURL), parts.path.hasSuffix("/dialog/oauth"),
      authorizationURL.hasPrefix(url)
    else { throw GraphService.Refusal(code: 100, message: "no such page") }
    let fields = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    return try state.withLock { try $0.graph.authorize(Dictionary(fields) { $1 }) }
  }

  /// Instagram's Graph API over the same posts: tokens in the query, one cursor for all pages, other picture addresses each
  /// time.
  func graph(_ request: RecordedRequest, _ parts: [String]) -> Answer {
    if request.path.hasSuffix("/oauth/access_token") { return graphToken(request) }
    guard let token = request.token, state.withLock({ $0.oauth.tokens.contains(token) }) else {
      return graphError(190, "Error validating access token: Session has expired.", subcode: 463, status: 400)
    }
    switch parts.dropFirst().joined(separator: "/") {
    case "me/accounts":
      let account: JSON = ["id": "17841400", "username": "ada", "name": "Ada"]
      return Answer(["data": [["id": "1"], ["id": "2", "instagram_business_account": account]]])
    case "ig_hashtag_search":
      let tag = request.parameter("q") ?? ""
      guard script.posts.contains(where: { $0.tags.contains(tag) }) else {
        return graphError(24, "The requested resource does not exist", subcode: 2_207_024, status: 400)
      }
      return Answer(["data": [["id": .text(Self.hashtag(tag))]]])
    case let path where path.hasSuffix("/recent_media") || path.hasSuffix("/top_media"):
      guard request.parameter("user_id") == "17841400" else { return graphError(100, "no user_id", status: 400) }
      return graphMedia(request, parts[1])
    default: return graphError(100, "Unsupported get request.", subcode: 33, status: 400)
    }
  }

  private func graphToken(_ request: RecordedRequest) -> Answer {
    do {
      let grant = try state.withLock { state in
        let grant = try state.graph.trade(request.form, known: state.oauth.tokens)
        if grant.life > 5000 { state.oauth.tokens.insert(grant.token) }
        return grant
      }
      return Answer([
        "access_token": .text(grant.token), "token_type": "bearer", "expires_in": .number(grant.life),
      ])
    } catch let refusal as GraphService.Refusal {
      return graphError(refusal.code, refusal.message, status: 400)
    } catch {
      return graphError(2, "scripted", status: 500)
    }
  }

  private func graphMedia(_ request: RecordedRequest, _ id: String) -> Answer {
    let all = script.posts.filter { $0.tags.contains { Self.hashtag($0) == id } }
    let size = request.parameter("limit").flatMap { Int($0) } ?? 25
    let start = state.withLock { state in
      let start = request.parameter("after") == nil ? 0 : state.graph.offsets[id] ?? 0
      state.graph.offsets[id] = start + size
      return start
    }
    let page = all.dropFirst(start).prefix(size)
    let turn = state.withLock(\.requests.count)
    var answer: JSON = ["data": .list(page.map { graphPost($0, turn) })]
    if start + page.count < all.count {
      let next = "\(url)\(request.path)?access_token=\(request.token ?? "")&limit=\(size)&after=QVFIUstands"
      answer = answer.replacing(["paging": ["cursors": ["after": "QVFIUstands"], "next": .text(next)]])
    }
    var made = Answer(answer)
    made.headers["X-App-Usage"] = #"{"call_count":3,"total_cputime":1,"total_time":2}"#
    return made
  }

  private func graphPost(_ post: ScriptedPost, _ turn: Int) -> JSON {
    let files = post.attachments.map { file -> JSON in
      ["id": .text("17\(file.id)"), "media_type": "IMAGE", "media_url": .text("\(url)\(file.path)?oe=\(turn)")]
    }
    let time = ScriptedPost.time(post.createdAt).prefix(19)
    let common: JSON = [
      "id": .text("179\(post.id)"), "permalink": .text("https://www.instagram.com/p/\(post.id)/"),
      "timestamp": .text("\(time)+0000"), "caption": post.caption.isEmpty ? nil : .text(post.caption),
      "media_type": files.count == 1 ? "IMAGE" : "CAROUSEL_ALBUM",
    ]
    if files.count == 1, let file = files.first {
      return common.replacing(["id": file["id"] ?? nil, "media_url": file["media_url"] ?? nil])
    }
    return common.replacing(["children": ["data": .list(files)]])
  }

  private static func hashtag(_ tag: String) -> String { "1784" + tag.utf8.map { String($0) }.joined() }

  private func graphError(_ code: Int, _ message: String, subcode: Int? = nil, status: Int) -> Answer {
    var error: JSON = ["message": .text(message), "type": "OAuthException", "code": .number(code)]
    if let subcode { error = error.replacing(["error_subcode": .number(subcode)]) }
    return Answer(["error": error], status: status)
  }
}
