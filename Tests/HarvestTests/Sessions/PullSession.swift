import Foundation
import Posts
import PropertyTesting
import Services
import Testing

@testable import Harvest
@testable import Storage

/// Pulls of every kind, of one feed that changes between them.
struct PullSession {
  let server: TruthfulServer
  let library: TestLibrary
  let feed: Feed
  let size: Int
  private(set) var log: [String] = []
  /// The fewest requests that could have returned all learnt posts: full pages, and one more per pull.
  private(set) var least = 0
  private var dice: Dice
  private var top = 0
  /// Posts inserted below the newest after that was read: their promises are not tested here.
  private var late: Set<Int> = []
  private let hasOddDates: Bool
  let hasDeletions: Bool

  init(seed: UInt64) throws {
    dice = Dice(state: seed)
    var library = try TestLibrary()
    // In every second session the rows of merged intervals move in many steps.
    if seed % 2 == 0 { library.store.moves.rows = 7 }
    self.library = library
    feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: try #require(Server("a.example")))
    size = [20, 40].randomElement(using: &dice) ?? 20
    server = TruthfulServer(
      expiry: .allCases.randomElement(using: &dice) ?? .refuses,
      upwards: .allCases.randomElement(using: &dice) ?? .above, largestPage: 40)
    hasOddDates = dice.below(3) > 0
    hasDeletions = dice.below(3) > 0
    log.append("seed \(seed): page \(size), \(server.expiry), \(server.upwards)")
    arrive(Int.random(in: 0...200, using: &dice))
  }

  // MARK: What happens

  /// Changes the feed and pulls it.
  mutating func turn() async {
    arrive([0, 1, 5, 19, 20, 60, 130].randomElement(using: &dice) ?? 0)
    if hasDeletions { vanish() }
    if dice.below(3) == 0 { arriveBelow() }
    server.edit(Set(server.entries.map(\.key).filter { _ in dice.below(20) == 0 }))
    let scopes: [PullPlan.Scope] = [.newest, .newest, .new, .new, .all, .rest, .rest, .gaps, .harvest]
    let scope = scopes.randomElement(using: &dice) ?? .new
    let pages: Int? = [nil, 1, 1, 2, 3].randomElement(using: &dice) ?? nil
    server.showNothing(dice.below(10) == 0)
    await pull(scope, pages: scope == .newest ? pages ?? 1 : pages, dies: dice.below(4) == 0)
    server.showNothing(false)
  }

  @discardableResult
  mutating func pull(_ scope: PullPlan.Scope, pages: Int? = nil, dies: Bool = false) async -> PullReport {
    library.clock.pass(3600)
    server.die(after: dies ? 1 + dice.below(5) : nil)
    let held = known.count
    let plan = PullPlan(scope, pages: pages, pageSize: size, pictures: false, avatars: false)
    let report = await library.pull(feed, from: server, plan)
    // A process that dies does not close its pull.
    if server.isDead, dice.below(2) == 0 { try? library.leaveLastPullOpen() }
    server.die(after: nil)
    let needed = (known.count - held + size - 1) / size + 1
    // Pages that are to be read again need requests.
    least += scope == .newest ? max(needed, report.summary.pages) : needed
    let goal = "\(scope) \(pages.map(String.init) ?? "all")\(dies ? " dies" : "")"
    let asked = server.consumeRequests()
    log.append("\(goal): \(asked.count) for \(needed), \(asked.joined(separator: ", "))")
    if let failure = report.failure { log.append("failed: \(failure)") }
    log.append((try? intervals.map(\.description).joined(separator: " ")) ?? "")
    return report
  }

  // MARK: The feed

  /// Adds posts on top, each dated ten minutes after the one below; some, one or all a day late.
  mutating func arrive(_ count: Int) {
    let isBacklog = hasOddDates && dice.below(6) == 0
    let entries = (0..<count).map { _ in
      top += 10
      let isLate = hasOddDates && (isBacklog || dice.below(12) == 0)
      return TruthfulServer.Entry(key: top, date: date(top).addingTimeInterval(isLate ? -86_400 : 0))
    }
    server.add(entries)
    log.append("\(count)\(isBacklog ? " late" : "") new to \(top)")
  }

  private func date(_ key: Int) -> Date { noon.addingTimeInterval(Double(key - 30_000) * 60) }

  /// Adds posts that the server sorts by date, among the newest.
  private mutating func arriveBelow() {
    let around = server.entries.filter { !$0.isGone }.prefix(60).map(\.key)
    let used = Set(server.entries.map(\.key))
    let new = Set((0..<3).compactMap { _ in around.randomElement(using: &dice).map { $0 - 1 - dice.below(8) } })
      .subtracting(used)
    late.formUnion(new)
    server.add(new.map { TruthfulServer.Entry(key: $0, date: date($0)) })
    log.append("below \(new.sorted())")
  }

  /// Removes posts, mostly those at which the library continues.
  private mutating func vanish() {
    let shown = server.entries.filter { !$0.isGone }.map(\.key)
    var gone: [Int] = []
    for interval in (try? intervals) ?? [] where dice.below(2) == 0 {
      let edge = dice.below(3) == 0 ? interval.newest : interval.oldest
      let count = [1, 1, 2, 6, 25].randomElement(using: &dice) ?? 1
      let isTop = edge == interval.newest
      gone += isTop ? shown.filter { $0 <= edge }.prefix(count) : shown.filter { $0 >= edge }.suffix(count)
    }
    if dice.below(3) == 0, !shown.isEmpty { gone += shown[dice.below(shown.count)...].prefix(1 + dice.below(50)) }
    server.remove(Set(gone))
    log.append("gone \(gone.sorted())")
  }

  // MARK: What must hold

  struct Interval: CustomStringConvertible {
    let newest: Int
    let oldest: Int
    let reachedEnd: Bool

    var description: String { "[\(newest)…\(oldest)\(reachedEnd ? " end" : "")]" }
  }

  /// The stored posts, by the server's order.
  var known: Set<Int> {
    let addresses = (try? library.posts.map(\.uri)) ?? []
    return Set(addresses.compactMap { Int($0.split(separator: "/").last ?? "") })
  }

  var intervals: [Interval] {
    get throws {
      try library.rows("SELECT newest, oldest, reached_end FROM coverage ORDER BY id DESC").map { row in
        let parts = row.split(separator: "|")
        let keys = parts.prefix(2).map { Int($0.split(separator: "-").last ?? "") ?? 0 }
        return Interval(newest: keys[0], oldest: keys[1], reachedEnd: parts[2] == "1")
      }
    }
  }

  var requests: Int { server.requests }

  /// Posts that an interval claims to hold and the library lacks.
  func falseClaims() throws -> [Int] {
    let missing = Set(server.entries.filter { !$0.isGone }.map(\.key)).subtracting(known).subtracting(late)
    return try intervals.flatMap { interval in
      missing.filter { ($0 > interval.oldest || interval.reachedEnd) && $0 < interval.newest }
    }
  }

  /// Posts that a page showed, whatever it was asked for, and whose last wording the library lacks.
  func thrownAway() throws -> [Int] {
    let held = Set(try library.posts.map(\.caption))
    return server.shown.filter { !held.contains($0.value) }.keys.sorted()
  }

  /// Posts that are shown between the newest and the oldest known one, or to the feed's end, and are missing.
  func missing(toTheEnd: Bool) -> [Int] {
    let known = known
    guard let newest = known.max(), let oldest = known.min() else { return [] }
    return server.entries.filter {
      !$0.isGone && !known.contains($0.key) && !late.contains($0.key) && $0.key < newest
        && (toTheEnd || $0.key > oldest)
    }.map(\.key)
  }

  var text: String { log.joined(separator: "\n") }
}
