import Posts
import Storage
import Web

/// Followed feeds as OPML 2.0 (http://opml.org/spec2.opml).
///
/// Other readers of feeds take those that have an address. A tag, a user or a search has none: its outline carries its name
/// in a namespace of its own, so that `media import` knows it again.
package struct OPMLDocument {
  /// The namespace of the attributes `feed` and `every`.
  package static let namespace = "tag:media.invalid,2026:opml"

  /// The document.
  package let text: String

  /// A document of feeds.
  ///
  /// - Parameters:
  ///   - follows: The followed feeds.
  ///   - titles: The titles of feeds that have one, by the feeds' names.
  package init(_ follows: [Follow], titles: [String: String]) {
    let outlines = follows.map { Self.outline($0, title: titles[$0.feed.name]) }
    let document: HTML = """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0" xmlns:media="\(Self.namespace)">
      <head><title>Followed feeds</title></head>
      <body>
      \(HTML.joined(outlines))</body>
      </opml>

      """
    text = document.markup
  }

  private static func outline(_ follow: Follow, title: String?) -> HTML {
    let feed = follow.feed
    let words = XMLText.legal(title ?? feed.name)
    let every: HTML = follow.every.map { " media:every=\"\($0.components.seconds)s\"" } ?? ""
    let path: HTML =
      switch feed.kind {
      case .url: " type=\"rss\" title=\"\(words)\" xmlUrl=\"\(XMLText.legal(feed.value))\""
      default: " type=\"media\" media:feed=\"\(XMLText.legal(feed.name))\""
      }
    return "<outline text=\"\(words)\"\(path)\(every)/>\n"
  }
}
