import FoundationEssentials
import HTTP
import Posts

/// RSS, Atom and JSON Feed.
///
/// A feed shows its newest items and nothing below them: its one page ends at a horizon, not at the end. The pull
/// continues only if the feed names a document with older items (RFC 5005, `next_url`). The source keeps nothing
/// between two calls.
public struct FeedSource: Source {
  private let server: Server
  private let transport: Transport
  private let time: TimeSource

  /// Creates a source for `server`. Feeds have no tokens, so none is ever sent.
  public init(server: Server, token: Secret?, transport: Transport, time: TimeSource) {
    self.server = server
    self.transport = transport
    self.time = time
  }

  /// All items that the feed shows. `size` is ignored.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    try await page(of: feed, after: cursor, size: size, since: nil)
  }

  /// The items that the feed shows; none if nothing changed since the visit.
  public func page(
    of feed: Feed, after cursor: Cursor?, size: Int?, since visit: Visit?
  ) async throws(SourceError) -> Page {
    guard feed.kind == .url else { throw .notFound(server, what: "timeline for \(feed.kind.rawValue)s") }
    guard let cursor else { return try await newest(feed, since: visit) }
    guard let address = FeedAddress.address(of: cursor, from: visit?.location ?? feed.value) else {
      throw .notFound(server, what: "page \(Bounds.reason(cursor.value))")
    }
    var answer = try await FeedFetch(server: server, transport: transport).get(address, since: nil)
    return try page(of: feed, in: &answer, asked: cursor).page
  }

  private func newest(_ feed: Feed, since visit: Visit?) async throws(SourceError) -> Page {
    let address = visit?.address ?? feed.value
    var answer = try await FeedFetch(server: server, transport: transport).get(address, since: visit)
    if answer.response.status == 304 {
      guard visit?.isOf(answer.address) == true else {
        throw .unreadable(server, reason: "it is said not to have changed")
      }
      return Page(
        items: [], next: .horizon, visit: Visit(answer, of: address, earlier: visit, title: nil),
        requestedDelay: RequestedDelay(answer.response.headers, now: time.now()))
    }
    var (page, title) = try page(of: feed, in: &answer, asked: nil)
    page.visit = Visit(answer, of: address, earlier: visit, title: title)
    return page
  }

  /// Converts an answer to a page and releases its body, which may be as long as everything made from it.
  private func page(
    of feed: Feed, in answer: inout FeedFetch.Answer, asked cursor: Cursor?
  ) throws(SourceError) -> (page: Page, title: String?) {
    if let error = FeedAnswer.error(in: answer.response, from: server, at: answer.address, time: time) { throw error }
    var document: FeedDocument
    do {
      document = try FeedDocument.read(
        answer.response.body, contentType: answer.response.headers["Content-Type"], at: answer.address)
    } catch {
      throw .unreadable(server, reason: FeedAnswer.shown(error.reason, of: feed))
    }
    if Task.isCancelled { throw .cancelled }
    let now = time.now()
    document.forgetDates(after: now.addingTimeInterval(86_400))
    answer.response.body = []
    let next = next(document, at: answer.address, asked: cursor)
    let title = document.title.flatMap { Bounds.line($0) }
    var requestedDelay = RequestedDelay(answer.response.headers, now: now) ?? RequestedDelay()
    requestedDelay.suggested = [requestedDelay.suggested, document.requestedDelay].compactMap(\.self).max()
    var mapping = FeedMapping(document, of: feed, isForOne: answer.response.hasLogin, now: now)
    document.entries = []
    var page = Page(items: mapping.items(), next: next, requestedDelay: requestedDelay)
    (page.misdated, page.shortened) = (mapping.misdated, mapping.shortened)
    if document.leftOut > 0 {
      let reason = "it stands for \(document.leftOut) items, which are more than are read of one document"
      page.items.append(PageItem(id: nil, content: .unreadable(reason: reason), raw: []))
    }
    return (page, title)
  }

  /// What follows a document. An older document that names none below it counts as the last, and so does one that says
  /// that it is complete. The newest document alone ends at the horizon, and so does one that names itself or the cursor
  /// again. A document that was not read completely is not the last, and its next page is dropped, so that no gap is
  /// skipped.
  private func next(_ document: FeedDocument, at address: String, asked cursor: Cursor?) -> Next {
    if document.isPartial { return .horizon }
    guard let next = document.next, WebIdentity.key(of: next) != WebIdentity.key(of: address) else {
      return document.next == nil && (cursor != nil || document.isComplete) ? .end : .horizon
    }
    guard let found = FeedAddress.cursor(to: next, from: address) else {
      return .refused(reason: "its next page lies on another server")
    }
    return found == cursor ? .horizon : .after(found)
  }
}

/// Interprets an answer before its items are read.
enum FeedAnswer {
  /// The error in the answer; nil if it may hold a feed.
  static func error(in response: Response, from server: Server, at address: String, time: TimeSource) -> SourceError? {
    if response.protection != nil { return .blocked(server) }
    let what = "feed at \(Bounds.reason(shown(address)))"
    switch response.status {
    case 401, 403, 407: return .closed(server, what: what, reason: "status \(response.status)")
    case 410: return .gone(server, what: what)
    case 503:
      let now = time.now()
      let until = RateLimit(headers: response.headers, now: now).retryAt
      // A server that named a moment soon was asked again at that moment, and failed again.
      if let until, until >= now.addingTimeInterval(60) { return .rateLimited(server, until: until, asked: now) }
      return .serverFailed(server, status: 503)
    default:
      return SourceError(response, from: server, hasToken: false, what: what, reason: nil, time: time)
    }
  }

  /// A reason, unless it repeats the query of the feed's address, which may hold a key.
  static func shown(_ reason: String, of feed: Feed) -> String {
    let values = URLComponents(webAddress: feed.value)?.queryItems?.compactMap(\.value) ?? []
    return values.contains { $0.count >= 6 && Secret($0).occurs(in: reason) } ? "it is not a feed" : reason
  }

  /// The path alone: the query may hold a key.
  private static func shown(_ address: String) -> String {
    let path = URLComponents(webAddress: address)?.path ?? ""
    return path.isEmpty ? "/" : path
  }
}
