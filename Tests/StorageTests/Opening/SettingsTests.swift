import Blobs
import Foundation
import Posts
import Testing

@testable import Storage

struct SettingsTests {
  @Test func `a setting stays until it is changed or taken away`() throws {
    let store = try TestLibrary().store
    #expect(try store.setting("view") == nil)
    try store.set("view", to: "list")
    try store.set("view", to: "grid")
    try store.set("avatars", to: "off")
    #expect(try store.settings() == ["view": "grid", "avatars": "off"])
    try store.set("view", to: nil)
    #expect(try store.settings() == ["avatars": "off"])
  }

  @Test func `the stats count what is there`() throws {
    let library = try TestLibrary()
    let bad = PageItem(id: nil, content: .unreadable(reason: "no"), raw: [1])
    let pictured = post(2, tags: ["cats", "dogs"], attachments: [picture("a"), picture("b")])
    try library.pull([Page(items: [item(post(3)), item(pictured), item(post(1)), bad], next: .end)])
    try library.store.delete([1], now: noon)
    let tasks = try library.store.pictures(ofPosts: [2], now: noon)
    try library.store.attach(
      [(tasks[0], StoredBlob(id: BlobID(hashing: [1]), byteCount: 5))],
      now: noon
    )
    var expected = LibraryStats()
    (expected.posts, expected.deleted, expected.authors, expected.tags) = (2, 1, 1, 2)
    (expected.feeds, expected.unreadable, expected.blobs, expected.blobBytes) = (1, 1, 1, 5)
    expected.pictures = [.stored: 1, .pending: 1]
    (expected.oldest, expected.newest) = (post(1).createdAt, post(2).createdAt)
    #expect(try library.store.stats() == expected)
  }
}
