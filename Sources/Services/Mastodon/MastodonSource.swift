import HTTP
import JSONReading
import Posts

/// Mastodon's client API, as Mastodon, Pixelfed, GoToSocial, Akkoma and others speak it.
///
/// It keeps nothing between two calls except the ids of accounts that it looked up, and how posts are looked up again.
/// It sends requests only to its own server, and builds each address itself.
public struct MastodonSource: Source {
  /// The most posts a server gives at once.
  public static let largestPage = 40

  let server: Server
  let token: Secret?
  private let transport: Transport
  private let time: TimeSource
  private let accounts = KnownAccounts()
  /// Set once the server turns out not to return several posts by id, or not all of them.
  let showsOneAtATime = Flag()

  /// Creates a source for `server`, for the owner of `token` or without a login.
  public init(server: Server, token: Secret?, transport: Transport, time: TimeSource) {
    self.server = server
    self.token = token
    self.transport = transport
    self.time = time
  }

  /// Fetches the page after `cursor`, newest first, at most 40. Only an account's posts include boosts.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    try await page(of: feed, size: size, cursor.map { ("max_id", $0.value) })
  }

  /// Fetches the page just above the status with this id (`min_id`). Pixelfed returns its newest page instead.
  public func page(of feed: Feed, above id: String, size: Int?) async throws(SourceError) -> Page? {
    try await page(of: feed, size: size, ("min_id", id))
  }

  /// `max_id` accepts any status's id, even of a deleted one.
  public func cursor(below id: String) -> Cursor? { Cursor(id) }

  private func page(
    of feed: Feed,
    size: Int?,
    _ position: (name: String, id: String)?
  ) async throws(SourceError) -> Page {
    let timeline = try await timeline(of: feed)
    let asked = min(max(1, size ?? Self.largestPage), Self.largestPage)
    let (items, links) = try await items(of: timeline, asked: asked, position, feed.label)
    let cursor = position.flatMap { $0.name == "max_id" ? Cursor($0.id) : nil }
    // A server without links says by an empty page that nothing follows, or that it filtered all that it counted.
    let isDoubtful = items.isEmpty && links.isEmpty && asked < Self.largestPage && position?.name != "min_id"
    if isDoubtful { return try await page(of: feed, size: Self.largestPage, position) }
    do {
      var next = try MastodonPaging.next(after: cursor, items: items, links: links, server: server, token: token)
      // Mastodon answers with nothing while its search fails, and takes a cursor for the second of its post.
      if next == .end, timeline.member != nil { next = .horizon }
      return Page(items: items, next: next)
    } catch {
      return try await repeated(items, of: feed, size, timeline, after: cursor, because: error.reason)
    }
  }

  private func items(
    of timeline: MastodonTimeline, asked: Int, _ position: (name: String, id: String)?, _ what: String
  ) async throws(SourceError) -> (items: [PageItem], links: [LinkHeader.Link]) {
    let query = timeline.query + [("limit", String(asked))] + (position.map { [($0.name, $0.id)] } ?? [])
    let response = try await answer(to: timeline.path, query, what)
    let items = try await items(in: response.body, member: timeline.member, asked: asked)
    return (items, LinkHeader.parse(response.headers.all("Link")))
  }

  /// What a page means that leads to where it began. A search may ignore cursors: snac finds everything at once. Then its
  /// first page holds all that the server shows, and does not say whether a larger request would find more: nothing
  /// below is known or counts as read. A timeline that does so repeats for ever.
  private func repeated(
    _ items: [PageItem], of feed: Feed, _ size: Int?, _ timeline: MastodonTimeline, after cursor: Cursor?,
    because reason: String
  ) async throws(SourceError) -> Page {
    let ids = Set(items.compactMap(\.id))
    guard timeline.member != nil, cursor != nil, !ids.isEmpty else {
      return .astray(items, reason: reason)
    }
    let newest = try await page(of: feed, size: size, nil).items
    var page = Page.astray(newest + items, reason: reason)
    if Set(newest.compactMap(\.id)) == ids { page.next = .horizon }
    return page
  }

  /// The server's answer if it succeeded.
  func answer(
    to path: String,
    _ query: [(String, String)],
    _ what: String
  ) async throws(SourceError) -> Response {
    let request = Request(
      .get,
      Request.address(server.origin + path, query),
      headers: ["Accept": "application/json"],
      token: token,
      limit: Bounds.page
    )
    let response = try await transport.answer(to: request, from: server)
    if let error = MastodonAnswer.error(in: response, from: server, token: token, what: what, time: time) {
      throw error
    }
    return response
  }

  func items(in body: [UInt8], member: String?, asked: Int) async throws(SourceError) -> [PageItem] {
    let (said, body) = (body, body.hiding(token))
    let ranges: [Range<Int>]
    do {
      ranges = try JSONSlices.elements(ofMember: member, in: body, most: Bounds.posts)
    } catch {
      throw .unreadable(server, reason: MastodonAnswer.message(for: error, said, asked: asked, token: token))
    }
    return try await items(at: ranges, in: body)
  }

  func items(at ranges: [Range<Int>], in body: [UInt8]) async throws(SourceError) -> [PageItem] {
    let server = server
    return try await PageItems.read(ranges, in: body, as: "status", hiding: token) { raw in
      JSONObject(raw).map { MastodonStatus($0) }?.pageItem(on: server, raw: raw)
    }
  }

  // MARK: Feeds

  private func timeline(of feed: Feed) async throws(SourceError) -> MastodonTimeline {
    switch feed.kind {
    case .tag: return .tag(feed.value)
    case .user: return .account(try await account(feed))
    case .search:
      // Without a login a search finds nothing, and the server does not say why.
      if token == nil { throw .needsLogin(server) }
      return .search(feed.value)
    case .url, .import: throw .notFound(server, what: "timeline for \(feed.label)")
    }
  }

  /// The server's id of a user: https://docs.joinmastodon.org/methods/accounts/#lookup
  private func account(_ feed: Feed) async throws(SourceError) -> String {
    if let id = accounts[feed.value] { return id }
    let response = try await answer(to: "/api/v1/accounts/lookup", [("acct", feed.value)], feed.label)
    let account = JSONObject(response.body).map(MastodonAccount.init)
    guard let id = Bounds.word(account?.id, bytes: Bounds.id), id.utf8.allSatisfy(Self.isInID),
      token?.isPart(of: id) != true
    else {
      throw .unreadable(server, reason: "it does not say which account \(Bounds.reason(feed.value)) is")
    }
    accounts[feed.value] = id
    return id
  }

  /// An id becomes a part of a path, where `..` would lead elsewhere.
  static func isInID(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
