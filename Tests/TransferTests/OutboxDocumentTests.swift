import Blobs
import Foundation
import Posts
import Services
import Storage
import Testing

@testable import Transfer

@Suite struct OutboxDocumentTests {
  private typealias Object = [String: any Sendable]

  private func outbox(_ posts: [StoredPost]) throws -> Object {
    var document = OutboxDocument()
    let text = try posts.reduce(into: document.head) { $0 += try document.text(of: $1) } + document.tail
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
  }

  @Test func `a post is a public note with its warning, text, tags and pictures`() throws {
    let picture = StoredAttachment(
      id: 1, kind: .image, url: "https://photos.example/1.png", previewURL: nil, alt: "a cat", width: 3, height: 2,
      blurhash: "LEHV6nWB2yk8", blob: nil, byteCount: nil, mediaType: "image/png", state: .pending, failure: nil,
      nextTryAt: nil, name: nil)
    let post = samplePost(
      7, caption: "one & <b>\ntwo\n\nthree", warning: "Spiders", sensitive: true, language: "en", tags: ["cats"],
      attachments: [picture])
    let outbox = try outbox([post])
    #expect(outbox["type"] as? String == "OrderedCollection" && outbox["totalItems"] as? Int == 1)
    let create = try #require((outbox["orderedItems"] as? [Object])?.first)
    #expect(create["type"] as? String == "Create")
    let actor = try #require(create["actor"] as? Object)
    #expect(actor["id"] as? String == "https://photos.example/users/birds")
    #expect(actor["url"] as? String == "https://photos.example/@birds")
    #expect(create["to"] as? [String] == ["https://www.w3.org/ns/activitystreams#Public"])
    let note = try #require(create["object"] as? Object)
    #expect(note["id"] as? String == "https://photos.example/posts/7")
    #expect(note["attributedTo"] as? String == "https://photos.example/users/birds")
    #expect(note["summary"] as? String == "Spiders" && note["sensitive"] as? Bool == true)
    let content = "<p>one &amp; &lt;b&gt;<br>two</p><p>three</p>"
    #expect(note["content"] as? String == content)
    #expect(note["contentMap"] as? [String: String] == ["en": content])
    #expect(note["published"] as? String == "2026-01-02T03:04:05.000Z")
    #expect((note["tag"] as? [Object])?.first?["name"] as? String == "#cats")
    let file = try #require((note["attachment"] as? [Object])?.first)
    #expect(file["mediaType"] as? String == "image/png" && file["name"] as? String == "a cat")
    #expect(file["blurhash"] as? String == "LEHV6nWB2yk8" && file["width"] as? Int == 3)
  }

  @Test func `a post of one's own is addressed to nobody`() throws {
    let outbox = try outbox([samplePost(1, source: "manual", uri: "urn:diary:1"), samplePost(2)])
    let items = try #require(outbox["orderedItems"] as? [Object])
    #expect(items.map { ($0["to"] as? [String])?.count } == [0, 1])
    #expect(items.map { $0["id"] as? String } == ["urn:diary:1/activity", "https://photos.example/posts/2/activity"])
  }

  private static let everybody = "https://www.w3.org/ns/activitystreams#Public"
  private static let followers = "https://photos.example/users/birds/followers"

  @Test(
    arguments: [
      (nil, [everybody], []), (.public, [everybody], [followers]), (.unlisted, [followers], [everybody]),
      (.followers, [followers], []), (.direct, [], []), (.local, ["https://photos.example/#Public"], []),
      (.pending, [], []),
    ] as [(Visibility?, [String], [String])])
  func `a post is addressed to those who may see it`(visibility: Visibility?, to: [String], cc: [String]) throws {
    let outbox = try outbox([samplePost(1, visibility: visibility)])
    let create = try #require((outbox["orderedItems"] as? [Object])?.first)
    let note = try #require(create["object"] as? Object)
    for object in [create, note] {
      #expect(object["to"] as? [String] == to && object["cc"] as? [String] == cc)
    }
  }

  @Test(arguments: [Visibility.public, .unlisted, .followers, .direct, .local])
  func `a post comes back with its language, its BlurHash, its author's address and those who may see it`(
    visibility: Visibility
  ) throws {
    let picture = StoredAttachment(
      id: 1, kind: .image, url: "https://photos.example/1.png", previewURL: nil, alt: "a cat", width: 3, height: 2,
      blurhash: "LEHV6nWB2yk8", blob: nil, byteCount: nil, mediaType: "image/png", state: .pending, failure: nil,
      nextTryAt: nil, name: nil)
    let author = StoredAuthor(
      id: 1, uri: "https://social.photos.example/users/7", handle: "birds@photos.example", name: "Birds",
      url: "https://photos.example/@birds", avatarURL: nil, avatar: nil)
    var document = OutboxDocument()
    let text = try document.text(
      of: samplePost(1, language: "de-AT", visibility: visibility, author: author, attachments: [picture]))
    let form = try #require(Catalogue.archives.first { $0.name == "mastodon" })
    guard
      case .post(let found, files: _) = form.read(Array(text.utf8), .init(document: "outbox.json", owner: nil)).first
    else {
      throw Unread()
    }
    let post = try #require(found.item.post)
    #expect(post.visibility == visibility && found.isPrivate == !(visibility as Visibility?).isPublishable)
    #expect(post.language == "de-AT" && post.attachments.map(\.blurhash) == ["LEHV6nWB2yk8"])
    #expect(
      post.author
        == Author(
          uri: "https://social.photos.example/users/7", handle: "birds@photos.example", name: "Birds",
          url: "https://photos.example/@birds"))
  }

  private struct Unread: Error {}

  @Test func `an author of whom no address is known comes back by the handle`() throws {
    let author = StoredAuthor(
      id: 1, uri: "acct:birds@photos.example", handle: "birds@photos.example", name: "Birds", url: nil, avatarURL: nil,
      avatar: nil)
    var document = OutboxDocument()
    let text = try document.text(of: samplePost(1, author: author))
    let form = try #require(Catalogue.archives.first { $0.name == "mastodon" })
    guard
      case .post(let found, files: _) = form.read(Array(text.utf8), .init(document: "outbox.json", owner: nil)).first
    else {
      throw Unread()
    }
    #expect(
      found.item.post?.author
        == Author(uri: "acct:birds@photos.example", handle: "birds@photos.example", name: "Birds"))
  }

  @Test func `an outbox without posts is a collection`() throws {
    #expect(try outbox([])["totalItems"] as? Int == 0)
  }
}
