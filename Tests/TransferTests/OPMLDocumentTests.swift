import Foundation
import FoundationXML
import Posts
import Services
import Storage
import Testing

@testable import Transfer

@Suite struct OPMLDocumentTests {
  private final class Outlines: NSObject, XMLParserDelegate {
    var found: [[String: String]] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) { if name == "outline" { found.append(attributes) } }
  }

  private func outlines(_ text: String) throws -> [[String: String]] {
    let outlines = Outlines()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = outlines
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
    return outlines.found
  }

  private func follow(_ kind: Feed.Kind, _ value: String, every: Duration? = nil) throws -> Follow {
    let server = try #require(Server(kind == .url ? "https://blog.example" : "https://mastodon.social"))
    let feed = Feed(source: kind == .url ? .feed : .usual, kind: kind, value: value, server: server)
    return Follow(feed: feed, every: every, schedule: .init(interval: .seconds(900), dueAt: nil))
  }

  @Test func `a feed with an address is one for every reader, another is known by its name`() throws {
    let address = "https://blog.example/feed?a=1&b=\"<x>"
    let follows = [
      try follow(.url, address), try follow(.tag, "cats", every: .seconds(3600)), try follow(.search, "red <panda>"),
    ]
    let document = OPMLDocument(follows, titles: [address: "A <blog> & \u{1}more"])
    let found = try outlines(document.text)
    #expect(found.count == 3)
    #expect(found[0]["type"] == "rss" && found[0]["xmlUrl"] == address)
    #expect(found[0]["text"] == "A <blog> & more" && found[0]["title"] == "A <blog> & more")
    #expect(found[1]["media:feed"] == "tag:cats@mastodon.social" && found[1]["media:every"] == "3600s")
    #expect(found[1]["xmlUrl"] == nil)
    #expect(found[2]["media:feed"] == "search:red <panda>@mastodon.social")
  }

  @Test func `a library that follows nothing has a document without outlines`() throws {
    #expect(try outlines(OPMLDocument([], titles: [:]).text).isEmpty)
  }
}
