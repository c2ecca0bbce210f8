import Blobs
import FeedDocuments
import Foundation
import Machine
import Markup
import Posts
import Storage
import Testing

@testable import Services
@testable import Transfer

@Suite struct ExportedFeedTests {
  private let picture = StoredAttachment(
    id: 1, kind: .image, url: "https://photos.example/1.png?a=1&b=2", previewURL: nil, alt: "two \"cats\"", width: 3,
    height: 2, blurhash: nil, blob: BlobID(hashing: [1]), byteCount: 77, mediaType: "image/png", state: .stored,
    failure: nil, nextTryAt: nil, name: nil)

  private var posts: [StoredPost] {
    [
      samplePost(3, title: "A <title>", caption: "one\ntwo\n\nthree & <b>", tags: ["cats", "red panda"]),
      samplePost(
        2, caption: "\u{0}\u{FFFE}<script>alert(1)</script> ]]>", language: "de", editedAt: "2026-02-02T00:00:00Z",
        attachments: [picture]),
      samplePost(1, source: "manual", uri: "urn:diary:1", caption: "by hand"),
    ]
  }

  private func written<Document: FeedWriting>(_ format: Document.Type, _ posts: [StoredPost]) -> String {
    var feed = ExportedFeed<Document>(FeedFacts(id: "tag:media.invalid,2026:export?x", title: "All <posts>"))
    return posts.reduce(into: feed.head) { $0 += feed.text(of: $1) } + feed.tail
  }

  private func texts(_ posts: [StoredPost]) -> [String] {
    [written(AtomDocument.self, posts), written(JSONFeedDocument.self, posts)]
  }

  @Test func `the product's own reader reads an exported feed back as it is stored`() throws {
    var posts = posts
    let license = "https://creativecommons.org/licenses/by/4.0/"
    posts[0].license = License(rawValue: license)
    for text in texts(posts) {
      let feed = try FeedDocument.read(Array(text.utf8), contentType: nil, at: "https://feeds.example/x")
      #expect(feed.title == "All <posts>")
      #expect(feed.entries.map(\.id) == posts.map(\.uri))
      #expect(feed.entries.map(\.published) == posts.map(\.createdAt))
      #expect(feed.entries.map(\.tags) == posts.map(\.tags))
      #expect(feed.entries.prefix(2).map(\.link) == posts.prefix(2).map(\.url))
      #expect(feed.entries.map { $0.author?.name } == ["Birds", "Birds", "Birds"])
      #expect(feed.entries[0].title == "A <title>")
      // JSON Feed has no place for it.
      #expect(feed.entries.map(\.license) == [text.hasPrefix("<?xml") ? license : nil, nil, nil])
      #expect(feed.entries[1].language == "de")
      #expect(feed.entries[1].updated == UTC.date("2026-02-02T00:00:00Z"))
      #expect(feed.entries[1].media.map(\.url) == ["https://photos.example/1.png?a=1&b=2"])
      let captions = feed.entries.map { Caption.plainText(html: $0.html ?? "") }
      // Where a picture stands in the text, its alt text does.
      let pictured = "<script>alert(1)</script> ]]>\n\ntwo \"cats\""
      #expect(captions == ["one\ntwo\n\nthree & <b>", pictured, "by hand"])
      #expect(!text.contains("<script"))
    }
  }

  @Test func `an enclosure says its type and its length`() throws {
    let texts = texts(posts)
    #expect(texts[0].contains("rel=\"enclosure\" type=\"image/png\" length=\"77\" title=\"two &quot;cats&quot;\""))
    let feed = try #require(
      try JSONSerialization.jsonObject(with: Data(texts[1].utf8)) as? [String: any Sendable])
    let items = try #require(feed["items"] as? [[String: any Sendable]])
    let file = try #require((items[1]["attachments"] as? [[String: any Sendable]])?.first)
    #expect(file["mime_type"] as? String == "image/png" && file["size_in_bytes"] as? Int == 77)
    #expect(feed["version"] as? String == "https://jsonfeed.org/version/1.1")
  }

  @Test func `a feed without posts is a feed`() throws {
    for text in texts([]) {
      let feed = try FeedDocument.read(Array(text.utf8), contentType: nil, at: "https://feeds.example/x")
      #expect(feed.entries.isEmpty && feed.title == "All <posts>")
    }
  }
}
