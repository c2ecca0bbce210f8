import FoundationEssentials
import HTTP
import Markup
import Posts

/// Finds the feed for an address, which is either the feed's own or that of a page that names a feed.
public struct FeedFinder: Sendable {
  private let transport: Transport
  private let time: TimeSource

  /// Creates a finder that uses the network.
  public init(transport: Transport, time: TimeSource) {
    self.transport = transport
    self.time = time
  }

  /// The address at which a feed was read. Throws `SourceError.noFeed` if the page names none.
  public func address(of feed: Feed) async throws(SourceError) -> String {
    let fetch = FeedFetch(server: feed.server, transport: transport)
    let answer = try await fetch.get(feed.value, since: nil)
    if let error = FeedAnswer.error(in: answer.response, from: feed.server, at: answer.address, time: time) {
      throw error
    }
    do {
      _ = try read(answer)
      return feed.value
    } catch {
      guard error.isPage else { throw .unreadable(feed.server, reason: error.reason) }
    }
    let page = Server(answer.address) ?? feed.server
    if let named = try await readable(named(by: answer.response.body, at: answer.address), of: page) { return named }
    if let guess = Self.guess(answer.address), let answer = try? await fetch.get(guess, since: nil),
      answer.response.status == 200, (try? read(answer)) != nil
    {
      return guess
    }
    throw .noFeed(feed.server)
  }

  /// The first address that has a feed; nil if there are no addresses. Pages often name feeds that are gone. If none
  /// has a feed, throws the error of the first.
  private func readable(_ addresses: [String], of page: Server) async throws(SourceError) -> String? {
    var failure: SourceError?
    for address in addresses {
      guard let server = Server(address) else { continue }
      do throws(SourceError) {
        try await check(address, on: server, referrer: page)
        return address
      } catch {
        if error == .cancelled { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return nil
  }

  /// The page chose the address, not the person. No login is sent there, and only a page in a private network may lead
  /// into one.
  private func check(_ address: String, on server: Server, referrer page: Server) async throws(SourceError) {
    let answer = try await FeedFetch(server: page, transport: transport).get(address, since: nil)
    if let error = FeedAnswer.error(in: answer.response, from: server, at: answer.address, time: time) { throw error }
    if (try? read(answer)) == nil { throw .unreadable(server, reason: "what the page names as its feed is none") }
  }

  private func read(_ answer: FeedFetch.Answer) throws(FeedDocument.Fault) -> FeedDocument {
    try FeedDocument.read(
      answer.response.body, contentType: answer.response.headers["Content-Type"], at: answer.address)
  }

  private static let types = [
    "application/atom+xml", "application/rss+xml", "application/feed+json", "application/rdf+xml", "application/json",
    "application/xml", "text/xml",
  ]

  private static let mostNamed = 3

  /// The first feeds that a page names in its head. A comments feed counts only if the page names no other.
  private func named(by page: [UInt8], at address: String) -> [String] {
    let tags = StartTags.find(["base", "link"], in: page, most: 10_000)
    let base = tags.first { $0.name == "base" }.flatMap { FeedAddress.resolve($0["href"], against: address) } ?? address
    let links = tags.filter { tag in
      let relations = tag["rel"]?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
      let type = tag["type"]?.lowercased().prefix { $0 != ";" }.trimmed ?? ""
      let isOther = type == "application/json" && tag["href"]?.contains("wp-json") == true
      return tag.name == "link" && relations.contains("alternate") && Self.types.contains(type) && !isOther
    }
    let found = links.compactMap { tag in
      FeedAddress.resolve(tag["href"], against: base).map { (url: $0, isComments: Self.isOfComments(tag)) }
    }
    let posts = found.filter { !$0.isComments }
    return (posts.isEmpty ? found : posts).prefix(Self.mostNamed).map(\.url)
  }

  private static func isOfComments(_ tag: StartTag) -> Bool {
    [tag["title"], tag["href"]].contains { $0?.lowercased().contains("comment") ?? false }
  }

  /// The feed addresses that fediverse servers use for a tag's or a person's page, because the pages need not name
  /// them.
  private static func guess(_ address: String) -> String? {
    guard var parts = URLComponents(webAddress: address) else { return nil }
    let steps = parts.path.split(separator: "/")
    guard (steps.count == 2 && steps[0] == "tags") || (steps.count == 1 && steps[0].hasPrefix("@")) else { return nil }
    parts.path = "/\(steps.joined(separator: "/")).rss"
    (parts.query, parts.fragment) = (nil, nil)
    return Bounds.webAddress(parts.string)
  }
}
