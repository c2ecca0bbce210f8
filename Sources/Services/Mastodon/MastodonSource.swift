import Foundation
import HTTP
import Posts

/// Mastodon's client API, as Mastodon, Pixelfed, GoToSocial, Akkoma and others speak it.
///
/// It keeps nothing between two calls. It asks its own server only, and builds each address itself.
public struct MastodonSource: Source {
  /// The most posts a server gives at once.
  public static let largestPage = 40

  private let server: Server
  private let token: Secret?
  private let transport: Transport
  private let time: Timekeeper

  /// A source that asks `server`, as the owner of `token` or as nobody.
  public init(server: Server, token: Secret?, transport: Transport, time: Timekeeper) {
    self.server = server
    self.token = token
    self.transport = transport
    self.time = time
  }

  /// The page of a tag's posts after `cursor`, newest first, at most 40; boosts are not among them.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    try await page(of: feed, size: size, cursor.map { ("max_id", $0.value) })
  }

  /// The page just above the status with this id (`min_id`); Pixelfed answers with its newest page instead.
  public func page(of feed: Feed, above id: String, size: Int?) async throws(SourceError) -> Page? {
    try await page(of: feed, size: size, ("min_id", id))
  }

  /// `max_id` takes any status's id, also that of one that is gone.
  public func cursor(below id: String) -> Cursor? { Cursor(id) }

  private func page(
    of feed: Feed,
    size: Int?,
    _ place: (name: String, id: String)?
  ) async throws(SourceError) -> Page {
    let path = try path(of: feed)
    let asked = min(max(1, size ?? Self.largestPage), Self.largestPage)
    var query = [("limit", String(asked))]
    if let place { query.append((place.name, place.id)) }
    let request = Request(
      .get,
      Request.address(server.origin + path, query),
      headers: ["Accept": "application/json"],
      token: token,
      limit: Bounds.page
    )
    let response: Response
    do {
      response = try await transport.send(request)
    } catch {
      throw SourceError(error, from: server)
    }
    let what = words(for: feed)
    if let error = MastodonAnswer.error(in: response, from: server, token: token, what: what, time: time) {
      throw error
    }
    return try page(in: response, after: place.flatMap { $0.name == "max_id" ? Cursor($0.id) : nil }, asked: asked)
  }

  private func page(in response: Response, after cursor: Cursor?, asked: Int) throws(SourceError) -> Page {
    let items = try items(in: response.body, asked: asked)
    let links = LinkHeader.parse(response.headers.all("Link"))
    do {
      let next = try MastodonPaging.next(after: cursor, items: items, links: links, server: server)
      return Page(items: items, next: next)
    } catch {
      throw .unreadable(server, reason: error.reason)
    }
  }

  /// The places of a page, each read by itself. Many can take a while, so that a stopped pull is looked for between.
  private func items(in body: [UInt8], asked: Int) throws(SourceError) -> [PageItem] {
    let places: [Range<Int>]
    do {
      places = try JSONSlices.elements(of: body, most: Bounds.posts)
    } catch {
      throw .unreadable(server, reason: MastodonAnswer.words(for: error, body, asked: asked, token: token))
    }
    let decoder = JSONDecoder()
    var items: [PageItem] = []
    for place in places {
      if Task.isCancelled { throw .cancelled }
      items.append(item(Array(body[place]), decoder))
    }
    return items
  }

  private func item(_ raw: [UInt8], _ decoder: JSONDecoder) -> PageItem {
    guard raw.count <= Bounds.post else {
      return PageItem(id: nil, content: .unreadable(reason: "it is longer than \(Bounds.post) bytes"), raw: raw)
    }
    guard let status = try? decoder.decode(MastodonStatus.self, from: Data(raw)) else {
      return PageItem(id: nil, content: .unreadable(reason: "it is no status"), raw: raw)
    }
    return status.pageItem(on: server, raw: raw)
  }

  private func path(of feed: Feed) throws(SourceError) -> String {
    switch feed.kind {
    case .tag: "/api/v1/timelines/tag/\(Request.percentEncoded(feed.value))"
    case .user, .search, .url: throw .notFound(server, what: "timeline for \(words(for: feed))")
    }
  }

  private func words(for feed: Feed) -> String { "\(feed.kind.rawValue) \(Bounds.reason(feed.value))" }
}
