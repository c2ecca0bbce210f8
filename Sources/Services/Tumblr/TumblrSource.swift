import HTTP
import JSONReading
import Posts

/// Tumblr's API v2, read with the key of a person's own app or as that person: tags and blogs.
///
/// It keeps nothing between two calls. It sends requests only to the API's host, and builds each address itself.
public struct TumblrSource: Source {
  /// The most posts a server gives at once.
  public static let largestPage = 20
  /// The most posts in one lookup. Each is a request.
  static let largestLookup = 10

  let server: Server
  let token: Secret?
  /// Whether the token is that of a person, who sees what not everybody does, and not the key of an app.
  private let isOfPerson: Bool
  private let transport: Transport
  private let time: TimeSource

  /// Creates a source for `server`, with an app's key or a person's token as `token`, or without one.
  public init(server: Server, token: Secret?, isOfPerson: Bool = false, transport: Transport, time: TimeSource) {
    self.server = server
    self.token = token
    self.isOfPerson = isOfPerson
    self.transport = transport
    self.time = time
  }

  /// Fetches the page after `cursor`, newest first, at most 20.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    let (path, member) = try path(of: feed)
    let asked = min(max(1, size ?? Self.largestPage), Self.largestPage)
    var query = [("limit", String(asked))]
    if feed.kind == .tag { query.append(("tag", feed.value)) }
    let position = try cursor.map { cursor throws(SourceError) in try SecondPosition(cursor, from: server) }
    if let position { query.append(("before", String(position.bound))) }
    let body = try await answer(to: path, query, feed.label)
    let ranges = try ranges(in: body, member, asked: asked)
    let featured = FeaturedTimes()
    var items = try await items(at: ranges, in: body, noting: featured)
    let marks = items.map { SecondPosition.Mark($0, second: $0.id.flatMap { featured[$0] }) }
    items.removeAll { item in item.id.map { position?.known.contains($0) == true } ?? false }
    switch SecondPosition.next(after: position, marks, .before) {
    case .astray(let reason): return .astray(items, reason: reason)
    // A tag's posts are those that Tumblr's search knows, and it does not say how far they go.
    case .end: return Page(items: items, next: feed.kind == .tag ? .horizon : .end)
    case let next: return Page(items: items, next: next)
    }
  }

  // MARK: Answers

  /// The `response` of a successful answer. `what` is text for people.
  func answer(to path: String, _ query: [(String, String)], _ what: String) async throws(SourceError) -> [UInt8] {
    let response = try await response(to: path, query)
    if let error = error(in: response, what) { throw error }
    return response.body.hiding(token)
  }

  /// The answer, whatever its status. Posts are asked for as blocks, which servers have made of the older kinds, too.
  func response(to path: String, _ query: [(String, String)]) async throws(SourceError) -> Response {
    let address = Request.address("\(server.tumblrAPI)/v2/\(path)", query + [("npf", "true")])
    var request = Request(
      .get, address, headers: ["Accept": "application/json"], token: token, limit: Bounds.page)
    request.tokenPlacement = isOfPerson ? .bearer : .query(fields: ["api_key"])
    return try await transport.answer(to: request, from: server)
  }

  /// The error in an answer; nil if it may hold posts.
  func error(in response: Response, _ what: String) -> SourceError? {
    TumblrAPIError(response, hiding: token).error(from: server, hasToken: token != nil, what: what, time: time)
  }

  /// The ranges of the posts in a body: `response`, or a member of it.
  func ranges(in body: [UInt8], _ member: String?, asked: Int) throws(SourceError) -> [Range<Int>] {
    do throws(JSONSlices.Fault) {
      return try JSONSlices.elements(ofMember: member, in: "response", of: body)
    } catch {
      throw .unreadable(server, reason: error.message(asked: asked))
    }
  }

  func items(
    at ranges: [Range<Int>], in body: [UInt8], noting featured: FeaturedTimes = FeaturedTimes()
  ) async throws(SourceError) -> [PageItem] {
    let (server, isOfPerson) = (server, isOfPerson)
    return try await PageItems.read(ranges, in: body, as: "post", hiding: token) { raw in
      guard let fields = JSONObject(raw) else { return nil }
      let post = TumblrPost(fields, isOfPerson: isOfPerson)
      featured.note(fields, of: post.id)
      return post.pageItem(on: server, raw: raw)
    }
  }

  // MARK: Feeds

  /// The path of a feed, and the member of the answer that holds the posts; nil if the answer is the list itself.
  private func path(of feed: Feed) throws(SourceError) -> (path: String, member: String?) {
    switch feed.kind {
    case .tag: return ("tagged", nil)
    case .user:
      // It becomes a part of the path, where `..` would lead elsewhere.
      guard feed.value.contains(where: { $0 != "." }) else { throw .notFound(server, what: feed.label) }
      return ("blog/\(Request.percentEncoded(feed.value))/posts", "posts")
    case .search, .url, .import: throw .notFound(server, what: "timeline for \(feed.label)")
    }
  }
}
