import Foundation

extension Origin {
  /// X's APIs over the same posts: v2, 1.1, and the app's token for its key and secret.
  func x(_ request: RecordedRequest, _ parts: [String]) -> Answer {
    if request.path == "/oauth2/token" { return appToken(request) }
    let (script, tokens) = state.withLock { ($0.script, $0.oauth.tokens) }
    guard let token = request.token, tokens.contains(token) else {
      return request.path.hasPrefix("/2")
        ? Answer(
          ["title": "Unauthorized", "status": 401, "type": "about:blank", "detail": "Unauthorized"], status: 401)
        : errors(89, "Invalid or expired token.", status: 401)
    }
    let query = (request.parameter("query") ?? request.parameter("q") ?? "").split(separator: " ").first ?? ""
    let isBare = (request.parameter("query") ?? request.parameter("q") ?? "").contains("retweet")
    let found = script.posts.filter { post in
      if isBare, post.boost != nil { return false }
      return query.hasPrefix("#") ? post.tags.contains(String(query.dropFirst())) : post.caption.contains(query)
    }
    switch request.path {
    case "/2/tweets", "/1.1/statuses/lookup.json", "/1.1/statuses/show.json": return lookUp(request, script)
    case "/2/users/me": return problem("unsupported-authentication", status: 403)
    case "/2/tweets/search/recent": return page(found, request, "next_token")
    case "/1.1/search/tweets.json":
      return Answer(["statuses": .list(statuses(found, request)), "search_metadata": [:]])
    case "/1.1/statuses/user_timeline.json":
      let theirs = script.posts.filter { ScriptedPost.name($0.author) == request.parameter("screen_name") }
      if theirs.isEmpty { return errors(34, "Sorry, that page does not exist.", status: 404) }
      return Answer(.list(statuses(theirs, request)))
    case let path where path.hasPrefix("/2/users/by/username/"):
      let account = (0..<script.accounts).first { ScriptedPost.name($0) == parts.last }
      return account.map { Answer(["data": user($0)]) } ?? problem("resource-not-found", status: 200)
    case let path where path.hasSuffix("/tweets"):
      return page(script.posts.filter { "\(9000 + $0.author)" == parts[2] }, request, "pagination_token")
    default: return .error(404, "Not Found")
    }
  }

  private func appToken(_ request: RecordedRequest) -> Answer {
    let keys = script.keys.map { Data("\($0.key):\($0.value)".utf8).base64EncodedString() }
    guard request.form["grant_type"] == "client_credentials",
      keys.contains(where: { request.headers["authorization"] == "Basic \($0)" })
    else { return errors(99, "Unable to verify your credentials", status: 403) }
    state.withLock { _ = $0.oauth.tokens.insert("AAAA%2Fapp-token") }
    return Answer(["token_type": "bearer", "access_token": "AAAA%2Fapp-token"])
  }

  private func page(_ all: [ScriptedPost], _ request: RecordedRequest, _ cursor: String) -> Answer {
    let start = request.parameter(cursor).flatMap { position in all.firstIndex { "b26\($0.id)" == position } }
    let rest = all.dropFirst(start ?? 0)
    let page = rest.prefix(request.parameter("max_results").flatMap { Int($0) } ?? 10)
    var meta: JSON = ["result_count": .number(page.count)]
    if page.count < rest.count, let next = rest.dropFirst(page.count).first {
      meta = meta.replacing(["next_token": .text("b26\(next.id)")])
    }
    if page.isEmpty { return limited(Answer(["meta": meta])) }
    return limited(Answer(shown(Array(page)).replacing(["meta": meta])))
  }

  /// Posts with the objects that they reference.
  func shown(_ posts: [ScriptedPost]) -> JSON {
    let users = Set(posts.flatMap { [$0.author, $0.boost?.by ?? $0.author] }).sorted().map(user)
    let originals = posts.filter { $0.boost != nil }.map { tweet($0.original) }
    let files = posts.flatMap(\.attachments).map { file -> JSON in
      ["media_key": .text("3_\(file.id)"), "type": "photo", "url": .text(url + file.path)]
    }
    return [
      "data": .list(posts.map(tweet)),
      "includes": ["users": .list(users), "media": .list(files), "tweets": .list(originals)],
    ]
  }

  private func tweet(_ post: ScriptedPost) -> JSON {
    if let boost = post.boost {
      return [
        "id": .text(post.id), "edit_history_tweet_ids": [.text(post.id)], "author_id": .text("\(9000 + boost.by)"),
        "created_at": .text(ScriptedPost.time(post.createdAt + 60)),
        "text": .text(escaped("RT @\(ScriptedPost.name(post.author)): \(post.caption.prefix(20))…")),
        "referenced_tweets": [["type": "retweeted", "id": .text(boost.innerID)]],
      ]
    }
    return [
      "id": .text(post.id), "edit_history_tweet_ids": [.text(post.id)], "author_id": .text("\(9000 + post.author)"),
      "created_at": .text(ScriptedPost.time(post.createdAt)), "text": .text(escaped(post.caption)),
      "attachments": ["media_keys": .list(post.attachments.map { .text("3_\($0.id)") })],
      "entities": ["hashtags": .list(post.tags.map { ["tag": .text($0)] })],
    ]
  }

  private func statuses(_ all: [ScriptedPost], _ request: RecordedRequest) -> [JSON] {
    let most = request.parameter("max_id").flatMap(UInt64.init) ?? .max
    let page = all.filter { (UInt64($0.id) ?? 0) <= most }
    return page.prefix(request.parameter("count").flatMap { Int($0) } ?? 15).map(status)
  }

  /// A post as API 1.1 sends it.
  func status(_ post: ScriptedPost) -> JSON {
    if let boost = post.boost {
      return [
        "id_str": .text(post.id), "created_at": .text(date(post.createdAt + 60)),
        "full_text": .text(escaped("RT @\(ScriptedPost.name(post.author)): \(post.caption.prefix(20))…")),
        "user": user(boost.by).replacing(["screen_name": .text(ScriptedPost.name(boost.by))]),
        "retweeted_status": status(post.original),
      ]
    }
    let files = post.attachments.map { file -> JSON in
      ["id_str": .text(file.id), "type": "photo", "media_url_https": .text(url + file.path)]
    }
    return [
      "id_str": .text(post.id), "full_text": .text(escaped(post.caption)), "created_at": .text(date(post.createdAt)),
      "user": user(post.author).replacing(["screen_name": .text(ScriptedPost.name(post.author))]),
      "entities": ["hashtags": .list(post.tags.map { ["text": .text($0)] })],
      "extended_entities": ["media": .list(files)],
    ]
  }

  private func user(_ account: Int) -> JSON {
    let name = ScriptedPost.name(account)
    return [
      "id": .text("\(9000 + account)"), "username": .text(name), "name": .text("User \(account)"),
      "profile_image_url": .text("\(url)/avatars/\(account).png"),
    ]
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// `Wed Aug 27 13:08:45 +0000 2008`.
  private func date(_ seconds: Int) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = .gmt
    format.dateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
    return format.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
  }

  private func limited(_ answer: Answer) -> Answer {
    var answer = answer
    answer.headers["x-rate-limit-remaining"] = "449"
    answer.headers["x-rate-limit-reset"] = String(Int(Date().timeIntervalSince1970) + 900)
    return answer
  }

  private func problem(_ name: String, status: Int) -> Answer {
    let problem: JSON = [
      "title": .text(name), "detail": .text("Scripted \(name)."), "type": .text("https://api.x.com/2/problems/\(name)"),
    ]
    return Answer(status == 200 ? ["errors": [problem]] : problem, status: status)
  }

  func errors(_ code: Int, _ message: String, status: Int) -> Answer {
    Answer(["errors": [["code": .number(code), "message": .text(message)]]], status: status)
  }
}

extension ScriptedPost {
  /// The post that this one repeats, by itself.
  fileprivate var original: ScriptedPost {
    var post = self
    (post.id, post.boost) = (postID, nil)
    return post
  }
}
