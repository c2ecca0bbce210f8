import HTTP
import JSONReading
import Posts

/// X by its API 1.1, as compatible servers speak it: search, tags by search, users' posts.
///
/// It keeps nothing between two calls. Its cursors are ids: the next page begins just below the lowest.
public struct XFirstSource: Source {
  let service: XService

  /// Creates a source for `server`, for the owner of `token` or without a login.
  public init(server: Server, token: Secret?, transport: Transport, time: TimeSource) {
    service = XService(server: server, token: token, transport: transport, time: time)
  }

  /// Fetches the page from `cursor` on, newest first, at most 100 posts of a search and 200 of a user.
  ///
  /// A short page is not the last, because servers filter after counting. An empty one is.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    let timeline = try timeline(of: feed)
    let asked = min(max(1, size ?? timeline.most), timeline.most)
    let query =
      timeline.query + [("count", String(asked))] + Self.fields + (cursor.map { [("max_id", $0.value)] } ?? [])
    let body = try await service.answer(to: timeline.path, query, feed.label)
    let items = try await items(in: body, member: timeline.member, asked: asked)
    let next = next(after: items, cursor)
    if case .astray(let reason) = next { return .astray(items, reason: reason) }
    return Page(items: items, next: next)
  }

  /// `max_id` is the highest id shown, and may be any number.
  public func cursor(below id: String) -> Cursor? {
    XPost.number(id).flatMap { $0 > 0 ? Cursor(String($0 - 1)) : nil }
  }

  static let fields = [("tweet_mode", "extended"), ("include_entities", "true"), ("include_ext_alt_text", "true")]

  private struct Timeline {
    var path: String
    var query: [(String, String)]
    var member: String?
    var most: Int
  }

  private func timeline(of feed: Feed) throws(SourceError) -> Timeline {
    switch feed.kind {
    case .tag: return Self.search("#\(feed.value) -filter:retweets")
    case .search: return Self.search(feed.value)
    case .user:
      let query = [("screen_name", feed.value), ("include_rts", "true")]
      return Timeline(path: "/1.1/statuses/user_timeline.json", query: query, most: 200)
    case .url, .import: throw .notFound(service.server, what: "timeline for \(feed.label)")
    }
  }

  private static func search(_ query: String) -> Timeline {
    let query = [("q", query), ("result_type", "recent")]
    return Timeline(path: "/1.1/search/tweets.json", query: query, member: "statuses", most: 100)
  }

  func items(in body: [UInt8], member: String?, asked: Int) async throws(SourceError) -> [PageItem] {
    let body = body.hiding(service.token)
    let ranges: [Range<Int>]
    do {
      ranges = try JSONSlices.elements(ofMember: member, in: body, most: Bounds.posts)
    } catch {
      throw .unreadable(service.server, reason: error.message(asked: asked))
    }
    return try await items(at: ranges, in: body)
  }

  func items(at ranges: [Range<Int>], in body: [UInt8]) async throws(SourceError) -> [PageItem] {
    let server = service.server
    return try await PageItems.read(ranges, in: body, as: "post", hiding: service.token) { raw in
      JSONObject(raw).map { XStatus($0) }?.pageItem(on: server, raw: raw)
    }
  }

  /// Compares ids as 64-bit numbers. As texts, or as JSON numbers, they would sort differently.
  private func next(after items: [PageItem], _ cursor: Cursor?) -> Next {
    if items.isEmpty { return .horizon }
    guard let lowest = items.compactMap({ $0.id.flatMap(XPost.number) }).min() else {
      return .refused(reason: "its next page cannot be named")
    }
    if lowest == 0 { return .horizon }
    if let asked = cursor.flatMap({ XPost.number($0.value) }), lowest > asked {
      return .astray(reason: "its pages do not move on")
    }
    return .after(Cursor(String(lowest - 1)))
  }
}
