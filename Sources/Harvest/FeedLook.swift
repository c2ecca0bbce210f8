import Foundation
import Posts
import Services
import Storage

// One harvest of a feed: first what is new at its newest end, then some of what is known to be missing.

extension PullRun {
  /// The most pages read of what is new, so that no server holds a harvest for ever. What is left is found by the next.
  static let mostNewPages = 100
  /// The most pages read of what is missing.
  static let mostMissingPages = 20
  /// How long, in seconds, a harvest goes on asking for pages of one feed: a server may have each of them waited for.
  static let longest: TimeInterval = 600
  /// The time after which a harvest looks deeper for what came late, and after which it asks again for what is missing
  /// where asking brought nothing.
  static let day: TimeInterval = 86_400
  /// How many pages deep it looks at most.
  private static let deepPages = 10
  /// Posts of a page, where the source does not say otherwise.
  private static let usualPage = 40

  /// Reads what is new, then fills what is missing as far as a harvest goes.
  mutating func harvest() async throws {
    let (habit, now) = try await inStore { [feed] store, now in (try store.habit(of: feed), now) }
    mostPages = Self.mostNewPages
    let end = min(now.addingTimeInterval(Self.longest), plan.endsAt ?? .distantFuture)
    endsAt = end
    // What was not asked for must not pass for looked at.
    guard now < end else { throw CancellationError() }
    let isDeep = habit.deepAt.map { !Self.isWithinDay($0, now) } ?? false
    let isFirst = try await look(habit, isDeep: isDeep, now: now)
    let seen = sight.head(largest: habit.largestPage, isFirst: isFirst)
    head = seen
    var learnt = habit
    learnt.largestPage = seen.capacity
    if isDeep || habit.deepAt == nil, time.now() < end { learnt.deepAt = now }
    if learnt != habit { try await keep(learnt) }
    try await fillSome(learnt, now: now)
  }

  /// Whether no day has passed between two times; where they are the wrong way round the clock was put back meanwhile, and
  /// nobody knows.
  private static func isWithinDay(_ early: Date, _ late: Date) -> Bool {
    (-60..<day).contains(late.timeIntervalSince(early))
  }

  /// Looks for what is new, upwards where the source can; tells whether nothing of the feed was known before.
  private mutating func look(_ habit: FeedHabit, isDeep: Bool, now: Date) async throws -> Bool {
    let size = min(max(habit.largestPage, 1), plan.pageSize ?? Self.usualPage)
    let late = isDeep ? try await countOfLate(most: Self.deepPages * size, now: now) : nil
    // Deeper than what is known to come late, or nothing that comes later still would ever be known; but not by a whole
    // page, which would have no room for what is new.
    let depth = isDeep ? min((late ?? 0) + size - size / 4, Self.deepPages * size) : size / 2
    // Until a newest page has shown how many items the server gives, a climb could end where they do.
    if feed.kind != .url, habit.largestPage > 0, try await climbFromTop(below: max(1, depth), page: size) {
      return false
    }
    guard try await inStore({ [feed] store, _ in try store.isKnown(feed) }) else {
      try await walkDown(to: PullGoal(pages: 1))
      return true
    }
    try await walkDown(to: PullGoal(known: true), past: late)
    return false
  }

  /// How many of the newest items are no older than what came late into the feed; nil where nothing is known to have.
  private func countOfLate(most: Int, now: Date) async throws -> Int? {
    try await inStore { [feed] store, _ in
      guard let age = try store.lateness(of: feed) else { return nil }
      return try store.countOfTop(of: feed, since: now.addingTimeInterval(-age), most: most)
    }
  }

  /// Climbs from below the feed's top until it is over it; false where that cannot be, and the way down is what is left.
  private mutating func climbFromTop(below depth: Int, page size: Int) async throws -> Bool {
    let begun = try await inStore { [feed] in try $0.beginLook(of: feed, below: depth, now: $1) }
    guard let look = begun else { return false }
    do {
      let isUsed = try await climb(look, page: size)
      try await finish(look.pull, reached: isUsed)
      return isUsed
    } catch {
      try? await finish(look.pull, reached: false)
      throw error
    }
  }

  private mutating func climb(_ look: Look, page size: Int) async throws -> Bool {
    var anchor = look.anchor
    var seen: Set<String> = []
    while pagesLeft != 0, seen.insert(anchor).inserted {
      let before = sight.arrived
      // Where the feed itself is gone, the way down tells.
      guard let (page, climb) = try await climbOn(look.pull, above: anchor, tries: seen.count == 1 ? 2 : 1) else {
        return false
      }
      switch climb {
      case .joined: return true
      case .top:
        // A full page of what is known says nothing of what stands above it.
        guard page.items.count >= size, let next = Self.nearTop(of: page) else { return true }
        anchor = next
        continue
      case .apart: return false
      case .higher(let next): anchor = next
      }
      if isShort(page, of: size, arrived: sight.arrived - before), try await isOver(page, look.pull) { return true }
    }
    return true
  }

  /// The id of an item of a page above which a page shows two of its items again, and so where it belongs.
  private static func nearTop(of page: Page) -> String? {
    page.items.filter { !$0.pinned }.prefix(3).last?.feedID
  }

  /// Whether a page is so short that nothing lies above it. A server that leaves posts out of a full page, as those of
  /// people who are muted, sends it a few short: a busy feed would for ever be read more slowly than it grows.
  private func isShort(_ page: Page, of size: Int, arrived: Int) -> Bool {
    let count = page.items.count
    return count < size && (count * 4 < size * 3 || arrived * 2 < size)
  }

  /// Whether a page that was not full ends at what was the top, or above.
  private func isOver(_ page: Page, _ pull: Pull) async throws -> Bool {
    guard let top = page.items.first(where: { !$0.pinned })?.feedID else { return true }
    return try await inStore { store, _ in try store.isNearTop(top, of: pull) }
  }

  /// Fills what is missing, as far as a harvest goes. Where asking brought all that it could and something is missing
  /// still, it is not asked for again for a day.
  private mutating func fillSome(_ habit: FeedHabit, now: Date) async throws {
    summary.next = nil
    summary.complete = try await gaps().isEmpty
    if let fillAt = habit.fillAt, Self.isWithinDay(fillAt.addingTimeInterval(-Self.day), now) { return }
    guard !summary.complete else { return }
    mostPages = summary.pages + Self.mostMissingPages
    var learnt = habit
    do {
      try await fillGaps()
      learnt.fillAt = summary.complete || pagesLeft == 0 ? nil : now.addingTimeInterval(Self.day)
    } catch {
      if Self.willFailAgain(error) {
        learnt.fillAt = now.addingTimeInterval(Self.day)
        try? await keep(learnt)
      }
      throw error
    }
    if learnt != habit { try await keep(learnt) }
  }

  /// Whether the way to what is missing is the trouble, not the server's or the network's present state.
  static func willFailAgain(_ error: any Error) -> Bool {
    switch error {
    case SourceError.notFound, SourceError.gone: true
    default: (error as? any ExplainedError)?.exitCode == .unreadable
    }
  }

  private func keep(_ habit: FeedHabit) async throws {
    try await inStore { [feed] store, _ in try store.keep(habit, of: feed) }
  }
}
