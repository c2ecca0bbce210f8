import FoundationEssentials
import Posts
import Services
import Storage

// One harvest of a feed: first the new posts at its newest end, then some of its gaps.

extension PullRun {
  /// The most pages of new posts, so that no server holds a harvest for ever. The next harvest finds the rest.
  static let mostNewPages = 100
  /// The most pages read to fill gaps.
  static let mostMissingPages = 20
  /// How long, in seconds, a harvest requests pages of one feed: a server may delay each of them.
  static let longest: TimeInterval = 600
  /// The seconds after which a harvest reads deeper for late posts, and after which it retries gaps that it could not fill.
  static let day: TimeInterval = 86_400
  /// The most pages that a deep read covers.
  private static let deepPages = 10
  /// Posts per page, unless the source has another size.
  private static let usualPage = 40

  /// Reads new posts, then fills gaps within a harvest's bounds.
  mutating func harvest() async throws {
    let (statistics, now) = try await inStore { [feed] store, now in (try store.pollingStatistics(of: feed), now) }
    mostPages = Self.mostNewPages
    let end = min(now.addingTimeInterval(Self.longest), plan.endsAt ?? .distantFuture)
    endsAt = end
    // A feed that was not requested must not count as read.
    guard now < end else { throw CancellationError() }
    let isDeep = statistics.deepAt.map { !Self.isWithinDay($0, now) } ?? false
    let isFirst = try await readNewest(statistics, isDeep: isDeep, now: now)
    let seen = observation.head(largest: statistics.largestPage, isFirst: isFirst)
    head = seen
    var updated = statistics
    updated.largestPage = seen.capacity
    if isDeep || statistics.deepAt == nil, time.now() < end { updated.deepAt = now }
    if updated != statistics { try await save(updated) }
    try await fillSome(updated, now: now)
  }

  /// Whether less than a day has passed between two times. False if they are reversed: the clock was set back.
  private static func isWithinDay(_ early: Date, _ late: Date) -> Bool {
    (-60..<day).contains(late.timeIntervalSince(early))
  }

  /// Reads new posts, upwards if the source supports that. Returns whether nothing of the feed was known before.
  private mutating func readNewest(_ statistics: PollingStatistics, isDeep: Bool, now: Date) async throws -> Bool {
    let size = min(max(statistics.largestPage, 1), plan.pageSize ?? Self.usualPage)
    let late = isDeep ? try await countOfLate(most: Self.deepPages * size, now: now) : nil
    // Read deeper than posts are known to come late, to find still later ones; but not by a whole page, which would leave
    // no room for new posts.
    let depth = isDeep ? min((late ?? 0) + size - size / 4, Self.deepPages * size) : size / 2
    // The page size must be known from a newest page first, or a full page could look like the feed's top.
    if feed.kind != .url, statistics.largestPage > 0, try await readUpFromTop(below: max(1, depth), page: size) {
      return false
    }
    guard try await inStore({ [feed] store, _ in try store.isKnown(feed) }) else {
      try await walkDown(to: PullGoal(pages: 1))
      return true
    }
    try await walkDown(to: PullGoal(known: true), past: late)
    return false
  }

  /// Number of newest items no older than posts that came late; nil if none came late.
  private func countOfLate(most: Int, now: Date) async throws -> Int? {
    try await inStore { [feed] store, _ in
      guard let age = try store.lateness(of: feed) else { return nil }
      return try store.countOfTop(of: feed, since: now.addingTimeInterval(-age), most: most)
    }
  }

  /// Reads upwards from below the feed's top until past it; false if that is impossible and only the way down remains.
  private mutating func readUpFromTop(below depth: Int, page size: Int) async throws -> Bool {
    let begun = try await inStore { [feed] in try $0.beginIncrementalPull(of: feed, below: depth, now: $1) }
    guard let incremental = begun else { return false }
    do {
      let isUsed = try await readUp(incremental, page: size)
      try await finish(incremental.pull, reached: isUsed)
      return isUsed
    } catch {
      try? await finish(incremental.pull, reached: false)
      throw error
    }
  }

  private mutating func readUp(_ incremental: IncrementalPull, page size: Int) async throws -> Bool {
    var anchor = incremental.anchor
    var seen: Set<String> = []
    while pagesLeft != 0, seen.insert(anchor).inserted {
      let before = observation.arrived
      // If the feed itself is gone, the way down reports it.
      guard let (page, merge) = try await readPage(incremental.pull, above: anchor, tries: seen.count == 1 ? 2 : 1)
      else {
        return false
      }
      switch merge {
      case .joined: return true
      case .top:
        // A page full of known posts does not show what is above it.
        guard page.items.count * 10 >= size * 9, let next = Self.nearTop(of: page) else { return true }
        anchor = next
        continue
      case .apart: return false
      case .higher(let next): anchor = next
      }
      let arrived = observation.arrived - before
      if isShort(page, of: size, arrived: arrived), try await isOver(page, incremental.pull) { return true }
    }
    return true
  }

  /// The id of an item below the page's top two. The page above it repeats those two, which shows where it belongs.
  private static func nearTop(of page: Page) -> String? {
    page.items.filter { !$0.pinned }.prefix(3).last?.feedID
  }

  /// Whether a page is so short that nothing is above it. A server that omits posts, such as those of muted people, sends
  /// full pages a few posts short: if these ended the read, a busy feed would always grow faster than it is read. So new
  /// posts that fill more than half of what the known ones leave of the page may have others above them.
  private func isShort(_ page: Page, of size: Int, arrived: Int) -> Bool {
    let count = page.items.count
    return count < size && (count * 4 < size * 3 || arrived * 2 <= size - (count - arrived))
  }

  /// Whether a page that was not full ends at the former top or above.
  private func isOver(_ page: Page, _ pull: Pull) async throws -> Bool {
    guard let top = page.items.first(where: { !$0.pinned })?.feedID else { return true }
    return try await inStore { store, _ in try store.isNearTop(top, of: pull) }
  }

  /// Fills gaps within a harvest's bounds. If a gap remains after everything was tried, the next try is a day later.
  private mutating func fillSome(_ statistics: PollingStatistics, now: Date) async throws {
    summary.next = nil
    let count = try await gaps().count
    summary.complete = count == 0
    let isTooSoon = statistics.fillAt.map { Self.isWithinDay($0.addingTimeInterval(-Self.day), now) } ?? false
    if isTooSoon || summary.complete {
      gapCount = count
      return
    }
    mostPages = summary.pages + Self.mostMissingPages
    var updated = statistics
    do {
      try await fillGaps()
      updated.fillAt = summary.complete || pagesLeft == 0 ? nil : now.addingTimeInterval(Self.day)
    } catch {
      if Self.willFailAgain(error) {
        updated.fillAt = now.addingTimeInterval(Self.day)
        try? await save(updated)
      }
      throw error
    }
    if updated != statistics { try await save(updated) }
  }

  /// Whether the gap itself is the cause, not the present state of the server or network.
  static func willFailAgain(_ error: any Error) -> Bool {
    switch error {
    case SourceError.notFound, SourceError.gone: true
    default: (error as? any ExplainedError)?.exitCode == .unreadable
    }
  }

  private func save(_ statistics: PollingStatistics) async throws {
    try await inStore { [feed] store, _ in try store.keep(statistics, of: feed) }
  }
}
