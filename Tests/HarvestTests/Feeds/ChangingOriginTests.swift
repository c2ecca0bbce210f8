import Foundation
import Posts
import PropertyTesting
import SQLRows
import SQLite
import ScriptedOrigin
import Services
import Synchronization
import Testing

@testable import Harvest
@testable import Storage

/// Interrupted pulls of a feed that changes meanwhile.
@Suite(.timeLimit(.minutes(30))) struct ChangingOriginTests {
  /// Posts arrive on top, also between two pages, and late, within half a page below the newest known one; pages are short,
  /// empty and shifted; pulls die anywhere. After one successful run there is always one interval, no post is missing, and
  /// none is stored twice.
  @Test(arguments: PropertyTest.seeds(sample: 12, whole: 1000))
  func `after anything that happened, one clean run leaves one interval and no post missing`(seed: UInt64) async throws
  {
    try await withOrigin(Script(posts: 0)) { origin in
      var world = try World(origin: origin, seed: seed)
      for _ in 0..<Int.random(in: 2...7, using: &world.chance) {
        world.change()
        await world.run(mayDie: true)
        try world.checkClaims()
      }
      world.arrive()
      await world.runCleanly()
      try world.checkWhole()
    }
  }
}

/// A feed and a library that follows it.
private struct World {
  static let size = 10

  let origin: Origin
  let library: TestLibrary
  let seed: UInt64
  let all: [ScriptedPost]
  var chance: Chance
  var log: [String] = []
  private let hasLate: Bool
  private var isToTheEnd = false
  private let feed: Feed
  private let state: Shown

  /// The posts that the server shows: those from `first` on, except the late ones.
  final class Shown: Sendable {
    private let state: Mutex<(first: Int, late: Set<Int>, everLate: Set<Int>)>
    let origin: Origin
    let all: [ScriptedPost]

    init(first: Int, origin: Origin, all: [ScriptedPost]) {
      state = Mutex((first, [], []))
      self.origin = origin
      self.all = all
    }

    var shownIndices: [Int] {
      state.withLock { state in all.indices.filter { $0 >= state.first && !state.late.contains($0) } }
    }
    var first: Int { state.withLock(\.first) }
    /// Posts that are held back now.
    var late: Set<Int> { state.withLock(\.late) }
    /// Posts that were ever held back.
    var everLate: Set<Int> { state.withLock(\.everLate) }

    /// Adds `count` posts on top; those at the indexes `late` will appear later.
    func arrive(_ count: Int, late: Set<Int> = []) {
      state.withLock { state in
        state.first = max(0, state.first - count)
        state.late.formUnion(late.map { state.first + $0 })
        state.everLate.formUnion(state.late)
      }
      show()
    }

    func come(_ late: Set<Int>) {
      state.withLock { $0.late.subtract(late) }
      show()
    }

    private func show() {
      let posts = shownIndices.map { all[$0] }
      origin.change { $0.posts = posts }
    }
  }

  init(origin: Origin, seed: UInt64) throws {
    self.origin = origin
    self.seed = seed
    all = Script(posts: 500).posts
    chance = Chance(seed: seed)
    hasLate = Bool.random(using: &chance)
    library = try TestLibrary()
    feed = try TestLibrary.feed(origin)
    state = Shown(first: 500, origin: origin, all: all)
    let isPixelfed = Bool.random(using: &chance)
    origin.change {
      $0.minIDGivesNewest = isPixelfed
      $0.judgesWaits = false
    }
    state.arrive(Int.random(in: 0...60, using: &chance))
  }

  mutating func arrive() { state.arrive([0, 1, 4, 9, 30].randomElement(using: &chance) ?? 0) }

  /// Posts that are held back appear late, but within half a page of the newest known post.
  mutating func change() {
    let top = known().first ?? Int.max
    let due = state.late.filter { late in
      late > top && known().prefix { $0 < late }.count < World.size / 2 && Bool.random(using: &chance)
    }
    state.come(due)
    let count = [0, 0, 1, 3, 9, 10, 25, 40].randomElement(using: &chance) ?? 0
    let late = Set((0..<(hasLate ? min(count, 3) : 0)).filter { _ in Int.random(in: 0..<3, using: &chance) == 0 })
    state.arrive(count, late: late)
    // A later post is not promised to be found; it never appears.
    log.append("\(count) new, \(late.count) held back, \(due.count) late")
  }

  private func known() -> [Int] {
    let held = (try? library.posts.map(\.uri)) ?? []
    let ids = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.uri, $0) })
    return held.compactMap { ids[$0] }.sorted()
  }

  /// One pull of any kind.
  mutating func run(mayDie: Bool) async {
    // A pull with a page limit may end right at known posts: late posts just below are not promised.
    let scopes: [PullPlan.Scope] = hasLate ? [.new, .all, .rest, .gaps] : [.newest, .new, .new, .all, .rest, .gaps]
    let scope = scopes.randomElement(using: &chance) ?? .new
    let pages: Int? = hasLate && scope == .new ? nil : [nil, 1, 2, 3].randomElement(using: &chance) ?? nil
    let plan = PullPlan(
      scope, pages: scope == .newest ? pages ?? 1 : pages, pageSize: World.size, pictures: false, avatars: false)
    let dies = mayDie && Bool.random(using: &chance) ? Int.random(in: 1...6, using: &chance) : nil
    let troubles = (0..<2).compactMap { _ -> Trouble? in
      let number = Int.random(in: 1...8, using: &chance)
      let kinds: [Trouble.Kind] = [.empty, .short(1), .short(3)]
      return Bool.random(using: &chance) ? .nth(number, "/api", kinds.randomElement(using: &chance) ?? .empty) : nil
    }
    origin.change { $0.troubles = troubles }
    // New posts restart the count of faults.
    let shifts = troubles.isEmpty && Bool.random(using: &chance) ? Int.random(in: 1...3, using: &chance) : 0
    log.append(
      "\(state.first): \(scope) \(pages.map(String.init) ?? "-") dies \(dies ?? 0) \(troubles.map { "\($0)" }) shifts \(shifts)"
    )
    await pull(plan, dies: dies, shifts: shifts)
    origin.change { $0.troubles = [] }
  }

  private mutating func pull(_ plan: PullPlan, dies: Int?, shifts: Int) async {
    defer { log.append(((try? coverageText()) ?? []).joined(separator: " ")) }
    let inner = MastodonSource(
      server: feed.server, token: nil, transport: library.transport, time: library.clock.timekeeper)
    let source = Unsteady(inner: inner, dies: dies) { [state] in if $0 > 1, shifts > 0 { state.arrive(shifts) } }
    _ = await library.pull(feed, from: source, plan)
    guard source.isDead else { return }
    // A process that dies does not close its pull.
    try? Connections("\(library.folder)/media.sqlite", .asItIs).write { db in
      try db.execute("UPDATE cursor SET state = 'open' WHERE id = (SELECT max(id) FROM cursor)")
    }
  }

  /// What a harvest does: new posts, then gaps.
  mutating func runCleanly() async {
    let scope: PullPlan.Scope = [.new, .all].randomElement(using: &chance) ?? .new
    isToTheEnd = scope == .all
    log.append("clean \(scope)")
    for scope in [scope, .gaps] {
      await pull(
        PullPlan(scope, pages: nil, pageSize: World.size, pictures: false, avatars: false), dies: nil, shifts: 0)
    }
  }

  // MARK: What must hold

  /// A interval claims only posts that were read.
  func checkClaims() throws {
    let held = try Set(library.posts.map(\.uri))
    let ids = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) })
    let shown = Set(state.shownIndices)
    for interval in try intervals() {
      guard let top = ids[interval.newest], let bottom = ids[interval.oldest] else { continue }
      let missing = (top...max(top, bottom)).filter { shown.contains($0) && !held.contains(all[$0].uri) }
      // Late posts are found by the next run at the latest.
      #expect(missing.filter { !state.everLate.contains($0) } == [], "seed \(seed): \(log)")
    }
  }

  func checkWhole() throws {
    let known = known()
    let text = "seed \(seed): \(log.joined(separator: "; "))"
    // Posts below all that was ever read are not missing, unless the last run was to reach the feed's end.
    let wanted = state.shownIndices.filter { isToTheEnd || $0 <= known.last ?? 0 }
    #expect(known == wanted, "\(text)")
    #expect(try library.store.gaps() == [], "\(text)")
    #expect(try intervals().count == (state.shownIndices.isEmpty ? 0 : 1), "\(text)")
  }

  /// The intervals by the indexes of their edges.
  private func coverageText() throws -> [String] {
    let ids = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) })
    return try intervals().map { "[\(ids[$0.newest] ?? -1)…\(ids[$0.oldest] ?? -1)]" }
  }

  private func intervals() throws -> [(newest: String, oldest: String)] {
    try Connections("\(library.folder)/media.sqlite", .asItIs).read { db in
      try db.rows("SELECT newest, oldest FROM coverage").map { ($0[0], $0[1]) }
    }
  }
}

/// A source whose process dies at a request.
private final class Unsteady: Source {
  private let inner: MastodonSource
  private let dies: Int?
  private let count = Atomic(0)
  private let onRequest: @Sendable (Int) -> Void

  init(inner: MastodonSource, dies: Int?, onRequest: @escaping @Sendable (Int) -> Void) {
    self.inner = inner
    self.dies = dies
    self.onRequest = onRequest
  }

  var isDead: Bool { dies.map { count.load(ordering: .relaxed) >= $0 } ?? false }

  private func step() throws(SourceError) {
    let number = count.add(1, ordering: .relaxed).newValue
    if let dies, number >= dies { throw .cancelled }
    onRequest(number)
  }

  func page(of feed: Feed, after cursor: Posts.Cursor?, size: Int?) async throws(SourceError) -> Page {
    try step()
    return try await inner.page(of: feed, after: cursor, size: size)
  }

  func page(of feed: Feed, above id: String, size: Int?) async throws(SourceError) -> Page? {
    try step()
    return try await inner.page(of: feed, above: id, size: size)
  }

  func cursor(below id: String) -> Posts.Cursor? { inner.cursor(below: id) }
}
