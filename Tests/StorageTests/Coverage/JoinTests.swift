import Foundation
import Posts
import PropertyTesting
import SQLite
import Synchronization
import Testing

@testable import Storage

/// Merged intervals whose rows are too many for one transaction.
struct JoinTests {
  private static let wanted = [
    TestLibrary.Shown(newest: 90, oldest: 1, reachedEnd: true, numbers: Array((1...90).reversed()))
  ]

  /// Two intervals, one of them with an unfinished pull in the middle.
  private func library(lower: Int, upper: Int) throws -> TestLibrary {
    let library = try TestLibrary()
    try library.pull([page((1...lower).reversed(), next: .end)])
    try library.pull([page((upper...90).reversed())])
    let unfinished = try library.store.beginPull(of: cats, goal: PullGoal(pages: 9), now: noon)
    _ = try library.store.save(page((80...90).reversed()), in: unfinished, now: noon)
    try library.store.finishPull(unfinished, reached: false, now: noon)
    return library
  }

  /// Joins the two from above. `rows` rows move in each step, and at most `steps` steps run.
  private func join(_ library: TestLibrary, lower: Int, upper: Int, steps: Int, rows: Int = 4) throws -> Pull {
    var store = library.store
    store.moves = MoveLimit(rows: rows, steps: steps, rest: {})
    let pull = try store.beginPull(of: cats, goal: PullGoal(pages: 3, end: true), now: noon)
    _ = try store.save(page((upper...90).reversed()), in: pull, now: noon)
    _ = try store.save(page((lower - 3..<upper + 2).reversed()), in: pull, now: noon)
    return pull
  }

  private func gaps(_ library: TestLibrary) throws -> [String] {
    try library.store.gaps().map { "\($0.kind) \($0.above ?? "-") \($0.below ?? "-") \(String(describing: $0.from))" }
  }

  @Test func `another process can write between any two steps of a join`() throws {
    let library = try DiskLibrary()
    let other = try Store.open(library: library.scratch.path, now: noon)
    let writes = Mutex(0)
    var store = library.store
    store.moves = MoveLimit(
      rows: 4,
      rest: {
        #expect(throws: Never.self) { try other.set("shown", to: "cats") }
        writes.withLock { $0 += 1 }
      })
    let first = try store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    _ = try store.save(page((1...40).reversed()), in: first, now: noon)
    let second = try store.beginPull(of: cats, goal: PullGoal(pages: 2), now: noon)
    _ = try store.save(page((60...90).reversed()), in: second, now: noon)
    _ = try store.save(page((38..<62).reversed()), in: second, now: noon)
    #expect(writes.withLock(\.self) > 3)
    #expect(try store.gaps().filter { $0.below != nil } == [])
  }

  @Test(arguments: [(30, 51), (50, 71)], Array(0...9))
  func `a stop between any two steps of a join leaves no gap, and the next pull completes it`(
    sizes: (lower: Int, upper: Int), steps: Int
  ) throws {
    let whole = try library(lower: sizes.lower, upper: sizes.upper)
    _ = try join(whole, lower: sizes.lower, upper: sizes.upper, steps: .max, rows: 1000)
    #expect(try whole.intervals() == Self.wanted)
    let library = try library(lower: sizes.lower, upper: sizes.upper)
    _ = try join(library, lower: sizes.lower, upper: sizes.upper, steps: steps)
    #expect(try gaps(library) == gaps(whole))
    #expect(try library.lines("SELECT * FROM gap") == [])
    #expect(try library.store.read { try StoreAudit.coverage.find($0) } == [])
    let shown = try library.intervals().reversed()
    #expect(shown.flatMap(\.numbers) == Array((1...90).reversed()))
    for interval in shown {
      #expect(interval.newest == interval.numbers.first && interval.oldest == interval.numbers.last)
    }
    let next = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    #expect(try library.intervals() == Self.wanted)
    _ = try library.store.save(page((80...95).reversed()), in: next, now: noon)
    #expect(try library.intervals().map(\.newest) == [95])
  }

  @Test(arguments: Array(0...9)) func `a pull keeps its position while a join is under way`(steps: Int) throws {
    let library = try library(lower: 50, upper: 71)
    let pull = try join(library, lower: 50, upper: 71, steps: steps)
    _ = try library.store.save(page((1...46).reversed(), next: .end), in: pull, now: noon)
    try library.store.finishPull(pull, reached: true, now: noon)
    #expect(try library.intervals() == Self.wanted)
    #expect(try gaps(library) == [])
  }

  @Test(arguments: Array(0...9)) func `a join from below gives the same result as one from above`(steps: Int) throws {
    let library = try library(lower: 50, upper: 71)
    var store = library.store
    store.moves = MoveLimit(rows: 4, steps: steps)
    let gap = try #require(try store.gaps().last { $0.below != nil })
    let (pull, _, anchor) = try #require(try store.beginFill(of: gap, upwards: true, halfPage: 3, now: noon))
    let (_, climb) = try store.save(page((47...73).reversed()), above: anchor, in: pull, now: noon)
    #expect(climb == .joined)
    #expect(try !store.isOpen(gap))
    #expect(try library.lines("SELECT * FROM gap") == [])
    try library.store.finishJoins()
    #expect(try library.intervals() == Self.wanted)
  }

  @Test func `joined intervals are separate once a check has shrunk one`() throws {
    let library = try library(lower: 50, upper: 71)
    _ = try join(library, lower: 50, upper: 71, steps: 2)
    let lower: Int64 = try #require(try library.store.read { try $0.value("SELECT min(id) FROM coverage") })
    try library.store.write { try Claim(interval: lower, db: $0).tighten() }
    #expect(try library.lines("SELECT count(*) FROM gap") == ["1"])
    try library.store.finishJoins()
    #expect(try library.intervals().count == 2)
  }

  /// The same feed and pulls in two libraries: in one all rows move at once, in the other in steps, with a stop after
  /// any step.
  @Test(arguments: PropertyTest.seeds(sample: 20, whole: 1000))
  func `moving rows in steps gives the same result as moving them at once`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let (whole, stepped) = (try TestLibrary(), try TestLibrary())
    var feed = ChangingFeed((0..<40).map { $0 * 10 })
    var log = ["seed \(seed)"]
    for _ in 0..<15 {
      log.append(feed.change(&dice))
      var store = stepped.store
      store.moves.rows = 1 + dice.below(6)
      let (size, pages, stop) = (3 + dice.below(20), 1 + dice.below(6), dice.below(8))
      let pulls = try [whole.store, store].map { try $0.beginPull(of: cats, goal: PullGoal(), now: noon) }
      var cursor: Int?
      for number in 0..<pages {
        let page = feed.page(after: cursor, size: size)
        _ = try whole.store.save(page, in: pulls[0], now: noon)
        if number == pages - 1 { store.moves.steps = stop }
        _ = try store.save(page, in: pulls[1], now: noon)
        guard case .after(let next) = page.next else { break }
        cursor = Int(next.value)
      }
      log.append("\(pages) × \(size), \(store.moves)")
      #expect(try gaps(stepped) == gaps(whole), "\(log)")
      #expect(try stepped.store.read { try StoreAudit.coverage.find($0) } == [], "\(log)")
      try stepped.store.finishJoins()
      #expect(try stepped.intervals() == whole.intervals(), "\(log)")
      let isReached = dice.below(2) == 0
      for (library, pull) in zip([whole, stepped], pulls) {
        try library.store.finishPull(pull, reached: isReached, now: noon)
      }
    }
  }
}
