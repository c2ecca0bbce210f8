import Foundation
import Posts
import SQLite
import Testing

@testable import Storage

struct PersonalStateTests {
  @Test func `a deleted post stays deleted after the next pull, and its facts stay current`() throws {
    let library = try TestLibrary()
    let ids = try library.pull([post(2), post(1)]).posts
    #expect(try library.store.delete([ids[0]], now: noon).changed == [ids[0]])
    let again = try library.pull([post(2, caption: "edited"), post(1)])
    var expected = Saved()
    (expected.deleted, expected.unchanged, expected.posts) = (1, 1, [ids[1]])
    expected.known = Known(isTouched: true, overlap: 2)
    #expect(again == expected)
    #expect(try library.store.posts().map(\.id) == [ids[1]])
    #expect(try library.store.restore([ids[0]], now: noon).changed == [ids[0]])
    #expect(try library.store.posts().map(\.caption) == ["edited", "post 1"])
  }

  @Test func `a deleted post stays deleted however it goes and returns`() throws {
    let library = try TestLibrary()
    let other = Feed(source: .usual, kind: .tag, value: "birds", server: birds)
    let id = try library.pull([post(3), post(2), post(1)]).posts[1]
    try library.store.delete([id], now: noon)
    // It is gone upstream, comes back, appears at its own server, and there under its web address.
    try library.pull([post(3), post(1)])
    #expect(try library.pull([post(3), post(2), post(1)]).deleted == 1)
    #expect(try library.pull([post(2, caption: "edited", server: birds)], of: other).deleted == 1)
    var renamed = post(2, server: birds)
    renamed.uri = "https://birds.example/@ada/2"
    #expect(try library.pull([renamed], of: other).deleted == 1)
    #expect(try library.store.posts().count == 2)
    #expect(try library.store.stats().deleted == 1)
    #expect(try library.store.restore([id], now: noon).changed == [id])
    #expect(try library.store.posts().count == 3)
    #expect(try library.pull([post(3), post(1)]).deleted == 0)
    #expect(try library.store.posts().count == 3)
  }

  @Test func `deleting twice changes nothing the second time`() throws {
    let library = try TestLibrary()
    let ids = try library.pull([post(1)]).posts
    #expect(try library.store.restore(ids, now: noon).changed == [])
    #expect(try library.store.delete(ids + ids, now: noon).changed == ids)
    #expect(try library.store.delete(ids, now: noon).changed == [])
  }

  @Test func `an unknown number is reported, and the others are deleted`() throws {
    let library = try TestLibrary()
    let ids = try library.pull([post(1)]).posts
    let deletion = try library.store.delete([404, ids[0], -1], now: noon)
    #expect(deletion == Deletion(changed: ids, unknown: [404, -1]))
  }

  @Test func `restoring a tag brings back what carries it and what its feeds brought`() throws {
    let library = try TestLibrary()
    let ids = try library.pull([post(3, tags: ["dogs"]), post(2, tags: []), post(1)]).posts
    let birdwatch = Feed(source: .usual, kind: .tag, value: "birds", server: social)
    let others = try library.pull([post(9, tags: ["Cats"].map(Feed.tagName)), post(8, tags: [])], of: birdwatch).posts
    try library.store.delete(ids + others, now: noon)
    #expect(try library.store.deletedPosts(of: PostListQuery(tag: "#Cats")) == [others[0]] + ids)
    #expect(try library.store.deletedPosts() == others + ids)
    #expect(try library.store.restore(tag: "#Cats", now: noon).changed == [others[0]] + ids)
    #expect(try library.store.posts().count == 4)
    #expect(try library.store.deletedPosts(of: PostListQuery(tag: "cats")) == [])
    #expect(try library.store.deletedPosts() == [others[1]])
  }

  @Test func `restoring a tag begins with the deleted posts`() throws {
    let library = try TestLibrary()
    try library.pull([post(1)])
    let plan = try library.store.read { db in
      let cats = try #require(try PostPredicate(PostListQuery(tag: "cats", includesDeleted: true), in: db))
      let deleted = PostSelection(source: .deleted, predicate: cats).statement(limit: -1, in: db)
      return try db.rows("EXPLAIN QUERY PLAN \(deleted.sql)", deleted.arguments) { try $0["detail"] as String }
    }
    #expect(plan.first?.contains("post_state_deleted") == true, "\(plan)")
    #expect(!plan.contains { $0.hasPrefix("SCAN p") || $0.contains("post_newest") }, "\(plan)")
  }

  @Test func `a feed's deleted posts are those that it brought`() throws {
    let library = try TestLibrary()
    let ids = try library.pull([post(2), post(1)], of: adas).posts
    let others = try library.pull([post(3)]).posts
    try library.store.delete([ids[0]] + others, now: noon)
    #expect(try library.store.deletedPosts(of: PostListQuery(feed: adas)) == [ids[0]])
  }

  @Test func `a post with a state is never removed`() throws {
    let library = try TestLibrary()
    let ids = try library.pull([post(1)]).posts
    try library.store.delete(ids, now: noon)
    #expect(throws: (any Error).self) { try library.database.write { try $0.execute("DELETE FROM post") } }
  }

  @Test func `a post made by hand is kept with its pictures`() throws {
    let library = try TestLibrary()
    let blob = StoredBlob(
      id: .init(hashing: [1]),
      byteCount: 1,
      mediaType: "image/png",
      width: 10,
      height: 20
    )
    var made = post(1, caption: "A walk", tags: ["walks"], attachments: [Attachment(kind: .image, url: nil)])
    made.author = nil
    made.server = nil
    made.remoteID = nil
    made.url = nil
    let uuid = UUID()
    let id = try library.store.add(made, id: uuid, pictures: [blob], now: noon)
    let stored = try #require(try library.store.post(id))
    #expect(stored.post.uri == "urn:uuid:\(uuid.uuidString.lowercased())")
    #expect(stored.post.source == .manual)
    #expect(stored.post.attachments.map(\.state) == [.stored])
    #expect(stored.post.attachments.map(\.blob) == [blob.id])
    #expect(stored.post.attachments.map(\.height) == [20])
    #expect(stored.raw == nil)
    #expect(try library.store.posts(PostQuery(tag: "walks", search: "wal")).map(\.id) == [id])
    try library.store.delete([id], now: noon)
    try library.pull([post(1)])
    #expect(try library.store.posts().map(\.caption) == ["post 1"])
    try library.store.restore([id], now: noon)
    #expect(try library.store.posts(PostQuery(tag: "walks")).map(\.attachments) == [stored.post.attachments])
  }
}
