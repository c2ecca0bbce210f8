import Foundation
import Posts
import PropertyTesting
import SQLRows
import SQLite
import Testing

@testable import Storage

/// Intervals of a feed in which posts come late and vanish between pulls.
struct ChangingFeedTests {
  private func walk(_ library: TestLibrary, _ feed: ChangingFeed, size: Int, pages: Int = 1) throws {
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(), now: noon)
    var cursor: Int?
    for _ in 0..<pages {
      let page = feed.page(after: cursor, size: size)
      _ = try library.store.save(page, in: pull, now: noon)
      guard case .after(let next) = page.next else { break }
      cursor = Int(next.value)
    }
    try library.store.finishPull(pull, reached: true, now: noon)
  }

  @Test func `a post that vanishes from the newest page leaves one interval, page after page`() throws {
    let library = try TestLibrary()
    var feed = ChangingFeed(Array(1...100))
    try walk(library, feed, size: 40)
    for gone in [70, 80, 90] {
      feed.vanish([gone])
      try walk(library, feed, size: 40)
    }
    #expect(try library.edges() == ["100|58|0"])
  }

  @Test func `a pull continues below an interval whose last posts are gone`() throws {
    let library = try TestLibrary()
    var feed = ChangingFeed(Array(1...100))
    try walk(library, feed, size: 40)
    feed.vanish([61, 62])
    try walk(library, feed, size: 50, pages: 2)
    #expect(try library.edges() == ["100|1|0"])
    try walk(library, feed, size: 50, pages: 3)
    #expect(try library.edges() == ["100|1|1"])
  }

  @Test func `a page with only late arrivals is not placed below the interval`() throws {
    let library = try TestLibrary()
    var feed = ChangingFeed(Array(stride(from: 100, through: 10_000, by: 100)))
    try walk(library, feed, size: 40, pages: 4)
    feed.come(Array(6_010...6_099))
    try walk(library, feed, size: 40, pages: 2)
    #expect(try library.edges() == ["10000|100|1"])
    try walk(library, feed, size: 1, pages: 60)
    #expect(try library.edges() == ["10000|100|1"])
  }

  @Test func `an empty page within an interval is not the feed's end`() throws {
    let library = try TestLibrary()
    let feed = ChangingFeed(Array(1...100))
    try walk(library, feed, size: 40, pages: 2)
    try library.pull([feed.page(after: nil, size: 10), page([], next: .end)])
    #expect(try library.edges() == ["100|21|0"])
  }

  @Test func `an interval that is gone upstream is placed where the server continues above it`() throws {
    let library = try TestLibrary()
    var feed = ChangingFeed(Array(1...20))
    try walk(library, feed, size: 5)
    feed.vanish(Array(16...20))
    feed.come(Array(21...30))
    try walk(library, feed, size: 5, pages: 3)
    #expect(try library.edges() == ["20|16|0", "30|11|0"])
    let gap = try #require(try library.store.gaps().first)
    #expect(try library.store.idsOfPassed(gap).first == "social.example-20")
    #expect(try library.store.closePassed(gap, by: ["social.example-15", "social.example-14"]))
    #expect(try library.edges() == ["30|11|0"])
  }

  @Test func `a pull knows what it read after its interval was merged into another`() throws {
    let library = try TestLibrary()
    try library.pull([page([7, 6])])
    try library.pull([page([8, 7, 6, 5])])
    #expect(try library.lines("SELECT coverage IS NULL FROM cursor") == ["0", "0"])
  }

  /// Posts come on top and late, vanish, and pulls of every size are interrupted: no interval claims what was not read, and
  /// each is in the feed's order. After a pull to the end one interval contains everything.
  @Test(arguments: PropertyTest.seeds(sample: 15, whole: 1000))
  func `intervals claim only what was read, whatever the feed does`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let library = try TestLibrary()
    var feed = ChangingFeed((0..<Int.random(in: 0...40, using: &dice)).map { $0 * 10 })
    var log: [String] = ["seed \(seed)"]
    for _ in 0..<Int.random(in: 3...12, using: &dice) {
      let change = feed.change(&dice)
      let size = [1, 2, 3, 7, 10, 40].randomElement(using: &dice)!
      let pages = [1, 1, 2, 3, 8].randomElement(using: &dice)!
      try walk(library, feed, size: size, pages: pages)
      log.append("\(change); \(pages) × \(size)")
      try check(library, feed, log)
    }
    try walk(library, feed, size: 7, pages: 1_000)
    try check(library, feed, log + ["to the end"])
    #expect(Set(feed.numbers).isSubset(of: try Set(library.numbers())), "\(log)")
    let intervals = try library.intervals()
    let whole = intervals.filter { !Set(feed.numbers).isDisjoint(with: $0.numbers) }
    #expect(whole.count == (feed.numbers.isEmpty ? 0 : 1), "\(log)")
  }

  @Test(arguments: PropertyTest.seeds(sample: 6, whole: 500))
  func `dates that mislead never make an interval claim too much`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let library = try TestLibrary()
    var feed = ChangingFeed((0..<40).map { $0 * 10 })
    feed.liars = 4
    var log: [String] = ["seed \(seed)"]
    for _ in 0..<12 {
      let change = feed.change(&dice)
      let size = [1, 2, 3, 7, 10].randomElement(using: &dice)!
      let pages = [1, 1, 2, 3, 8].randomElement(using: &dice)!
      try walk(library, feed, size: size, pages: pages)
      log.append("\(change); \(pages) × \(size)")
      try checkClaims(library, feed, log)
    }
  }

  private func check(_ library: TestLibrary, _ feed: ChangingFeed, _ log: [String]) throws {
    try checkClaims(library, feed, log)
    let live = try library.intervals().map { $0.numbers.filter(Set(feed.numbers).contains) }
    for numbers in live { #expect(numbers == numbers.sorted(by: >), "\(log)") }
  }

  private func checkClaims(_ library: TestLibrary, _ feed: ChangingFeed, _ log: [String]) throws {
    let storedNumbers = try Set(library.numbers())
    for interval in try library.intervals() {
      let lowest = interval.reachedEnd ? 0 : interval.oldest
      let missing = feed.numbers.filter { $0 >= lowest && $0 <= interval.newest && !storedNumbers.contains($0) }
      #expect(missing.filter { !feed.late.contains($0) } == [], "\(interval.newest)…\(lowest): \(log)")
    }
  }
}

/// A feed as its server has it. Its numbers are its order.
struct ChangingFeed {
  private(set) var numbers: [Int]
  /// All numbers ever given: a number that vanished does not return.
  private var used: Set<Int>
  /// The numbers that came below the top.
  var late: Set<Int> = []
  /// One of this many posts has a wrong date.
  var liars = 0

  init(_ numbers: [Int]) {
    self.numbers = numbers.sorted(by: >)
    used = Set(numbers)
  }

  private var top: Int { used.max() ?? 0 }

  mutating func come(_ new: [Int]) {
    let new = new.filter { !used.contains($0) }
    late.formUnion(new.filter { [top] in $0 < top })
    used.formUnion(new)
    numbers = Set(numbers + new).sorted(by: >)
  }

  mutating func vanish(_ gone: [Int]) { numbers.removeAll { gone.contains($0) } }

  mutating func change(_ dice: inout Dice) -> String {
    let base = top / 10 * 10
    let new = (0..<[0, 0, 1, 3, 10, 40].randomElement(using: &dice)!).map { base + ($0 + 1) * 10 }
    come(new)
    var arrived: [Int] = []
    if Int.random(in: 0..<3, using: &dice) == 0, let first = numbers.first, first > 0 {
      let around = Int.random(in: 0..<first, using: &dice)
      arrived = (0..<Int.random(in: 1...12, using: &dice)).map { around + $0 }.filter { $0 < first }
      come(arrived)
    }
    var gone: [Int] = []
    if Int.random(in: 0..<2, using: &dice) == 0, !numbers.isEmpty {
      let first = Int.random(in: 0..<numbers.count, using: &dice)
      gone = Array(numbers[first...].prefix([1, 1, 2, 10, 25].randomElement(using: &dice)!))
      vanish(gone)
    }
    return "\(new.count) new, late \(arrived), gone \(gone)"
  }

  /// The page below a number. Only an empty one means the feed's end.
  func page(after cursor: Int?, size: Int) -> Page {
    let shown = numbers.filter { $0 < cursor ?? .max }.prefix(size)
    let posts = shown.map { number in
      var made = post(number)
      if liars > 0, number / 10 % liars == 0 { made.createdAt += Double(number * 7_919 % 2_000 - 1_000) * 60 }
      return made
    }
    return StorageTests.page(posts, next: shown.last.map { .after(Cursor("\($0)")) } ?? .end)
  }
}

extension TestLibrary {
  struct Shown: Equatable {
    let newest: Int
    let oldest: Int
    let reachedEnd: Bool
    /// The numbers that it contains, in its order.
    let numbers: [Int]
  }

  func edges() throws -> [String] {
    try intervals().map { "\($0.newest)|\($0.oldest)|\($0.reachedEnd ? 1 : 0)" }
  }

  func numbers() throws -> [Int] { try lines("SELECT remote_id FROM feed_post").compactMap(Self.number) }

  func intervals() throws -> [Shown] {
    try database.read { db in
      try db.rows("SELECT id, newest, oldest, reached_end FROM coverage ORDER BY id").map { row in
        let ids: [String] = try db.values(
          "SELECT remote_id FROM feed_post WHERE coverage = ? ORDER BY place DESC, created_at DESC", [row[0] as Int64])
        return Shown(
          newest: Self.number(row[1]) ?? 0,
          oldest: Self.number(row[2]) ?? 0,
          reachedEnd: row[3],
          numbers: ids.compactMap(Self.number)
        )
      }
    }
  }

  private static func number(_ id: String) -> Int? { id.split(separator: "-").last.flatMap { Int($0) } }
}
