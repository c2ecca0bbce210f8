import Foundation
import Posts
import Testing

@testable import Storage

/// Incremental pulls above what is known.
struct LookTests {
  private func id(_ number: Int) -> String { "social.example-\(number)" }

  @Test func `an incremental pull begins below the top, and an unknown feed has none`() throws {
    let shelf = try Shelf()
    #expect(try shelf.store.beginIncrementalPull(of: cats, below: 3, now: noon) == nil)
    #expect(try !shelf.store.isKnown(cats))
    try shelf.pull([page([1])])
    #expect(try shelf.store.isKnown(cats))
    #expect(try shelf.store.beginIncrementalPull(of: cats, below: 3, now: noon) == nil)
    try shelf.pull([page([9, 8, 7, 6, 5, 4, 3, 2, 1])])
    #expect(try shelf.store.beginIncrementalPull(of: cats, below: 3, now: noon)?.anchor == id(6))
    #expect(try shelf.store.beginIncrementalPull(of: cats, below: 300, now: noon)?.anchor == id(1))
  }

  @Test func `an interrupted incremental pull leaves nothing unfinished`() throws {
    let shelf = try Shelf()
    try shelf.pull([page([5, 4, 3, 2, 1])])
    let look = try #require(try shelf.store.beginIncrementalPull(of: cats, below: 2, now: noon))
    #expect(try shelf.store.save(page([8, 7, 6, 5, 4]), above: look.anchor, in: look.pull, now: noon).1 != .apart)
    _ = try shelf.store.beginIncrementalPull(of: cats, below: 2, now: noon)
    #expect(try shelf.store.gaps().isEmpty)
    #expect(try shelf.store.beginIncrementalPull(of: cats, below: 2, now: noon)?.anchor == id(6))
  }

  @Test func `a thousand incremental pulls leave two rows`() throws {
    let shelf = try Shelf()
    try shelf.pull([page([5, 4, 3, 2, 1])])
    for _ in 0..<20 {
      let look = try #require(try shelf.store.beginIncrementalPull(of: cats, below: 2, now: noon))
      try shelf.store.finishPull(look.pull, reached: true, now: noon)
    }
    #expect(try shelf.lines("SELECT count(*) FROM cursor") == ["2"])
  }

  @Test func `an item is near the top if fewer than three are above it`() throws {
    let shelf = try Shelf()
    try shelf.pull([page([5, 4, 3, 2, 1])])
    let look = try #require(try shelf.store.beginIncrementalPull(of: cats, below: 2, now: noon))
    #expect(try [5, 3, 2, 1].map { try shelf.store.isNearTop(id($0), of: look.pull) } == [true, true, false, false])
  }

  @Test func `what a harvest has learnt of a feed is kept`() throws {
    let store = try Shelf().store
    #expect(try store.pollingStatistics(of: cats) == PollingStatistics())
    let habit = PollingStatistics(largestPage: 40, deepAt: noon, fillAt: noon.addingTimeInterval(1))
    try store.keep(habit, of: cats)
    #expect(try store.pollingStatistics(of: cats) == habit)
  }

  @Test func `lateness is measured by posts that arrived after their neighbours`() throws {
    let shelf = try Shelf()
    try shelf.pull([page((1...9).reversed().filter { $0 != 5 })])
    #expect(try shelf.store.lateness(of: cats) == nil)
    let later = noon.addingTimeInterval(600)
    let look = try #require(try shelf.store.beginIncrementalPull(of: cats, below: 8, now: later))
    _ = try shelf.store.save(page((2...9).reversed()), above: look.anchor, in: look.pull, now: later)
    let age = try #require(try shelf.store.lateness(of: cats))
    #expect(abs(age - later.timeIntervalSince(post(5).createdAt)) < 1)
    #expect(try shelf.store.countOfTop(of: cats, since: post(5).createdAt, most: 100) == 5)
    #expect(try shelf.store.countOfTop(of: cats, since: post(5).createdAt, most: 3) == 3)
  }
}
