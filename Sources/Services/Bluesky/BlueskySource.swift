import HTTP
import JSONReading
import Posts

/// The API of Bluesky and of other servers of its network.
///
/// It keeps nothing between two calls. It asks the account's own server, or without a login the one that shows everybody
/// what is public, and builds each address itself.
public struct BlueskySource: Source {
  /// The most posts a server gives at once.
  public static let largestPage = 100
  /// The most posts in one lookup.
  public static let mostInLookup = 25

  let network: BlueskyNetwork
  let token: Secret?
  /// The only server that takes the token.
  private let home: Server
  private let transport: Transport
  private let time: TimeSource

  var server: Server { network.server }

  /// Creates a source for `server`, for the owner of `token` or without a login.
  public init(server: Server, token: Secret?, transport: Transport, time: TimeSource) {
    self.init(server: server, caller: Caller(token: token), transport: transport, time: time)
  }

  /// Creates a source for `server`, for a login or without one.
  init(server: Server, caller: Caller, transport: Transport, time: TimeSource) {
    network = BlueskyNetwork(of: server)
    token = caller.token
    home = caller.home ?? server
    self.transport = transport
    self.time = time
  }

  /// Fetches the page after `cursor`, newest first, at most 100. Only an account's posts include repeats.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    let (timeline, what) = (try timeline(of: feed), feed.label)
    guard let position = cursor.map({ BlueskyPosition($0.value) }) ?? BlueskyPosition() else {
      throw .unreadable(server, reason: "its next page cannot be named")
    }
    let asked = min(max(1, size ?? Self.largestPage), Self.largestPage)
    let query = timeline.query + [("limit", String(asked))] + position.query
    // Without a login, what an account wrote is asked for where everybody may ask. A search is refused there.
    let isOpen = token == nil && !timeline.isSearch && network.isBluesky
    let response = try await answer(
      to: timeline.method, query, what, at: isOpen ? network.publicView : server, token: token)
    let body = response.body.hiding(token)
    let items = try await items(in: body, member: timeline.member, asked: asked, said: response.body)
    var page = Page(items: items, next: .end)
    switch Self.cursor(in: response.body) {
    case .none: page.next = position.next(after: items, cursor: nil, isSearch: timeline.isSearch) ?? .horizon
    case .named(let cursor) where token?.isPart(of: cursor) != true:
      guard let next = position.next(after: items, cursor: cursor, isSearch: timeline.isSearch) else {
        return .astray(items, reason: "its pages do not move on")
      }
      page.next = next
    default: page.next = .refused(reason: "its next page cannot be named")
    }
    page.items = items.filter { timeline.shows($0) && !position.saw($0) }
    return page
  }

  private enum Following { case none, named(String), unusable }

  /// The cursor in an answer. One that makes no sense is not an end, for below it nothing was read.
  private static func cursor(in body: [UInt8]) -> Following {
    guard let value = JSONObject(body)?.value("cursor"), !value.isNull else { return .none }
    guard let text = Bounds.word(value.text, bytes: Bounds.line), !text.contains("://") else { return .unusable }
    return .named(text)
  }

  /// A server's answer if it succeeded.
  func answer(
    to method: String, _ query: [(String, String)], _ what: String, at asked: Server, token: Secret?
  ) async throws(SourceError) -> Response {
    let asked = token != nil && asked == server ? home : asked
    var request = Request(
      .get, BlueskyNetwork.address(of: method, at: asked, query), headers: ["Accept": "application/json"],
      token: token, limit: Bounds.page)
    // Its directory entry named it.
    if asked == home, home != server { request.referrer = server.origin }
    let response = try await transport.answer(to: request, from: server)
    let isSearch = method == "app.bsky.feed.searchPosts"
    if let error = BlueskyAnswer.error(
      in: response, from: server, token: token, isSearch: isSearch, what: what, time: time)
    {
      throw error
    }
    return response
  }

  /// The posts of an answer, each decoded by itself.
  func items(
    in body: [UInt8], member: String, asked: Int, said: [UInt8]
  ) async throws(SourceError) -> [PageItem] {
    let ranges: [Range<Int>]
    do {
      ranges = try JSONSlices.elements(ofMember: member, in: body, most: Bounds.posts)
    } catch {
      throw .unreadable(server, reason: BlueskyAnswer.message(for: error, said, asked: asked, token: token))
    }
    let network = network
    return try await PageItems.read(ranges, in: body, as: "post", hiding: token) { raw in
      JSONObject(raw).map { BlueskyPost.pageItem($0, in: network, raw: raw) }
    }
  }

  // MARK: Feeds

  private func timeline(of feed: Feed) throws(SourceError) -> BlueskyTimeline {
    switch feed.kind {
    case .tag: .tag(feed.value)
    case .search: .search(feed.value)
    case .user: .account(actor(feed.value))
    case .url, .import: throw .notFound(server, what: "timeline for \(feed.label)")
    }
  }

  /// The account of a name. A handle is the name of a host, so a single word is a name at the server.
  private func actor(_ name: String) -> String {
    name.contains(".") || BlueskyURI.isDID(name) ? name : "\(name).\(server.host)"
  }
}

extension BlueskyTimeline {
  /// Whether an item belongs to the feed. What cannot be read does.
  func shows(_ item: PageItem) -> Bool {
    guard let tag, let post = item.post else { return true }
    return post.tags.contains(tag)
  }
}

extension BlueskyPosition {
  /// Whether the search before this one showed an item.
  func saw(_ item: PageItem) -> Bool {
    guard !seen.isEmpty, let key = BlueskyURI(item.id)?.key else { return false }
    return seen.contains(key)
  }
}
