import HTTP
import JSONReading
import Posts

/// Misskey's API, as Misskey, CherryPick, Sharkey, Firefish, Iceshrimp and others speak it.
///
/// Every request is a POST that only reads. It keeps nothing between two calls except the ids of users that it looked up,
/// and asks its own server alone.
public struct MisskeySource: Source {
  /// The most notes a server gives at once.
  public static let largestPage = 100
  /// The most notes in one lookup. Servers show one at a time.
  static let largestLookup = 10

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

  /// Fetches the page after `cursor`, newest first, at most 100. Only a user's notes include boosts.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    var (path, query) = try await timeline(of: feed)
    let asked = min(max(1, size ?? Self.largestPage), Self.largestPage)
    (query.limit, query.untilId) = (asked, cursor?.value)
    let body = try await answer(to: path, query, feed.label)
    let items = try await items(in: body, asked: asked)
    let next = next(items, after: cursor)
    if case .astray(let reason) = next { return .astray(items, reason: reason) }
    return Page(items: items, next: next)
  }

  /// `untilId` accepts any note's id, even of a deleted one.
  public func cursor(below id: String) -> Cursor? { Cursor(id) }

  /// What follows a page: the id of its last item, since servers send no link. A short page is not the end, because servers
  /// filter after counting. An empty one is.
  private func next(_ items: [PageItem], after cursor: Cursor?) -> Next {
    guard !items.isEmpty else { return .end }
    guard let found = items.last(where: { $0.id != nil })?.id else {
      return .refused(reason: "its next page cannot be named")
    }
    return found == cursor?.value ? .astray(reason: "its pages do not move on") : .after(Cursor(found))
  }

  // MARK: Requests

  /// The body of a successful answer. `what` is text for people.
  private func answer(to path: String, _ query: MisskeyQuery, _ what: String) async throws(SourceError) -> [UInt8] {
    let response = try await response(to: path, query)
    if let error = error(in: response, what) { throw error }
    return response.body
  }

  /// The answer, whatever its status.
  func response(to path: String, _ query: MisskeyQuery) async throws(SourceError) -> Response {
    var request = Request.misskey(server, path, query, token: token)
    request.limit = Bounds.page
    return try await transport.answer(to: request, from: server)
  }

  /// The error in an answer; nil if it may hold notes.
  func error(in response: Response, _ what: String) -> SourceError? {
    MisskeyAPIError(response, hiding: token).error(from: server, hasToken: token != nil, what: what, time: time)
  }

  private func items(in body: [UInt8], asked: Int) async throws(SourceError) -> [PageItem] {
    let (said, body) = (body, body.hiding(token))
    let ranges: [Range<Int>]
    do {
      ranges = try JSONSlices.elements(of: body, most: Bounds.posts)
    } catch {
      throw .unreadable(server, reason: MisskeyAPIError.message(for: error, said, asked: asked, hiding: token))
    }
    return try await items(at: ranges, in: body)
  }

  func items(at ranges: [Range<Int>], in body: [UInt8]) async throws(SourceError) -> [PageItem] {
    let server = server
    return try await PageItems.read(ranges, in: body, as: "note", hiding: token) { raw in
      JSONObject(raw).map { MisskeyNote($0) }?.pageItem(on: server, raw: raw)
    }
  }

  // MARK: Feeds

  private func timeline(of feed: Feed) async throws(SourceError) -> (path: String, query: MisskeyQuery) {
    switch feed.kind {
    case .tag: return ("notes/search-by-tag", MisskeyQuery(tag: feed.value))
    case .search: return ("notes/search", MisskeyQuery(query: feed.value))
    case .user:
      // misskey.io fails from the second page on if it is not told what to do about boosts.
      return (
        "users/notes",
        MisskeyQuery(userId: try await user(feed), withRenotes: true, withReplies: true, withChannelNotes: true)
      )
    case .url, .import: throw .notFound(server, what: "timeline for \(feed.label)")
    }
  }

  /// The server's id of a user, who may belong to another server.
  private func user(_ feed: Feed) async throws(SourceError) -> String {
    if let id = users[feed.value] { return id }
    let parts = feed.value.split(separator: "@", maxSplits: 1).map(String.init)
    let query = MisskeyQuery(username: parts.first, host: parts.count > 1 ? parts[1] : nil)
    let body = try await answer(to: "users/show", query, feed.label)
    guard let id = Bounds.word(JSONObject(body)?.text("id"), bytes: Bounds.id), token?.isPart(of: id) != true else {
      throw .unreadable(server, reason: "it does not say which account \(Bounds.reason(feed.value)) is")
    }
    users[feed.value] = id
    return id
  }
}
