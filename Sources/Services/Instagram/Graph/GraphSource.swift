import FoundationEssentials
import HTTP
import JSONReading
import Posts
import Synchronization

/// Instagram by Meta's Graph API: a hashtag's posts of the last 24 hours and, as the search for `#cats`, its top posts.
///
/// It keeps nothing between two calls except hashtag ids and the app's use of its quota. It sends requests only to its
/// own server, builds each address itself, and never follows `paging.next`, in which the server repeats the token.
public struct GraphSource: Source {
  /// The most posts a server gives at once.
  public static let largestPage = 50
  private let server: Server
  private let caller: Caller
  private let transport: Transport
  private let time: TimeSource
  private let ids = KnownAccounts()
  private let usage = GraphUsage()

  /// Creates a source for `server` with the login of `caller`.
  public init(server: Server, caller: Caller, transport: Transport, time: TimeSource) {
    self.server = server
    self.caller = caller
    self.transport = transport
    self.time = time
  }

  /// Fetches the page after `cursor`, at most 50 posts: of a tag roughly by time, of a search the most popular. The
  /// cursor may be the same on every page and still advance.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    let (name, edge) = try timeline(of: feed)
    guard let user = caller.user else { throw .needsLogin(server) }
    let what = "tag \(Bounds.reason(name))"
    if let until = usage.end(now: time.now()) { throw .rateLimited(server, until: until, asked: time.now()) }
    let id = try await id(of: name, user, what)
    let asked = min(max(1, size ?? Self.largestPage), Self.largestPage)
    let query =
      [("user_id", user), ("fields", Self.fields), ("limit", String(asked))]
      + (cursor.map { [("after", $0.value)] } ?? [])
    let response = try await answer(to: "\(id)/\(edge)", query, what, mayLoseCursor: cursor != nil)
    guard let body = response else { return Page(items: [], next: .horizon) }
    return Page(items: try await items(in: body, asked: asked), next: next(in: body))
  }

  private static let fields =
    "id,caption,media_type,media_url,permalink,timestamp,children{id,media_type,media_url}"

  // MARK: Hashtags

  private func timeline(of feed: Feed) throws(SourceError) -> (tag: String, edge: String) {
    switch feed.kind {
    case .tag: return (feed.value, "recent_media")
    case .search where feed.value.hasPrefix("#"): return (Feed.tagName(feed.value), "top_media")
    case .search, .user, .url, .import:
      throw .notFound(server, what: "search but for a hashtag, such as #cats")
    }
  }

  /// The id of a hashtag, which is looked up only once. The request is recorded first, because it counts.
  private func id(of name: String, _ user: String, _ what: String) async throws(SourceError) -> String {
    if let id = ids[name] { return id }
    if let id = try await caller.hashtags?.ask(for: name, as: user, at: server) {
      ids[name] = id
      return id
    }
    let body = try await answer(to: "ig_hashtag_search", [("user_id", user), ("q", name)], what) ?? []
    // The reference shows a list of one, the guide the bare object.
    let listed = (try? JSONSlices.elements(ofMember: "data", in: body, most: Bounds.posts))?.first
    let found = JSONObject(body, at: listed ?? body.indices)
    guard let id = Bounds.word(found?.text("id"), bytes: Bounds.id), id.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw .unreadable(server, reason: "it does not say which hashtag \(Bounds.reason(name)) is")
    }
    try await caller.hashtags?.keep(id, of: name, at: server)
    ids[name] = id
    return id
  }

  // MARK: Answers

  /// The body of a successful answer; nil if `mayLoseCursor` and the cursor is no longer valid. A repeated token is not
  /// kept.
  private func answer(
    to path: String, _ query: [(String, String)], _ what: String, mayLoseCursor: Bool = false
  ) async throws(SourceError) -> [UInt8]? {
    var request = Request(
      .get, Request.address("\(server.graphAPI)/\(path)", query), headers: ["Accept": "application/json"],
      token: caller.token, limit: Bounds.page)
    request.tokenPlacement = .query(fields: ["access_token"])
    let response = try await transport.answer(to: request, from: server)
    let apiError = GraphAPIError(response, hiding: caller.token)
    if mayLoseCursor, apiError.isOfCursor { return nil }
    if let error = apiError.error(from: server, hasToken: caller.token != nil, what: what, time: time) { throw error }
    usage.note(response.headers, now: time.now())
    return response.body.hiding(caller.token)
  }

  private func items(in body: [UInt8], asked: Int) async throws(SourceError) -> [PageItem] {
    let ranges: [Range<Int>]
    do {
      ranges = try JSONSlices.elements(ofMember: "data", in: body, most: Bounds.posts)
    } catch {
      throw .unreadable(server, reason: error.message(asked: asked))
    }
    let server = server
    return try await PageItems.read(ranges, in: body, as: "post", hiding: caller.token) { raw in
      JSONObject(raw).map(GraphMedia.init)?.pageItem(on: server, raw: raw)
    }
  }

  /// Without `paging.next` the server shows no more: it never shows posts older than a day.
  private func next(in body: [UInt8]) -> Next {
    let paging = JSONObject(body)?.object("paging")
    guard let link = paging?.string("next") else { return .horizon }
    let after = paging?.object("cursors")?.text("after")
    guard let found = Bounds.word(after ?? Request.parameter("after", of: link), bytes: Self.longestCursor),
      !found.contains("://"), caller.token?.isPart(of: found) != true
    else { return .refused(reason: "its next page cannot be named") }
    return .after(Cursor(found))
  }

  /// Cursors of hashtags have about three hundred characters.
  private static let longestCursor = 2048
}

/// The app's use of its quota, in per cent, from the last answer
/// (https://developers.facebook.com/docs/graph-api/overview/rate-limiting). At 95 no more requests are sent.
final class GraphUsage: Sendable {
  private static let leastLeft = 5
  private let until = Mutex<Date?>(nil)

  /// When requests may be sent again; nil if enough is left.
  func end(now: Date) -> Date? { until.withLock { $0.flatMap { $0 > now ? $0 : nil } } }

  /// Records an answer's fields. If they give no time, it is the sliding hour.
  func note(_ headers: Headers, now: Date) {
    let rate = RateLimit(headers: headers, now: now, dialect: .meta)
    let isSpent = rate.limit == 100 && rate.remaining.map { $0 <= Self.leastLeft } == true
    until.withLock { $0 = isSpent ? rate.resetsAt ?? now.addingTimeInterval(3600) : nil }
  }
}
