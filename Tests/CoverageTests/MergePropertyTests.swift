import Coverage
import PropertyTesting
import Testing

/// Merges of a feed in which posts come on top and late, and vanish, while pulls of both directions read it.
struct MergePropertyTests {
  @Test(arguments: PropertyTest.seeds(sample: 50, whole: 5_000))
  func `pulls from the top leave intervals in the feed's order, and at last one`(seed: UInt64) throws {
    var session = Session(seed: seed)
    for _ in 0..<session.dice.below(10) + 3 {
      session.stir()
      try session.check(isOrdered: true)
    }
    session.read(pages: 1_000, size: 7)
    try session.check(isOrdered: true)
    #expect(Set(session.feed).isSubset(of: session.coverage.stored), "\(session.log)")
    let whole = session.coverage.intervals.keys.filter {
      !Set(session.feed).isDisjoint(with: session.coverage.numbers(in: $0))
    }
    #expect(whole.count == (session.feed.isEmpty ? 0 : 1), "\(session.log)")
  }

  /// Upwards, a pull passes an interval of which one post is left: that counts as out of order.
  @Test(arguments: PropertyTest.seeds(sample: 50, whole: 5_000))
  func `no interval claims what was not read, whatever the direction, and whether or not dates mislead`(
    seed: UInt64
  ) throws {
    var session = Session(seed: seed, hasClimbs: true, hasLiars: seed % 2 == 0)
    for _ in 0..<12 {
      session.stir()
      try session.check(isOrdered: false)
    }
  }

  @Test(arguments: [1, 2, 3, 7, 40])
  func `a feed that stays as it is becomes one interval, whatever the size of its pages`(size: Int) throws {
    var session = Session(seed: 1)
    session.feed = Array((1...40).reversed())
    session.read(pages: 1, size: size)
    session.read(pages: 100, size: size)
    #expect(session.coverage.intervals.count == 1)
    let interval = try #require(session.coverage.intervals.values.first)
    #expect((interval.newest, interval.oldest, interval.reachedEnd) == ("40", "1", true))
    #expect(session.coverage.numbers(in: interval.id) == session.feed)
  }
}

/// A feed as its server has it, and what pulls have stored of it. Numbers are the feed's order.
private struct Session {
  var dice: Dice
  var feed: [Int] = []
  private(set) var coverage = MemoryCoverage()
  private(set) var log: [String]
  /// All numbers ever given: a number that vanished does not return.
  private var used: Set<Int> = []
  /// The numbers that came below the top.
  private var late: Set<Int> = []
  private let hasClimbs: Bool
  private let hasLiars: Bool

  init(seed: UInt64, hasClimbs: Bool = false, hasLiars: Bool = false) {
    (dice, log) = (Dice(state: seed), ["seed \(seed)"])
    (self.hasClimbs, self.hasLiars) = (hasClimbs, hasLiars)
    come((0..<dice.below(41)).map { $0 * 10 })
  }

  /// Changes the feed, and reads some of it.
  mutating func stir() {
    change()
    let size = [1, 2, 3, 7, 10, 40].randomElement(using: &dice)!
    let pages = [1, 1, 2, 3, 8].randomElement(using: &dice)!
    let intervals = coverage.intervals.values.filter { coverage.numbers(in: $0.id).count > 1 }.sorted { $0.id < $1.id }
    if hasClimbs, dice.below(2) == 0, let interval = intervals.randomElement(using: &dice) {
      climb(from: interval, pages: pages, size: size + 2)
    } else {
      read(pages: pages, size: size)
    }
  }

  /// A pull from the top.
  mutating func read(pages: Int, size: Int) {
    log.append("\(pages) × \(size) down")
    var checkpoint = MemoryCoverage.Checkpoint()
    var cursor = Int.max
    for _ in 0..<pages {
      let page = Array(feed.filter { $0 < cursor }.prefix(size))
      coverage.store(page.map(dated), below: &checkpoint)
      guard let last = page.last else { return }
      cursor = last
    }
  }

  /// A pull upwards from an interval.
  private mutating func climb(from interval: CoverageInterval, pages: Int, size: Int) {
    var id = interval.id
    let numbers = coverage.numbers(in: id)
    var anchor = numbers[min(size / 2, numbers.count - 1)]
    log.append("\(pages) × \(size) up from \(anchor)")
    for _ in 0..<pages {
      let page = Array(feed.filter { $0 > anchor }.suffix(size))
      guard let interval = coverage.intervals[id] else { return }
      guard case .higher(let next) = coverage.store(page.map(dated), above: anchor, of: interval) else { return }
      (id, anchor) = (interval.id, Int(next) ?? 0)
    }
  }

  // MARK: The feed

  private mutating func come(_ numbers: [Int]) {
    let top = used.max() ?? -1
    let new = numbers.filter { !used.contains($0) }
    late.formUnion(new.filter { $0 < top })
    used.formUnion(new)
    feed = Set(feed + new).sorted(by: >)
  }

  private mutating func change() {
    let base = (used.max() ?? 0) / 10 * 10
    come((0..<[0, 0, 1, 3, 10, 40].randomElement(using: &dice)!).map { base + ($0 + 1) * 10 })
    if dice.below(3) == 0, let first = feed.first, first > 0 {
      let around = dice.below(first)
      come((0...dice.below(12)).map { around + $0 }.filter { $0 < first })
    }
    if dice.below(2) == 0, !feed.isEmpty {
      let first = dice.below(feed.count)
      let gone = feed[first...].prefix([1, 1, 2, 10, 25].randomElement(using: &dice)!)
      feed.removeAll(where: Set(gone).contains)
    }
    log.append("\(feed)")
  }

  /// One of four has a wrong date, if some do.
  private func dated(_ number: Int) -> (number: Int, moment: Int) {
    (number, hasLiars && number / 10 % 4 == 0 ? number + number * 7_919 % 2_000 - 1_000 : number)
  }

  // MARK: What must hold

  func check(isOrdered: Bool) throws {
    for interval in coverage.intervals.values {
      let newest = try #require(Int(interval.newest))
      let oldest = interval.reachedEnd ? 0 : try #require(Int(interval.oldest))
      let missing = feed.filter { $0 >= oldest && $0 <= newest && !coverage.stored.contains($0) && !late.contains($0) }
      #expect(missing == [], "\(newest)…\(oldest): \(log)")
      guard isOrdered else { continue }
      let numbers = coverage.numbers(in: interval.id).filter(Set(feed).contains)
      #expect(numbers == numbers.sorted(by: >), "\(log)")
    }
  }
}
