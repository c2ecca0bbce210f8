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

  private final class OneFile: ImportTree, ImportFile {
    let name = "follows.opml"
    let path = "follows.opml"
    let passedOver: [String: Int] = [:]
    let isRandomAccess = true
    var byteCount: Int? { bytes.count }
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func eachFile(_ body: (any ImportFile) throws -> Bool) throws { _ = try body(self) }
    func eachFile(named paths: [String], _ body: @Sendable (any ImportFile) throws -> Void) throws {}
    func read(upTo most: Int) throws -> [UInt8] {
      defer { offset = min(bytes.count, offset + most) }
      return Array(bytes[offset..<min(bytes.count, offset + most)])
    }
  }

  @Test func `every feed of a long list is read, and a longer one than can be read is refused`() throws {
    let outlines = (0..<60_000).map {
      "<outline type=\"rss\" text=\"a blog\" xmlUrl=\"https://a\($0).example/feed.xml\"/>"
    }
    let list = "<opml version=\"2.0\"><body>\(outlines.joined(separator: "\n"))</body></opml>"
    #expect(list.utf8.count > 4 << 20)
    let read = try #require(try FollowsFile(OneFile(Array(list.utf8))))
    #expect(read.entries.count == outlines.count)
    let endless = Array("<opml>".utf8) + [UInt8](repeating: 0x20, count: 129 << 20)
    #expect(throws: ImportError.tooLong(path: "follows.opml", longest: 128 << 20)) {
      try FollowsFile(OneFile(endless))
    }
  }

  @Test func `a list without its end is cut`() throws {
    let list = "<opml version=\"2.0\"><body><outline xmlUrl=\"https://a.example/feed\"/></body></OPML>\n<!-- > -->\n"
    for (bytes, isCut) in [(Array(list.utf8), false), (Array(list.utf8.dropLast(20)), true)] {
      let read = try #require(try FollowsFile(OneFile(bytes)))
      #expect(read.entries.count == 1 && read.isCut == isCut)
    }
  }

  @Test func `a library that follows nothing has a document without outlines`() throws {
    #expect(try outlines(OPMLDocument([], titles: [:]).text).isEmpty)
  }
}
