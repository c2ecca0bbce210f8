import Blobs
import Foundation
import Posts
import SQLite
import Testing

@testable import Storage

struct GarbageTests {
  private let day: TimeInterval = 86_400

  /// Long after everything else.
  private var later: Date { Date().addingTimeInterval(40 * day) }

  @Test func `unreferenced blobs are removed after the grace period, row and file`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...3)
    let blob = try library.blob(of: ids[0])
    try library.spoil("UPDATE attachment SET blob = NULL, state = 'gone' WHERE post = \(ids[0])")
    let none = try library.store.collectGarbage(in: library.blobs, trash: .distantPast, grace: noon)
    #expect(none == Garbage())
    #expect(library.has(blob.path))
    let garbage = try library.store.collectGarbage(in: library.blobs, trash: .distantPast, grace: later)
    #expect((garbage.blobs, garbage.orphans) == (1, 0))
    #expect(!library.has(blob.path))
    #expect(try library.check().findings == [])
    #expect(try library.store.stats().blobs == 2)
  }

  @Test func `a dry run reports the same and removes nothing`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...4)
    try library.store.delete([ids[0]], now: noon)
    try library.keep(Array("stray".utf8))
    let dryRunResult = try library.store.collectGarbage(in: library.blobs, trash: later, grace: later, dryRun: true)
    #expect(try library.store.stats().blobs == 4)
    #expect(try library.check().findings.map(\.kind) == [.orphan])
    #expect(try library.store.collectGarbage(in: library.blobs, trash: later, grace: later) == dryRunResult)
    #expect((dryRunResult.trashed, dryRunResult.blobs, dryRunResult.orphans) == (1, 1, 1))
    #expect(dryRunResult.bytes == "picture of https://files.example/4.jpg".utf8.count + 5)
  }

  @Test func `a file without a row is removed, unless it is new`() throws {
    let library = try DiskLibrary()
    let stray = try library.keep(Array("stray".utf8)).id
    let young = Date().addingTimeInterval(-day)
    #expect(try library.store.collectGarbage(in: library.blobs, trash: .distantPast, grace: young) == Garbage())
    #expect(library.has(stray.path))
    #expect(try library.store.collectGarbage(in: library.blobs, trash: .distantPast, grace: later).orphans == 1)
    #expect(!library.has(stray.path))
  }

  @Test func `an empty store in place of the right one removes no pictures`() throws {
    let library = try DiskLibrary()
    for number in 0..<130 { try library.keep([UInt8(number)]) }
    let garbage = try library.store.collectGarbage(in: library.blobs, trash: .distantPast, grace: later)
    #expect((garbage.orphans, garbage.strangers, garbage.bytes) == (0, 130, 0))
    #expect(try library.check().findings.map(\.kind) == Array(repeating: .orphan, count: 130) + [.strangers])
  }

  @Test func `pictures of posts deleted long ago are removed, and downloaded again after a restore; the posts stay`()
    throws
  {
    let library = try DiskLibrary()
    let ids = try library.pull(1...3)
    try library.store.delete([ids[0]], now: noon)
    let blob = try library.blob(of: ids[0])
    let young = try library.store.collectGarbage(in: library.blobs, trash: noon.addingTimeInterval(-day), grace: later)
    #expect(young == Garbage())
    let garbage = try library.store.collectGarbage(in: library.blobs, trash: noon.addingTimeInterval(day), grace: later)
    #expect((garbage.trashed, garbage.blobs) == (1, 1))
    #expect(!library.has(blob.path))
    // No pull has to skip it again and again.
    let waiting = "SELECT count(*) FROM attachment WHERE state IN ('pending', 'failed')"
    #expect(try library.store.read { try rows(waiting, in: $0) } == ["0"])
    #expect(try library.store.pictures(ofPosts: ids, now: noon) == [])
    #expect(try library.pull(1...3) == Array(ids[1...]))
    #expect(try library.store.posts().count == 2)
    try library.store.restore([ids[0]], now: noon)
    #expect(try library.store.pictures(ofPosts: ids, now: noon).map(\.post) == [ids[0]])
    try library.pull(1...3)
    #expect(try library.blob(of: ids[0]) == blob)
    #expect(try library.check().findings == [])
  }

  @Test func `a picture that was never downloaded becomes pending with a restore`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...3)
    try library.spoil("UPDATE attachment SET blob = NULL, state = iif(post = \(ids[0]), 'pending', 'failed')")
    try library.store.delete([ids[0], ids[1]], now: noon)
    let garbage = try library.store.collectGarbage(in: library.blobs, trash: later, grace: noon)
    #expect(garbage.trashed == 0)
    let states = "SELECT state FROM attachment ORDER BY id"
    #expect(try library.store.read { try rows(states, in: $0) } == ["skipped", "skipped", "failed"])
    try library.store.restore(ids, now: noon)
    #expect(try library.store.pictures(ofPosts: ids, now: noon).map(\.post) == [ids[0], ids[1]])
  }

  @Test func `a picture that another post shows stays`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...2)
    try library.spoil("UPDATE attachment SET blob = (SELECT min(blob) FROM attachment)")
    try library.store.delete([ids[0]], now: noon)
    let blob = try library.blob(of: ids[1])
    let garbage = try library.store.collectGarbage(in: library.blobs, trash: later, grace: later)
    #expect((garbage.trashed, garbage.blobs) == (1, 1))
    #expect(library.has(blob.path))
    #expect(try library.blob(of: ids[1]) == blob)
  }

  @Test func `a deleted post made by hand keeps its pictures, because they cannot be downloaded again`() throws {
    let library = try DiskLibrary()
    let kept = try library.keep([1, 2, 3])
    var made = post(1, attachments: [Attachment(kind: .image, url: nil)])
    (made.author, made.server, made.remoteID, made.url) = (nil, nil, nil, nil)
    let id = try library.store.add(made, id: UUID(), pictures: [StoredBlob(id: kept.id, byteCount: 3)], now: noon)
    try library.store.delete([id], now: noon)
    #expect(try library.store.collectGarbage(in: library.blobs, trash: later, grace: later) == Garbage())
    try library.store.restore([id], now: noon)
    #expect(try library.blob(of: id) == kept.id)
    #expect(library.has(kept.id.path))
  }
}

struct CacheTests {
  /// Authors 0 to 3, each with an avatar of ten bytes, fetched one day after another.
  private func gallery() throws -> (DiskLibrary, posts: [Int64], avatars: [BlobID]) {
    let library = try DiskLibrary()
    var (posts, avatars): ([Int64], [BlobID]) = ([], [])
    for number in 0..<4 {
      let now = noon.addingTimeInterval(Double(number) * 86_400)
      var made = post(number)
      made.author = Author(
        uri: "https://birds.example/users/\(number)", handle: "\(number)@birds.example", name: "\(number)",
        avatarURL: "https://files.example/\(number).png")
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: now)
      posts += try library.store.save(page([made]), in: pull, now: now).posts
      try library.store.finishPull(pull, reached: true, now: now)
      for task in try library.store.avatars(ofPosts: [posts[number]], now: now) {
        avatars.append(try library.keep(Array("avatar \(number)..".utf8), for: task, now: now))
      }
    }
    return (library, posts, avatars)
  }

  private func kept(_ library: DiskLibrary, _ avatars: [BlobID]) -> [Bool] { avatars.map { library.has($0.path) } }

  @Test func `avatars are evicted least recently seen first, until the rest fits`() throws {
    let (library, posts, avatars) = try gallery()
    #expect(try library.store.cacheSize() == 40)
    #expect(try library.store.trimCache(to: 40, in: library.blobs, grace: .distantFuture) == Garbage())
    try library.store.useAvatars(ofPosts: [posts[0]], now: noon.addingTimeInterval(9 * 86_400))
    let dryRunResult = try library.store.trimCache(to: 25, in: library.blobs, grace: .distantFuture, dryRun: true)
    let garbage = try library.store.trimCache(to: 25, in: library.blobs, grace: .distantFuture)
    #expect((garbage.avatars, garbage.bytes) == (2, 20))
    #expect(garbage == dryRunResult)
    #expect(kept(library, avatars) == [true, false, false, true])
    #expect(try library.store.cacheSize() == 20)
    #expect(try library.check().findings == [])
  }

  @Test func `an evicted avatar is downloaded again only when a pull shows its author`() throws {
    let (library, posts, avatars) = try gallery()
    _ = try library.store.trimCache(to: 0, in: library.blobs, grace: .distantFuture)
    #expect(kept(library, avatars) == [false, false, false, false])
    #expect(try library.store.duePictures(limit: 9, now: noon) == [])
    let tasks = try library.store.avatars(ofPosts: [posts[2]], now: noon)
    #expect(tasks.map(\.urls) == [["https://files.example/2.png"]])
    try library.keep(Array("avatar 2..".utf8), for: tasks[0])
    #expect(try library.store.cacheSize() == 10)
    #expect(try library.store.posts().compactMap { $0.author?.avatar } == [avatars[2]])
  }

  @Test func `a post's picture is never evicted, even if it is also an avatar`() throws {
    let (library, _, avatars) = try gallery()
    try library.pull(10...12)
    let shown = try library.store.read { db in
      try db.value("SELECT id FROM blob WHERE sha256 = ?", [avatars[0].hex]) as Int64?
    }
    try library.spoil("UPDATE attachment SET blob = \(try #require(shown)) WHERE id = 1")
    let counted = try library.store.trimCache(to: 0, in: library.blobs, grace: .distantFuture, dryRun: true)
    let garbage = try library.store.trimCache(to: 0, in: library.blobs, grace: .distantFuture)
    #expect((counted.avatars, counted.bytes) == (3, 30) && garbage.avatars == 3)
    #expect(kept(library, avatars) == [true, false, false, false])
    #expect(try library.store.cacheSize() == 0)
    #expect(try library.check().findings.filter(\.isFault) == [])
  }

  @Test func `the use of an avatar is written once a day`() throws {
    let (library, posts, _) = try gallery()
    let day = noon.addingTimeInterval(9 * 86_400)
    let changes = { try library.store.writer.write { try $0.value("SELECT total_changes()") as Int? } }
    try library.store.useAvatars(ofPosts: posts, now: day)
    let before = try changes()
    try library.store.useAvatars(ofPosts: posts, now: day.addingTimeInterval(3600))
    #expect(try changes() == before)
    try library.store.useAvatars(ofPosts: posts, now: day.addingTimeInterval(86_400))
    #expect(try changes() == before.map { $0 + 4 })
  }

  @Test func `the size of the cache is always the sum of its entries`() throws {
    let (library, posts, _) = try gallery()
    try library.spoil("UPDATE author SET avatar_state = 'pending' WHERE id = 1")
    let task = try #require(try library.store.avatars(ofPosts: [posts[0]], now: noon).first)
    try library.keep(Array("another avatar".utf8), for: task)
    #expect(try library.store.cacheSize() == 54)
    #expect(try library.check().findings.filter(\.isFault) == [])
    let garbage = try library.store.collectGarbage(in: library.blobs, trash: .distantPast, grace: .distantFuture)
    #expect((garbage.blobs, garbage.bytes) == (1, 10))
    #expect(try library.store.cacheSize() == 44)
  }

  @Test func `the avatars to evict are read from an index`() throws {
    let (library, _, _) = try gallery()
    let plan = try library.store.read { db in
      try db.rows("EXPLAIN QUERY PLAN \(Store.leastUsed(in: db))", [1]) { try $0["detail"] as String }
    }
    #expect(plan.contains { $0.contains("cached_oldest") }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN b") }, "\(plan)")
  }
}
