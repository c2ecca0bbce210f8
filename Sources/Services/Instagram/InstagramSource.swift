import HTTP
import JSONReading
import Posts

/// Instagram's first API (`/v1`), as compatible servers speak it. Instagram itself ended it.
///
/// It keeps nothing between two calls except the ids of users that it looked up. It sends requests only to its own
/// server, builds each address itself, and never follows `next_url`, in which the server repeats the token.
public struct InstagramSource: Source {
  /// The most posts a server gives at once.
  public static let largestPage = 33

  let server: Server
  let token: Secret?
  private let transport: Transport
  private let time: TimeSource
  private let users = KnownAccounts()

  /// Creates a source for `server`, for the owner of `token` or without a login.
  public init(server: Server, token: Secret?, transport: Transport, time: TimeSource) {
    self.server = server
    self.token = token
    self.transport = transport
    self.time = time
  }

  /// Fetches the page after `cursor`, newest first, at most 33. A tag's posts are in the order of tagging.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    let timeline = try await timeline(of: feed)
    let asked = min(max(1, size ?? Self.largestPage), Self.largestPage)
    let query = [("count", String(asked))] + (cursor.map { [(timeline.cursor, $0.value)] } ?? [])
    let response = try await answer(to: timeline.path, query, feed.label)
    let items = try await items(in: response.body, asked: asked)
    do {
      let next = try InstagramPaging.next(in: response.body, after: cursor, timeline.cursor, hiding: token)
      return Page(items: items, next: next)
    } catch {
      return .astray(items, reason: error.reason)
    }
  }

  /// The server's answer if it succeeded.
  func answer(
    to path: String, _ query: [(String, String)], _ what: String
  ) async throws(SourceError) -> Response {
    var request = Request(
      .get, Request.address("\(server.origin)/v1/\(path)", query), headers: ["Accept": "application/json"],
      token: token, limit: Bounds.page)
    request.tokenPlacement = .query(fields: ["access_token"])
    let response = try await transport.answer(to: request, from: server)
    let apiError = InstagramAPIError(response, hiding: token)
    if let error = apiError.error(from: server, hasToken: token != nil, what: what, time: time) { throw error }
    return response
  }

  /// The items of a page, each parsed by itself. Many items can take a while, so cancellation is checked between them.
  /// A repeated token is never kept, whatever happens to the item.
  private func items(in body: [UInt8], asked: Int) async throws(SourceError) -> [PageItem] {
    let body = body.hiding(token)
    return try await items(at: try elementRanges(in: body, asked: asked), in: body)
  }

  func items(at ranges: [Range<Int>], in body: [UInt8]) async throws(SourceError) -> [PageItem] {
    let server = server
    return try await PageItems.read(ranges, in: body, as: "post", hiding: token) { raw in
      JSONObject(raw).map(InstagramMedia.init)?.pageItem(on: server, raw: raw)
    }
  }

  /// The ranges of the elements of `data`, one for each post or user.
  private func elementRanges(in body: [UInt8], asked: Int) throws(SourceError) -> [Range<Int>] {
    do {
      return try JSONSlices.elements(ofMember: "data", in: body, most: Bounds.posts)
    } catch {
      throw .unreadable(server, reason: error.message(asked: asked))
    }
  }

  // MARK: Feeds

  private func timeline(of feed: Feed) async throws(SourceError) -> (path: String, cursor: String) {
    switch feed.kind {
    case .tag: return ("tags/\(Request.percentEncoded(feed.value))/media/recent", "max_tag_id")
    case .user: return ("users/\(Request.percentEncoded(try await user(feed)))/media/recent", "max_id")
    case .search, .url, .import: throw .notFound(server, what: "timeline for \(feed.label)")
    }
  }

  /// The server's id of a user: its search finds everyone whose name begins with the text.
  private func user(_ feed: Feed) async throws(SourceError) -> String {
    if let id = users[feed.value] { return id }
    let what = feed.label
    let body = try await answer(to: "users/search", [("q", feed.value)], what).body
    for range in try elementRanges(in: body, asked: Self.largestPage) {
      guard let user = JSONObject(body, at: range).map(InstagramUser.init),
        user.username?.lowercased() == feed.value, let id = Bounds.word(user.id, bytes: Bounds.id),
        token?.isPart(of: id) != true
      else { continue }
      users[feed.value] = id
      return id
    }
    throw .notFound(server, what: what)
  }
}
