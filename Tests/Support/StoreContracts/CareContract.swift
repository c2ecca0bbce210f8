import Blobs
import Foundation
import MemoryBlobs
import Posts
import Storage
import Synchronization

/// What a store promises of checks, garbage collection and copies, over blobs in memory.
public enum CareContract {
  private static let day: TimeInterval = 86_400

  /// Stores bytes as a blob.
  static func keep(_ text: String, in blobs: MemoryBlobs) throws -> StoredBlob {
    let draft = try blobs.draft()
    try Array(text.utf8).withUnsafeBytes { try draft.write($0) }
    let kept = try blobs.keep([draft])[0]
    return StoredBlob(id: kept.id, byteCount: kept.byteCount)
  }

  /// A post with a stored picture.
  private static func stored(_ number: Int, in library: NewLibrary, _ blobs: MemoryBlobs) throws -> (Int64, BlobID) {
    let ids = try library.pull([post(number, pictures: 1)]).posts
    let task = try require(try library.store.pictures(ofPosts: ids, now: noon).first)
    let blob = try keep("picture \(number)", in: blobs)
    try library.store.attach([(task, blob)], now: noon)
    return (ids[0], blob.id)
  }

  private static func collect(
    _ library: NewLibrary, _ blobs: MemoryBlobs, before moment: Date, dryRun: Bool = false
  ) throws -> Garbage {
    try library.other.collectGarbage(in: blobs, trash: moment, grace: moment, dryRun: dryRun) { _ in }
  }

  /// Checks the library a day later.
  private static func check(
    _ library: NewLibrary, _ blobs: MemoryBlobs, _ plan: CheckPlan
  ) throws -> (CheckResult, [Finding.Kind]) {
    var findings: [Finding.Kind] = []
    let result = try library.other.check(
      blobs, plan, now: noon + day, isPulling: { false }, onStep: { _ in },
      found: { finding, _ in findings.append(finding.kind) })
    return (result, findings)
  }

  /// The claims.
  public static let claims = [
    StoreClaim("a picture that a post shows is no garbage") { library in
      let blobs = MemoryBlobs { noon }
      let (_, blob) = try stored(1, in: library, blobs)
      try expect(try collect(library, blobs, before: noon + 400 * day), Garbage())
      try expect(try blobs.stat(blob) == nil, false)
    },
    StoreClaim("a deleted post loses its picture after the trash period, and is fetched anew when restored") {
      library in
      let blobs = MemoryBlobs { noon }
      let (id, blob) = try stored(1, in: library, blobs)
      try library.store.delete([id], now: noon + day)
      try expect(try collect(library, blobs, before: noon + day), Garbage())
      try expect(try collect(library, blobs, before: noon + 2 * day).trashed, 1)
      try expect(try blobs.stat(blob) == nil, true)
      try expect(try library.other.post(id)?.post.caption, "post 1")
      try library.store.restore([id], now: noon + 3 * day)
      try expect(try library.other.pictures(ofPosts: [id], now: noon + 3 * day).count, 1)
    },
    StoreClaim("a dry run counts the same and removes nothing") { library in
      let blobs = MemoryBlobs { noon }
      let (id, blob) = try stored(1, in: library, blobs)
      try library.store.delete([id], now: noon)
      let dry = try collect(library, blobs, before: noon + day, dryRun: true)
      try expect(try blobs.stat(blob) == nil, false)
      try expect(try collect(library, blobs, before: noon + day), dry)
    },
    StoreClaim("a blob that the store does not know goes after the grace period") { library in
      let blobs = MemoryBlobs { noon }
      let blob = try keep("left by a kill", in: blobs)
      try expect(try collect(library, blobs, before: noon), Garbage())
      try expect(try collect(library, blobs, before: noon + 1).orphans, 1)
      try expect(try blobs.stat(blob.id) == nil, true)
    },
    StoreClaim("bytes that another machine stored a moment ago stay, although their old row goes") { library in
      let clock = Mutex(noon)
      let blobs = MemoryBlobs { clock.withLock { $0 } }
      let (id, blob) = try stored(1, in: library, blobs)
      try library.store.delete([id], now: noon)
      clock.withLock { $0 = noon + 9 * day }
      // Its new row is not committed yet.
      _ = try keep("picture 1", in: blobs)
      try expect(try collect(library, blobs, before: noon + 8 * day).blobs, 1)
      try expect(try blobs.stat(blob) == nil, false)
      try expect(try collect(library, blobs, before: noon + 10 * day).orphans, 1)
    },
    StoreClaim("an empty cache has no bytes, and trimming it removes nothing") { library in
      let blobs = MemoryBlobs { noon }
      let (_, blob) = try stored(1, in: library, blobs)
      try expect(try library.other.cacheSize(), 0)
      try expect(try library.other.trimCache(to: 0, in: blobs, grace: .distantFuture, dryRun: false), Garbage())
      try expect(try blobs.stat(blob) == nil, false)
    },
    StoreClaim("compaction keeps what is stored") { library in
      try library.pull([page((1...200).reversed())])
      _ = try library.store.compact(dryRun: false, upTo: .max)
      try expect(try library.other.stats().posts, 200)
    },
    StoreClaim("the avatars that were seen last are evicted last") { library in
      let blobs = MemoryBlobs { noon }
      let ids = try ["ada", "bob"].enumerated().map { number, name in
        var made = post(number)
        made.author = Author(
          uri: "https://social.example/users/\(name)", handle: "\(name)@social.example", name: name,
          avatarURL: "https://files.example/\(name).jpg")
        return try library.pull([made]).posts[0]
      }
      let kept = try ids.map { id in
        let task = try require(try library.store.avatars(ofPosts: [id], retryFailed: false, now: noon).first)
        let blob = try keep(task.urls[0], in: blobs)
        try library.store.attach([(task, blob)], now: noon)
        return blob
      }
      try expect(try library.other.cacheSize(), kept[0].byteCount + kept[1].byteCount)
      try library.store.useAvatars(ofPosts: [ids[0]], now: noon + day)
      let dry = try library.other.trimCache(to: kept[0].byteCount, in: blobs, grace: .distantFuture, dryRun: true)
      let trimmed = try library.other.trimCache(to: kept[0].byteCount, in: blobs, grace: .distantFuture, dryRun: false)
      try expect([dry.avatars, trimmed.avatars, trimmed.bytes], [1, 1, kept[1].byteCount])
      try expect(try kept.map { try blobs.stat($0.id) == nil }, [false, true])
      try expect(
        try library.other.avatars(ofPosts: ids, retryFailed: false, now: noon + day).map(\.urls),
        [
          ["https://files.example/bob.jpg"]
        ])
    },
    StoreClaim("room is made from what garbage collection would remove, and from nothing else") { library in
      let blobs = MemoryBlobs { noon }
      let (_, shown) = try stored(1, in: library, blobs)
      let (deleted, trashed) = try stored(2, in: library, blobs)
      try library.store.delete([deleted], now: noon)
      let orphan = try keep("left by a kill", in: blobs)
      let none = try library.other.makeRoom(in: blobs, trash: noon, grace: noon)
      try expect([none.freed, none.garbage.bytes], [0, 0])
      let made = try library.other.makeRoom(in: blobs, trash: noon + day, grace: noon + day)
      try expect(made.freed > orphan.byteCount, true)
      try expect([made.garbage.orphans, made.garbage.bytes], [1, orphan.byteCount])
      try expect(try [shown, trashed, orphan.id].map { try blobs.stat($0) == nil }, [false, true, true])
    },
    StoreClaim("a check finds nothing in a whole library, and counts it") { library in
      let blobs = MemoryBlobs { noon }
      _ = try stored(1, in: library, blobs)
      try library.pull([page((2...9).reversed())])
      let (result, findings) = try check(library, blobs, CheckPlan(deep: true))
      try expect(findings, [])
      try expect([result.posts, result.blobs, result.faults, result.remaining], [9, 1, 0, 0])
      try expect(library.other.isUnchecked, false)
    },
    StoreClaim("a check finds a lost picture, and a repair has it fetched again") { library in
      let blobs = MemoryBlobs { noon }
      let (id, blob) = try stored(1, in: library, blobs)
      try expect(try blobs.remove(try require(try blobs.stat(blob))), true)
      let (found, findings) = try check(library, blobs, CheckPlan())
      try expect(findings, [.missing])
      try expect([found.faults, found.remaining], [1, 1])
      try expect(try library.other.pictures(ofPosts: [id], now: noon), [])
      let (mended, _) = try check(library, blobs, CheckPlan(repair: true, lost: true))
      try expect([mended.faults, mended.remaining], [1, 0])
      try expect(mended.postsToFetch, [id])
      try expect(try library.other.pictures(ofPosts: [id], now: noon).count, 1)
      try expect(try check(library, blobs, CheckPlan()).1, [])
    },
    StoreClaim("what the receiver of findings throws ends the check") { library in
      let blobs = MemoryBlobs { noon }
      let (_, blob) = try stored(1, in: library, blobs)
      try expect(try blobs.remove(try require(try blobs.stat(blob))), true)
      try expect(throws: .busy(path: "enough")) {
        _ = try library.store.check(
          blobs, CheckPlan(), now: noon + day, isPulling: { false }, onStep: { _ in },
          found: { _, _ in throw StorageError.busy(path: "enough") })
      }
    },
    StoreClaim("the blobs that the store names are read page by page, in the order of their names") { library in
      let blobs = MemoryBlobs { noon }
      let ids = try (1...5).map { try stored($0, in: library, blobs).1 }.sorted { $0.hex < $1.hex }
      let first = try library.other.blobs(after: nil, limit: 3).map(\.id)
      let rest = try library.other.blobs(after: first.last, limit: 3).map(\.id)
      try expect(first + rest, ids)
      try expect(try library.other.blobs(after: rest.last, limit: 3), [])
      try expect(try library.other.isShown(ids[0]), true)
      try expect(try library.other.isShown(BlobID(hashing: [1])), false)
    },
    keptTotals,
  ]

  /// The claims about stores that copy themselves, and tell whether they were written. A server has tools for both.
  public static let copyClaims = [
    StoreClaim("a copy holds what was stored when it began, and is a library of its own") { library in
      let blobs = MemoryBlobs { noon }
      let (id, blob) = try stored(1, in: library, blobs)
      try library.pull([page((2...40).reversed())])
      let folder = try Folder()
      let state = try library.store.copy(to: folder.path) { _, _ in }
      try library.store.delete([id], now: noon)
      let copy = try require(try Store.openCopy(in: folder.path))
      defer { copy.close() }
      try expect(try copy.stats().posts, 40)
      try expect(try copy.blob(blob)?.id, blob)
      try expect(try copy.state().changes, state.changes)
      try expect([state.blobs, try copy.state().blobs], [1, 1])
      try expect(try library.store.state().changes > state.changes, true)
    },
    StoreClaim("a folder that has a store gets no copy, and keeps its own") { library in
      try library.pull([post(1)])
      let folder = try Folder()
      _ = try library.store.copy(to: folder.path) { _, _ in }
      try library.pull([post(2)])
      do {
        _ = try library.store.copy(to: folder.path) { _, _ in }
        throw BrokenClaim(description: "it was overwritten")
      } catch is StorageError {}
      let copy = try require(try Store.openCopy(in: folder.path))
      defer { copy.close() }
      try expect(try copy.stats().posts, 1)
    },
    StoreClaim("several processes look for who may see posts, and nothing counts as published before") { library in
      try library.merge(awaiting: (1...7).map { post($0) }) { $0 % 3 == 0 ? "direct" : "public" }
      var published = PostListQuery()
      published.visibility = .published
      try expect(try library.captions(published), [])
      let read = { (answer: StoredAnswer) -> Visibility? in
        answer.body.map { Visibility(stored: String(decoding: $0, as: UTF8.self)) }
      }
      var steps = 0
      for store in Array(repeating: [library.store, library.other], count: 4).joined() {
        try expect(try library.other.awaitsVisibilities(), steps < 5)
        if try store.readVisibilities(atMost: 2, read) != nil { steps += 1 }
        // What is direct is never among what is published, whichever step was the last one.
        try expect(try library.captions(published).contains { ["post 3", "post 6"].contains($0) }, false)
      }
      try expect(steps, 5)
      try expect(try library.captions(published), [7, 5, 4, 2, 1].map { "post \($0)" })
    },
    StoreClaim("the state's version stays while nothing is written, and another process's write changes it") {
      library in
      try library.pull([post(1)])
      let version = try settled(library.store)
      try expect(try settled(library.store), version)
      try expect(try library.other.state().version, version)
      try library.other.set("color", to: "blue")
      try expect(try settled(library.store) == version, false)
    },
  ]

  /// A version of the store once it has one: a store that was just written may have none.
  private static func settled(_ store: Store) throws -> String {
    for _ in 0..<1000 {
      if let version = try store.state().version { return version }
      usleep(5_000)
    }
    throw BrokenClaim(description: "no version")
  }

  /// An empty folder, removed with this value.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appending(path: "media-copy-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }
}
