import Blobs
import Foundation
import MemoryBlobs
import Posts
import Synchronization
import Testing

@testable import Storage

/// Garbage collection, check and cache over a store of pictures that has no files.
struct FilelessTests {
  private let now = Date()
  private var later: Date { now.addingTimeInterval(40 * 86_400) }
  private let memory: MemoryBlobs
  private let library: DiskLibrary

  init() throws {
    let now = now
    memory = MemoryBlobs { now }
    library = try DiskLibrary()
  }

  /// Stores bytes without a row.
  @discardableResult
  private func keep(_ bytes: [UInt8]) throws -> Kept {
    let draft = try memory.draft()
    try bytes.withUnsafeBytes { try draft.write($0) }
    return try memory.keep([draft])[0]
  }

  /// Stores the pictures and avatars that posts lack.
  private func fetch(_ posts: [Int64]) throws {
    let tasks = try library.store.pictures(ofPosts: posts, now: noon) + library.store.avatars(ofPosts: posts, now: noon)
    for task in tasks {
      let kept = try keep(Array("picture of \(task.urls[0])".utf8))
      try library.store.attach([(task, StoredBlob(id: kept.id, byteCount: kept.byteCount))], now: noon)
    }
  }

  /// Posts of cats, whose pictures are here instead of in the library's folder.
  private func pull(_ numbers: ClosedRange<Int>) throws -> [Int64] {
    let posts = try library.pull(numbers)
    try library.spoil("UPDATE attachment SET blob = NULL, state = 'pending'; DELETE FROM blob")
    try fetch(posts)
    return posts
  }

  private func check(repair: Bool = false) throws -> (found: [Finding], result: CheckResult) {
    var found: [Finding] = []
    let result = try LibraryCheck(store: library.store, blobs: memory, now: now.addingTimeInterval(60)).run(
      repair: repair
    ) { finding, _ in found.append(finding) }
    return (found, result)
  }

  private func collect(trash: Date = .distantPast, grace: Date, dryRun: Bool = false) throws -> Garbage {
    try library.store.collectGarbage(in: memory, trash: trash, grace: grace, dryRun: dryRun)
  }

  @Test func `unreferenced blobs are removed, and referenced or young ones stay`() throws {
    let posts = try pull(1...3)
    try library.store.delete([posts[0]], now: noon)
    let (shown, kept) = (try library.blob(of: posts[0]), try library.blob(of: posts[1]))
    let orphan = try keep([1, 2, 3]).id
    #expect(try collect(grace: now.addingTimeInterval(-60)) == Garbage())
    let dryRun = try collect(trash: later, grace: later, dryRun: true)
    #expect((dryRun.trashed, dryRun.blobs, dryRun.orphans) == (1, 1, 1))
    #expect(try memory.contains(orphan))
    #expect(try collect(trash: later, grace: later) == dryRun)
    #expect(try !memory.contains(orphan))
    #expect(try !memory.contains(shown))
    #expect(try memory.contains(kept))
    #expect(try check().found == [])
  }

  @Test func `avatars beyond the cache limit go`() throws {
    let posts = try pull(1...2)
    let avatar = try #require(try library.store.post(posts[0])?.post.author?.avatar)
    #expect(try library.store.trimCache(to: 0, in: memory, grace: .distantFuture).avatars == 1)
    #expect(try !memory.contains(avatar))
    #expect(try check().found == [])
  }

  @Test func `wrong and missing bytes are found, put into quarantine and wanted again`() throws {
    let posts = try pull(1...4)
    let blobs = try posts.map { try library.blob(of: $0) }
    #expect(try check().result.blobs == 5)
    memory.replace(blobs[0], by: [1])
    memory.replace(blobs[1], by: Array(repeating: 1, count: try memory.read(blobs[1]).count))
    #expect(try memory.remove(#require(try memory.stat(blobs[2]))))
    let kinds: Set<Finding.Kind> = [.length, .bytes, .missing]
    #expect(try Set(check().found.map(\.kind)) == kinds)
    let (_, result) = try check(repair: true)
    #expect(result.remaining == 0 && Set(result.postsToFetch) == Set(posts[0...2]))
    #expect(memory.quarantined[blobs[0]] == [1])
    #expect(try check().found == [])
    try fetch(posts)
    #expect(try posts.map { try library.blob(of: $0) } == blobs)
    #expect(try check().result.blobs == 5)
  }

  @Test(arguments: [1, 2]) func `bytes that are right when they are read again are neither damaged nor dropped`(
    wrong: Int
  ) throws {
    let posts = try pull(1...4)
    let orphan = try keep([1, 2, 3]).id
    let readings = Mutex<[BlobID: Int]>([:])
    memory.onRead { id in
      readings.withLock { readings in
        readings[id, default: 0] += 1
        return readings[id]! > (id == orphan ? 1 : wrong)
      }
    }
    let (found, result) = try check(repair: true)
    #expect(found.map(\.kind) == [.orphan, .unreferenced], "\(found)")
    #expect(result.postsToFetch.isEmpty)
    #expect(memory.quarantined.isEmpty)
    #expect(try posts.allSatisfy { try memory.contains(library.blob(of: $0)) })
  }

  @Test func `a check reads blobs of a service many at once`() throws {
    _ = try pull(1...8)
    let arrived = DispatchSemaphore(value: 0)
    let together = Atomic(0)
    let isLate = Atomic(false)
    memory.onRead { _ in
      // The first four wait for each other. One after another, they would wait in vain.
      let number = together.add(1, ordering: .sequentiallyConsistent).newValue
      if number == 4 { for _ in 0..<4 { arrived.signal() } }
      if number <= 4, arrived.wait(timeout: .now() + 20) == .timedOut {
        isLate.store(true, ordering: .sequentiallyConsistent)
      }
      return true
    }
    #expect(try check().found == [])
    let wasLate = isLate.load(ordering: .sequentiallyConsistent)
    #expect(!wasLate)
  }

  @Test func `bytes without a row are taken in`() throws {
    _ = try pull(1...2)
    let orphan = try keep([1, 2, 3]).id
    #expect(try check().found.map(\.kind) == [.orphan])
    #expect(try check(repair: true).result.remaining == 0)
    #expect(try check().found.map(\.blob) == [orphan])
    #expect(try check().found.map(\.kind) == [.unreferenced])
  }

  @Test func `a full disk is emptied without writing a row`() throws {
    let posts = try pull(1...2)
    try keep([1, 2, 3])
    try library.store.delete([posts[0]], now: noon)
    let (freed, garbage) = try library.store.makeRoom(in: memory, trash: later, grace: later)
    #expect(garbage.orphans == 1 && freed > 3)
    #expect(try !memory.contains(library.blob(of: posts[0])))
    #expect(try memory.contains(library.blob(of: posts[1])))
  }
}
