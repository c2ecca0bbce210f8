import Foundation
import Glibc
import Posts
import SQLite
import Testing

@testable import Storage

/// The space that a store uses.
struct CompactionTests {
  private static let count = 6000

  /// Pulls pages of 100 posts without pictures, in the order given.
  private func pull(_ pages: some Sequence<Int>, into library: DiskLibrary) throws {
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(end: true), now: noon)
    for first in pages {
      let posts = (first..<first + 100).reversed().map { post($0, tags: ["cats", "pets"]) }
      _ = try library.store.save(page(posts), in: pull, now: noon)
    }
    try library.store.finishPull(pull, reached: true, now: noon)
  }

  private func pages(_ range: Range<Int>) -> StrideTo<Int> {
    stride(from: range.lowerBound, to: range.upperBound, by: 100)
  }

  private func size(_ library: DiskLibrary) throws -> Int {
    try library.store.read { db in
      try (db.value("PRAGMA page_count") ?? 0) * (db.value("PRAGMA page_size") ?? 0)
    }
  }

  @Test func `a library that was read from its newest post downwards is rewritten once, with the same content`() throws
  {
    let library = try DiskLibrary()
    try pull(pages(0..<Self.count).reversed(), into: library)
    let (before, posts) = (try size(library), try library.store.posts(PostQuery(limit: nil)))
    let reportedResult = try library.store.compact(dryRun: true).freed
    #expect(try size(library) == before)
    let freed = try library.store.compact().freed
    #expect(freed > before / 12)
    #expect(reportedResult > freed / 2 && reportedResult < freed * 2)
    #expect(try size(library) == before - freed)
    #expect(try library.store.compact() == Compaction())
    #expect(try library.store.posts(PostQuery(limit: nil)) == posts)
    #expect(try library.check().findings == [])
    // What harvests add above all of it leaves no free space.
    for first in pages(Self.count..<Self.count + 1000) { try pull([first], into: library) }
    #expect(try library.store.compact() == Compaction())
  }

  @Test func `readers continue while the library is rewritten`() throws {
    let library = try DiskLibrary()
    try pull(pages(0..<Self.count).reversed(), into: library)
    let other = try Store.open(library: library.scratch.path, for: .reading, now: noon)
    defer { other.close() }
    let count = try other.read { db in
      let first = try db.value("SELECT count(*) FROM post") as Int?
      #expect(try library.store.compact().freed > 0)
      #expect(try db.value("SELECT count(*) FROM post") as Int? == first)
      return first
    }
    #expect(count == Self.count)
    #expect(try other.stats().posts == Self.count)
  }

  @Test func `a large store is not rewritten unless requested`() throws {
    let library = try DiskLibrary()
    try pull(pages(0..<Self.count).reversed(), into: library)
    let before = try size(library)
    let reportedResult = try library.store.compact(upTo: before - 1)
    #expect(reportedResult.freed == 0 && reportedResult.left > before / 12)
    #expect(try size(library) == before)
    #expect(try library.store.compact(upTo: before).freed > 0)
  }

  @Test func `the copy is made in the library's folder, on the same disk`() throws {
    let library = try DiskLibrary()
    try pull(pages(0..<Self.count).reversed(), into: library)
    let watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    defer { close(watch) }
    #expect(inotify_add_watch(watch, library.scratch.path, UInt32(IN_CREATE)) >= 0)
    #expect(try library.store.compact().freed > 0)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(watch, &bytes, bytes.count)
    let names = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    #expect(names.contains("etilqs_"), "the names that SQLite gives its own files")
    // Another store may be rewritten in its own folder meanwhile.
    #expect(try library.store.read { try $0.value("PRAGMA temp_store_directory") as String? } != library.scratch.path)
  }

  @Test func `a small library is not rewritten`() throws {
    let library = try DiskLibrary()
    try pull(pages(0..<300).reversed(), into: library)
    #expect(try library.store.compact() == Compaction())
  }
}
