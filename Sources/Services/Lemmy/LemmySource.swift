import HTTP
import JSONReading
import Posts

/// The API of Lemmy, in its third and fourth version, and that of PieFed, which is shaped after it.
///
/// It keeps nothing between two calls except which of them the server speaks. It asks its own server alone, and builds each
/// address itself.
public struct LemmySource: Source {
  /// The most posts a server gives at once.
  public static let largestPage = 50
  /// The most posts in one lookup. Servers show one at a time.
  static let largestLookup = 10
  /// What precedes the name of a community, as people write it: `!pics`.
  static let communityMark: Character = "!"

  let server: Server
  let token: Secret?
  private let transport: Transport
  private let time: TimeSource
  private let spoken = SpokenAPI()

  /// Creates a source for `server`, for the owner of `token` or without a login.
  public init(server: Server, token: Secret?, transport: Transport, time: TimeSource) {
    self.server = server
    self.token = token
    self.transport = transport
    self.time = time
  }

  /// Fetches the page after `cursor`, newest first, at most 50.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    let timeline = try timeline(of: feed)
    let asked = min(max(1, size ?? Self.largestPage), Self.largestPage)
    let (api, response) = try await answer(name(of: feed)) { (api) throws(SourceError) in
      let query = timeline.query(in: api) + [("limit", String(asked))]
      guard timeline.isCounted(in: api) else {
        return (timeline.path(in: api), query + (cursor.map { [("page_cursor", $0.value)] } ?? []))
      }
      return (timeline.path(in: api), query + [("page", String(try countedPage(cursor).number))])
    }
    if let error = error(in: response, name(of: feed)) { throw error }
    let body = response.body.hiding(token)
    var items = try await items(in: body, of: timeline, asked: asked, said: response.body)
    let named = JSONObject(response.body)?.value("next_page")
    var next: Next
    if timeline.isCounted(in: api) {
      let counted = try countedPage(cursor)
      next = counted.next(items, named: named)
      if case .after = next { items = counted.new(items) }
    } else {
      next = Next(named: named, after: cursor) { token?.isPart(of: $0) == true }
    }
    if case .astray(let reason) = next { return .astray(items, reason: reason) }
    // A server does not say what it hides, from strangers or by the settings of a login, which may have ended.
    if next == .end, timeline.hidesPosts(in: api, hasToken: token != nil) || cursor == nil && items.isEmpty {
      next = .horizon
    }
    guard let tag = timeline.tag else { return Page(items: items, next: next) }
    // A search does not say how far it goes.
    if next == .end { next = .horizon }
    return Page(items: items.filter { $0.post?.tags.contains(tag) != false }, next: next)
  }

  private func countedPage(_ cursor: Cursor?) throws(SourceError) -> CountedPage {
    guard let page = CountedPage(cursor) else {
      throw .unreadable(server, reason: "its next page cannot be named")
    }
    return page
  }

  // MARK: Requests

  /// The answer, whatever its status, by the API that the server speaks. `what` is text for people.
  private func answer(
    _ what: String, _ ask: (LemmyAPI) throws(SourceError) -> (path: String, query: [(String, String)])
  ) async throws(SourceError) -> (api: LemmyAPI, response: Response) {
    for api in spoken.api.map({ [$0] }) ?? LemmyAPI.allCases {
      let (path, query) = try ask(api)
      let request = Request(
        .get, api.address(path, at: server, query), headers: ["Accept": "application/json"], token: token,
        limit: Bounds.page)
      let response = try await transport.answer(to: request, from: server)
      if LemmyAPI.isUnknown(response) { continue }
      spoken.api = api
      return (api, response)
    }
    throw .notFound(server, what: what)
  }

  private func error(in response: Response, _ what: String) -> SourceError? {
    LemmyAPIError(in: response.body).error(in: response, from: server, token: token, what: what, time: time)
  }

  /// The posts of an answer, each decoded by itself.
  private func items(
    in body: [UInt8], of timeline: LemmyTimeline, asked: Int, said: [UInt8]
  ) async throws(SourceError) -> [PageItem] {
    let ranges: [Range<Int>]
    do throws(JSONSlices.Fault) {
      let member = try JSONSlices.member("items", in: body) == nil ? "posts" : "items"
      ranges = try JSONSlices.elements(ofMember: member, in: body, most: Bounds.posts)
    } catch {
      throw .unreadable(
        server, reason: LemmyAPIError(in: said).message(for: error, asked: asked, token: token))
    }
    return try await items(at: ranges, in: body, of: timeline.subject)
  }

  private func items(
    at ranges: [Range<Int>], in body: [UInt8], of subject: LemmyTimeline.Subject? = nil
  ) async throws(SourceError) -> [PageItem] {
    let server = server
    let isOfCommunity = if case .community? = subject { true } else { false }
    return try await PageItems.read(ranges, in: body, as: "post", hiding: token) { raw in
      guard let post = JSONObject(raw).flatMap(LemmyPost.init) else { return nil }
      var item = post.pageItem(on: server, raw: raw)
      item.pinned = isOfCommunity ? post.isPinnedInCommunity : post.isPinnedOnSite
      return item
    }
  }

  // MARK: Feeds

  private func timeline(of feed: Feed) throws(SourceError) -> LemmyTimeline {
    switch feed.kind {
    case .tag: LemmyTimeline(subject: .search("#\(feed.value)"), tag: feed.value)
    case .search: LemmyTimeline(subject: .search(feed.value))
    case .user:
      if feed.value.first == Self.communityMark {
        LemmyTimeline(subject: .community(String(feed.value.dropFirst())))
      } else {
        LemmyTimeline(subject: .user(feed.value))
      }
    case .url, .import: throw .notFound(server, what: "timeline for \(feed.label)")
    }
  }
}

// Looks posts up one at a time, as every server can.

extension LemmySource {
  /// Each is a request. A few at once, so that an interruption loses little.
  public var mostLookedUp: Int? { Self.largestLookup }

  /// Looks up these posts. One that its author deleted, or a moderator removed, is gone.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult {
    var looked = LookupResult()
    for id in ids {
      let what = "post \(Bounds.reason(id))"
      let response = try await answer(what) { _ in ("post", [("id", id)]) }.response
      // Some versions say `unknown` of a post that they do not have. A 404 without a word never comes here.
      let apiError = LemmyAPIError(in: response.body)
      let isMissing = response.status >= 400 && apiError.kind == .missing
      // It may be the account that is not there any more.
      if isMissing, apiError.isAmbiguous, token != nil { continue }
      if isMissing || response.status == 404 {
        looked.gone.append(id)
        continue
      }
      if let error = error(in: response, what) { throw error }
      let body = response.body.hiding(token)
      guard let range = try? JSONSlices.member("post_view", in: body), let view = JSONObject(body, at: range) else {
        throw .unreadable(server, reason: "it is not a post")
      }
      if LemmyPost(view)?.isGone == true {
        looked.gone.append(id)
      } else {
        looked.append(try await items(at: [range], in: body), requested: [id])
      }
    }
    return looked
  }

  /// The feed's name in messages about its server.
  private func name(of feed: Feed) -> String {
    guard feed.kind == .user, feed.value.first == Self.communityMark else { return feed.label }
    return "community \(Bounds.reason(feed.value))"
  }
}
