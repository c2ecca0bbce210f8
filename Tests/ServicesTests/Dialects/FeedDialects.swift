import Foundation
import HTTP
import Posts
import Services

extension Dialect {
  static let atom = feed(
    "Atom", "atom.xml", next: #"<link rel="next" href="%"/>"#, before: "<entry>", entry: "<id>%</id>",
    apiError: "<error>Over quota</error>")
  static let rss = feed(
    "RSS", "rss.xml", next: #"<atom:link rel="next" href="%"/>"#, before: "<item>",
    entry: #"<guid isPermaLink="true">%</guid>"#, apiError: "<?xml version=\"1.0\"?><status code=\"500\"/>")
  static let jsonFeed = feed(
    "JSON Feed", "feed.json", next: #""next_url": "%", "#, before: #""items""#, entry: #""id": "%""#,
    apiError: #"{"error":"Over quota"}"#)

  /// A dialect of a fixture whose items are `https://birds.example/posts/3`, `2` and `1`; `%` stands for an address.
  private static func feed(
    _ name: String, _ fixture: String, next: String, before mark: String, entry: String, apiError: String
  ) -> Dialect {
    let page = file(fixture, of: .feed)
    let leading = { (page: String, target: String) in
      guard let range = page.range(of: mark) else { return page }
      return page.replacingCharacters(in: range, with: next.replacing("%", with: target) + mark)
    }
    let older = page.replacing("/posts/3", with: "/posts/0").replacing("/posts/2", with: "/posts/00")
      .replacing("/posts/1", with: "/posts/000")
    let address = "https://birds.example/feed?key=\(token)"
    let known = entry.replacing("%", with: "https://birds.example/posts/2")
    return Dialect(
      name: name, source: .feed, feed: Feed(source: .feed, kind: .url, value: address, server: server),
      first: Response(leading(page, "/feed?page=2")),
      last: Response(older),
      empty: Response(Self.withoutItems(page)),
      circle: Response(leading(older, "https://birds.example/feed?page=2")),
      astray: Response(leading(page, "https://evil.example/feed?page=2")),
      leaking: Response(
        leading(page, "https://birds.example/feed?key=\(token)\(mark.hasPrefix("<") ? "&amp;" : "&")page=2")),
      broken: Response(Self.emptied(page, known)),
      apiErrors: [Response(apiError), Response("{}"), Response("[]"), Response("OK")],
      limits: [(["Retry-After": "60"], "2026-11-21T10:01:00Z"), ([:], nil)],
      stranger: .closed(server, what: "feed at /feed", reason: "status 401"),
      gone: .gone(server, what: "feed at /feed"), hasLogin: false)
  }

  /// The page without its items.
  private static func withoutItems(_ page: String) -> String {
    for (open, close) in [("<entry>", "</entry>"), ("<item>", "</item>")] {
      guard let start = page.range(of: open), let end = page.range(of: close, options: .backwards) else { continue }
      return page.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
    }
    guard let start = page.range(of: "\"items\": [") else { return page }
    return page.replacingCharacters(in: start.upperBound..<page.endIndex, with: "]}")
  }

  /// The page with nothing in the item that this text stands in.
  private static func emptied(_ page: String, _ text: String) -> String {
    guard let range = page.range(of: text) else { return page }
    for (open, close) in [("<entry>", "</entry>"), ("<item>", "</item>"), ("\n    {", "\n    }")] {
      guard let start = page.range(of: open, options: .backwards, range: page.startIndex..<range.lowerBound),
        let end = page.range(of: close, range: range.upperBound..<page.endIndex)
      else { continue }
      return page.replacingCharacters(in: start.upperBound..<end.lowerBound, with: "")
    }
    return page
  }
}
