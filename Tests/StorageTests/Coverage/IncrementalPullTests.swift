import Foundation
import Posts
import Testing

@testable import Storage

/// Incremental pulls above what is known.
struct IncrementalPullTests {
  private func id(_ number: Int) -> String { "social.example-\(number)" }

  @Test func `an incremental pull begins below the top, and an unknown feed has none`() throws {
    let library = try TestLibrary()
    #expect(try library.store.beginIncrementalPull(of: cats, below: 3, now: noon) == nil)
    #expect(try !library.store.isKnown(cats))
    try library.pull([page([1])])
    #expect(try library.store.isKnown(cats))
    #expect(try library.store.beginIncrementalPull(of: cats, below: 3, now: noon) == nil)
    try library.pull([page([9, 8, 7, 6, 5, 4, 3, 2, 1])])
    #expect(try library.store.beginIncrementalPull(of: cats, below: 3, now: noon)?.anchor == id(6))
    #expect(try library.store.beginIncrementalPull(of: cats, below: 300, now: noon)?.anchor == id(1))
  }

  @Test func `an interrupted incremental pull leaves nothing unfinished`() throws {
    let library = try TestLibrary()
    try library.pull([page([5, 4, 3, 2, 1])])
    let start = try #require(try library.store.beginIncrementalPull(of: cats, below: 2, now: noon))
    #expect(try library.store.save(page([8, 7, 6, 5, 4]), above: start.anchor, in: start.pull, now: noon).1 != .apart)
    _ = try library.store.beginIncrementalPull(of: cats, below: 2, now: noon)
    #expect(try library.store.gaps().isEmpty)
    #expect(try library.store.beginIncrementalPull(of: cats, below: 2, now: noon)?.anchor == id(6))
  }

  @Test func `a thousand incremental pulls leave two rows`() throws {
    let library = try TestLibrary()
    try library.pull([page([5, 4, 3, 2, 1])])
    for _ in 0..<20 {
      let start = try #require(try library.store.beginIncrementalPull(of: cats, below: 2, now: noon))
      try library.store.finishPull(start.pull, reached: true, now: noon)
    }
    #expect(try library.lines("SELECT count(*) FROM cursor") == ["2"])
  }

  @Test func `an item is near the top if fewer than three are above it`() throws {
    let library = try TestLibrary()
    try library.pull([page([5, 4, 3, 2, 1])])
    let start = try #require(try library.store.beginIncrementalPull(of: cats, below: 2, now: noon))
    #expect(
      try [5, 3, 2, 1].map { try library.store.isNearTop(id($0), of: start.pull) } == [true, true, false, false])
  }

  @Test func `a harvest's findings about a feed are stored`() throws {
    let store = try TestLibrary().store
    #expect(try store.pollingStatistics(of: cats) == PollingStatistics())
    let habit = PollingStatistics(largestPage: 40, deepAt: noon, fillAt: noon.addingTimeInterval(1))
    try store.keep(habit, of: cats)
    #expect(try store.pollingStatistics(of: cats) == habit)
  }

  @Test func `lateness is measured by posts that arrived after their neighbours`() throws {
    let library = try TestLibrary()
    try library.pull([page((1...9).reversed().filter { $0 != 5 })])
    #expect(try library.store.lateness(of: cats) == nil)
    let later = noon.addingTimeInterval(600)
    let start = try #require(try library.store.beginIncrementalPull(of: cats, below: 8, now: later))
    _ = try library.store.save(page((2...9).reversed()), above: start.anchor, in: start.pull, now: later)
    let age = try #require(try library.store.lateness(of: cats))
    #expect(abs(age - later.timeIntervalSince(post(5).createdAt)) < 1)
    #expect(try library.store.countOfTop(of: cats, since: post(5).createdAt, most: 100) == 5)
    #expect(try library.store.countOfTop(of: cats, since: post(5).createdAt, most: 3) == 3)
  }
}
