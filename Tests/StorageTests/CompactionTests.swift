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
  private func pull(_ pages: some Sequence<Int>, into cabinet: Cabinet) throws {
    let pull = try cabinet.store.beginPull(of: cats, goal: PullGoal(end: true), now: noon)
    for first in pages {
      let posts = (first..<first + 100).reversed().map { post($0, tags: ["cats", "pets"]) }
      _ = try cabinet.store.save(page(posts), in: pull, now: noon)
    }
    try cabinet.store.finishPull(pull, reached: true, now: noon)
  }

  private func pages(_ range: Range<Int>) -> StrideTo<Int> {
    stride(from: range.lowerBound, to: range.upperBound, by: 100)
  }

  private func size(_ cabinet: Cabinet) throws -> Int {
    try cabinet.store.read { db in
      try (db.value("PRAGMA page_count") ?? 0) * (db.value("PRAGMA page_size") ?? 0)
    }
  }

  @Test func `a library that was read from its newest post downwards is rewritten once, with the same content`() throws
  {
    let cabinet = try Cabinet()
    try pull(pages(0..<Self.count).reversed(), into: cabinet)
    let (before, posts) = (try size(cabinet), try cabinet.store.posts(PostQuery(limit: nil)))
    let reportedResult = try cabinet.store.compact(dryRun: true).freed
    #expect(try size(cabinet) == before)
    let freed = try cabinet.store.compact().freed
    #expect(freed > before / 12)
    #expect(reportedResult > freed / 2 && reportedResult < freed * 2)
    #expect(try size(cabinet) == before - freed)
    #expect(try cabinet.store.compact() == Compaction())
    #expect(try cabinet.store.posts(PostQuery(limit: nil)) == posts)
    #expect(try cabinet.check().findings == [])
    // What harvests add above all of it leaves no free space.
    for first in pages(Self.count..<Self.count + 1000) { try pull([first], into: cabinet) }
    #expect(try cabinet.store.compact() == Compaction())
  }

  @Test func `readers continue while the library is rewritten`() throws {
    let cabinet = try Cabinet()
    try pull(pages(0..<Self.count).reversed(), into: cabinet)
    let other = try Store.open(library: cabinet.scratch.path, for: .reading, now: noon)
    defer { other.close() }
    let count = try other.read { db in
      let first = try db.value("SELECT count(*) FROM post") as Int?
      #expect(try cabinet.store.compact().freed > 0)
      #expect(try db.value("SELECT count(*) FROM post") as Int? == first)
      return first
    }
    #expect(count == Self.count)
    #expect(try other.stats().posts == Self.count)
  }

  @Test func `a large store is not rewritten unless requested`() throws {
    let cabinet = try Cabinet()
    try pull(pages(0..<Self.count).reversed(), into: cabinet)
    let before = try size(cabinet)
    let reportedResult = try cabinet.store.compact(upTo: before - 1)
    #expect(reportedResult.freed == 0 && reportedResult.left > before / 12)
    #expect(try size(cabinet) == before)
    #expect(try cabinet.store.compact(upTo: before).freed > 0)
  }

  @Test func `the copy is made in the library's folder, on the same disk`() throws {
    let cabinet = try Cabinet()
    try pull(pages(0..<Self.count).reversed(), into: cabinet)
    let watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    defer { close(watch) }
    #expect(inotify_add_watch(watch, cabinet.scratch.path, UInt32(IN_CREATE)) >= 0)
    #expect(try cabinet.store.compact().freed > 0)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(watch, &bytes, bytes.count)
    let names = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    #expect(names.contains("etilqs_"), "the names that SQLite gives its own files")
    #expect(try cabinet.store.read { try $0.value("PRAGMA temp_store_directory") as String? } == nil)
  }

  @Test func `a small library is not rewritten`() throws {
    let cabinet = try Cabinet()
    try pull(pages(0..<300).reversed(), into: cabinet)
    #expect(try cabinet.store.compact() == Compaction())
  }
}
