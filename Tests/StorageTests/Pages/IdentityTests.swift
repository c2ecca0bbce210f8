import Blobs
import Foundation
import Posts
import Testing

@testable import Storage

/// Which posts are the same, and which server's data wins.
struct IdentityTests {
  private let local = Feed(source: .usual, kind: .tag, value: "cats", server: birds)

  @Test func `another server's version of a post is not stored`() throws {
    let library = try TestLibrary()
    let other = Server("https://mirror.example")!
    try library.pull([post(1, caption: "as first shown")])
    let saved = try library.pull([post(1, caption: "as mirrored", by: "Fake", server: other, tags: ["spam"])])
    #expect(saved.unchanged == 1)
    let stored = try library.store.posts()[0]
    #expect(stored.caption == "as first shown")
    #expect(stored.author?.name == "Ada")
    #expect(stored.tags == ["cats"])
  }

  @Test func `the version of the author's own server replaces others`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, caption: "as copied")])
    #expect(try library.pull([post(1, caption: "as written", server: birds)], of: local).updated == 1)
    #expect(try library.pull([post(1, caption: "as copied")]).unchanged == 1)
    let stored = try library.store.posts()[0]
    #expect(stored.caption == "as written")
    #expect(stored.server == "https://birds.example")
    #expect(stored.remoteID == "birds.example-1")
  }

  @Test func `a picture keeps its bytes when its post's own server shows it at another address`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, attachments: [picture("cached", id: "9")])])
    let before = try library.lines("SELECT id FROM attachment")
    var own = picture("original", id: "1")
    own.previewURL = "https://birds.example/small.jpg"
    #expect(try library.pull([post(1, server: birds, attachments: [own])], of: local).unchanged == 1)
    #expect(try library.lines("SELECT id FROM attachment") == before)
    #expect(
      try library.lines("SELECT url, alternate_url FROM attachment")
        == ["https://files.example/original.jpg|https://files.example/cached.jpg"]
    )
  }

  @Test func `a second server's picture address is an alternate to try`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, server: birds, attachments: [picture("original")])], of: local)
    #expect(try library.pull([post(1, attachments: [picture("cached")])]).unchanged == 1)
    let tasks = try library.store.pictures(ofPosts: [1], now: noon)
    #expect(tasks.map(\.urls) == [["https://files.example/original.jpg", "https://files.example/cached.jpg"]])
  }

  @Test func `a post is also found by its page's address`() throws {
    let library = try TestLibrary()
    try library.pull([post(1)])
    var byPage = post(1)
    byPage.uri = "https://birds.example/@ada/1"
    byPage.url = nil
    #expect(try library.pull([byPage]).new == 0)
    #expect(try library.lines("SELECT count(*) FROM post") == ["1"])
  }

  @Test func `posts that share an address stay separate posts`() throws {
    let library = try TestLibrary()
    let posts = [3, 2, 1].map { number in
      var made = post(number, server: birds)
      made.url = "https://birds.example/@ada"
      return made
    }
    #expect(try library.pull(posts, of: local).new == 3)
    #expect(try library.pull(posts, of: local).unchanged == 3)
    #expect(try library.store.posts().map(\.caption) == ["post 3", "post 2", "post 1"])
  }

  @Test func `another server's picture and its kind are stored if the first one had none`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, server: birds, attachments: [Attachment(kind: .file, url: nil)])], of: local)
    #expect(try library.pull([post(1, attachments: [picture("cached")])]).unchanged == 1)
    let tasks = try library.store.pictures(ofPosts: [1], now: noon)
    #expect(tasks.map(\.urls) == [["https://files.example/cached.jpg"]])
    #expect(tasks.map(\.kind) == [.image])
    let again = try library.pull([post(1, server: birds, attachments: [Attachment(kind: .file, url: nil)])], of: local)
    #expect(again.unchanged == 1)
    #expect(try library.store.pictures(ofPosts: [1], now: noon) == tasks)
  }

  @Test func `a file keeps its bytes when the own server names its kind`() throws {
    let library = try TestLibrary()
    let blob = StoredBlob(id: BlobID(hashing: [1]), byteCount: 1)
    var nameless = picture("cached", id: "9")
    nameless.kind = .file
    try library.pull([post(1, attachments: [nameless])])
    try library.store.attach([(try library.store.pictures(ofPosts: [1], now: noon)[0], blob)], now: noon)
    try library.pull([post(1, server: birds, attachments: [picture("original", id: "1")])], of: local)
    let attachment = try library.store.posts()[0].attachments[0]
    #expect(attachment.kind == .image)
    #expect(attachment.blob == blob.id)
  }

  @Test func `no post can claim to be another server's`() throws {
    let library = try TestLibrary()
    var thief = post(1, caption: "stolen")
    thief.uri = "https://evil.example/1"
    thief.author = Author(uri: "https://evil.example/u", handle: "eve@evil.example", name: "Eve")
    try library.pull([thief])
    #expect(try library.pull([post(1)]).new == 1)
    #expect(Set(try library.store.posts().map(\.caption)) == ["stolen", "post 1"])
  }

  @Test(arguments: [
    ("https://Birds.Example/users/1", "birds.example"), ("http://a:8080/x", "a:8080"),
    ("https://u:p@h.example?q", "h.example"),
    ("tag:photos.example,2020:1", "photos.example"),
  ])
  func `the host of an identity is read without its trimmings`(address: String, host: String) {
    #expect(WebAddress.host(of: address) == host)
  }

  @Test(arguments: [
    ("https://f.example/a.jpg?Signature=1&Expires=2", "https://f.example/a.jpg?Signature=3&Expires=4"),
    ("https://f.example/a.jpg?v=1&X-Amz-Date=1&X-Amz-Signature=2", "https://f.example/a.jpg?v=1&X-Amz-Signature=3"),
    ("https://f.example/a.jpg?oh=1&oe=2", "https://f.example/a.jpg?oh=3&oe=4"),
    ("https://f.example/a.jpg?token=1", "https://f.example/a.jpg?sig=2#top"),
  ])
  func `a link that is only signed anew leads to the same file`(one: String, other: String) {
    #expect(WebAddress.sameFile(one, other))
  }

  @Test(arguments: [
    ("https://f.example/a.jpg?v=1", "https://f.example/a.jpg?v=2"),
    ("https://f.example/a.jpg", "https://f.example/a.jpg?v=2"),
    ("https://f.example/get?file=1&sig=x", "https://f.example/get?file=2&sig=x"),
  ])
  func `a query that names the file names another one when it changes`(one: String, other: String) {
    #expect(!WebAddress.sameFile(one, other))
  }

  @Test(arguments: ["", "urn:uuid:1", "no address", "https://", "https:///path"])
  func `text without a host has no host`(address: String) {
    #expect(WebAddress.host(of: address) == nil)
  }
}
