import HTTP
import JSONReading
import Posts

/// X by its API v2: recent search (seven days), tags by search, users' posts (the newest 3,200).
///
/// It keeps nothing between two calls except the ids of users that it looked up, and which API answered. For X it uses
/// `api.x.com`, elsewhere the server itself, and API 1.1 if there is no v2.
public struct XSource: Source {
  /// The most posts a server gives at once.
  public static let largestPage = 100

  let service: XService
  private let users = KnownAccounts()
  let older: XFirstSource
  /// Whether the server speaks only the older API.
  let isOlder = Flag()

  /// Creates a source for `server`, for the owner of `token` or without a login.
  public init(server: Server, token: Secret?, transport: Transport, time: TimeSource) {
    service = XService(server: server, token: token, transport: transport, time: time)
    older = XFirstSource(server: server, token: token, transport: transport, time: time)
  }

  /// Fetches the page after `cursor`, newest first, at most 100. X does not say how far posts continue below its last
  /// page.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    if isOlder.isSet { return try await older.page(of: feed, after: cursor, size: size) }
    do {
      return try await newerPage(of: feed, after: cursor, size: size)
    } catch {
      // Other servers may speak only the older API, whose cursors are numbers.
      guard case .notFound = error, service.lacksPath.isSet, !service.server.isX,
        cursor.map({ XPost.number($0.value) != nil }) ?? true,
        let page = try? await older.page(of: feed, after: cursor, size: size)
      else { throw Task.isCancelled ? .cancelled : error }
      isOlder.set()
      return page
    }
  }

  /// For the older API only: v2's cursors are not ids.
  public func cursor(below id: String) -> Cursor? {
    isOlder.isSet ? older.cursor(below: id) : nil
  }

  private func newerPage(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    let timeline = try await timeline(of: feed)
    let asked = min(max(timeline.least, size ?? Self.largestPage), Self.largestPage)
    let query =
      timeline.query + [("max_results", String(asked))] + Self.pageFields
      + (cursor.map { [(timeline.cursor, $0.value)] } ?? [])
    let body = try await service.answer(to: timeline.path, query, feed.label)
    let (items, contents) = try await items(in: body, asked: asked)
    let next = next(in: body, after: cursor)
    if case .astray(let reason) = next { return .astray(items, reason: reason, contents: contents) }
    return Page(items: items, next: next, contents: contents)
  }

  /// The fields for a single post. Referenced posts would cost, and their feeds read them.
  static let fields = fields(expanding: "", referring: "")

  /// The fields for the posts of a page. A repeat holds the beginning of a text, the repeated post all of it.
  private static let pageFields = fields(
    expanding: ",referenced_tweets.id,referenced_tweets.id.author_id,referenced_tweets.id.attachments.media_keys",
    referring: ",referenced_tweets")

  private static func fields(expanding expansions: String, referring more: String) -> [(String, String)] {
    let ofPost = "attachments,author_id,created_at,edit_history_tweet_ids,entities,lang,note_tweet,possibly_sensitive"
    return [
      ("expansions", "author_id,attachments.media_keys\(expansions)"), ("tweet.fields", ofPost + more),
      ("media.fields", "alt_text,duration_ms,height,preview_image_url,type,url,variants,width"),
      ("user.fields", "name,profile_image_url,protected,username"),
    ]
  }

  // MARK: Feeds

  private struct Timeline {
    var path: String
    var query: [(String, String)]
    var cursor: String
    /// The fewest posts that may be requested.
    var least: Int
  }

  private func timeline(of feed: Feed) async throws(SourceError) -> Timeline {
    switch feed.kind {
    case .tag: return Self.search("#\(feed.value) -is:retweet")
    case .search: return Self.search(feed.value)
    case .user:
      // Repeats cost as much as the posts that they repeat.
      let path = "/2/users/\(Request.percentEncoded(try await user(feed)))/tweets"
      return Timeline(path: path, query: [("exclude", "retweets")], cursor: "pagination_token", least: 5)
    case .url, .import: throw .notFound(service.server, what: "timeline for \(feed.label)")
    }
  }

  private static func search(_ query: String) -> Timeline {
    Timeline(path: "/2/tweets/search/recent", query: [("query", query)], cursor: "next_token", least: 10)
  }

  /// The server's id of a user.
  private func user(_ feed: Feed) async throws(SourceError) -> String {
    if let id = users[feed.value] { return id }
    let path = "/2/users/by/username/\(Request.percentEncoded(feed.value))"
    let body = try await service.answer(to: path, [], feed.label)
    let user = JSONObject(body)?.object("data").map(XIncludes.User.init)
    guard let id = Bounds.word(user?.id, bytes: Bounds.id), service.token?.isPart(of: id) != true else {
      throw .unreadable(service.server, reason: "it does not say which account \(Bounds.reason(feed.value)) is")
    }
    users[feed.value] = id
    return id
  }

  // MARK: Answers

  /// The posts of an answer, and how many it held. A post requested by the id of any of its versions is listed under
  /// that id.
  func items(
    in body: [UInt8], asked: Int, for ids: [String] = []
  ) async throws(SourceError) -> (items: [PageItem], contents: Page.Contents) {
    let body = body.hiding(service.token)
    let (ranges, includes): ([Range<Int>], XIncludes)
    do {
      // A page without posts has no `data` and reports a count of zero.
      if try JSONSlices.member("data", in: body) == nil, try JSONSlices.member("meta", in: body) != nil {
        return ([], Page.Contents(posts: 0, authors: 0, attachments: 0))
      }
      ranges = try JSONSlices.elements(ofMember: "data", in: body, most: Bounds.posts)
      includes = try Self.includes(in: body)
    } catch {
      throw .unreadable(service.server, reason: error.message(asked: asked))
    }
    let server = service.server
    let items = try await PageItems.read(ranges, in: body, as: "post", hiding: service.token) { raw in
      let post = JSONObject(raw).map(XTweet.init)
      var item = post?.pageItem(with: includes, on: server, raw: raw)
      if let id = ids.first(where: { post?.versions.contains($0) == true }) { item?.id = id }
      return item
    }
    let contents = Page.Contents(
      posts: ranges.count + includes.posts.count, authors: includes.users.count, attachments: includes.files.count)
    return (items, contents)
  }

  private static func includes(in body: [UInt8]) throws(JSONSlices.Fault) -> XIncludes {
    guard let range = try JSONSlices.member("includes", in: body) else { return XIncludes() }
    return JSONObject(body, at: range).map { XIncludes($0) } ?? XIncludes()
  }

  private func next(in body: [UInt8], after cursor: Cursor?) -> Next {
    guard let token = JSONObject(body)?.object("meta")?.text("next_token") else { return .horizon }
    guard let found = Bounds.word(token, bytes: Bounds.id), !found.contains("://"),
      service.token?.isPart(of: found) != true
    else { return .refused(reason: "its next page cannot be named") }
    if found == cursor?.value { return .astray(reason: "its pages do not move on") }
    return .after(Cursor(found))
  }
}
