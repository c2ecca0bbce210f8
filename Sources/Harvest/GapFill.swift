import Posts
import Services
import Storage

// Filling what is known to be missing: unfinished pulls from where they stand, gaps from below where the source can.

extension PullRun {
  /// As many posts as half of a page holds, by which what came late is found.
  private var halfPage: Int { (plan.pageSize ?? 40) / 2 }

  /// Fills what is missing of the feed, the latest first, as far as the pages go.
  mutating func fillGaps() async throws {
    try await resumeAll()
    var tried: Set<Gap> = []
    while pagesLeft != 0, !summary.showsNothing,
      let gap = try await gaps().first(where: { $0.kind == .gap && !tried.contains($0) })
    {
      tried.insert(gap)
      if try await !climb(gap), pagesLeft != 0 { try await descend(gap) }
    }
    summary.complete = try await gaps().isEmpty
    summary.next = nil
  }

  /// Fills one gap, as far as the pages go; complete where nothing is missing there any more.
  mutating func fill(_ gap: Gap) async throws {
    if try await !climb(gap), pagesLeft != 0 { try await descend(gap) }
    summary.complete = try await inStore { store, _ in try !store.isOpen(gap) }
    summary.next = nil
  }

  /// Walks up from the stretch below, where no new gap can open; false where the source does not lead that way.
  private mutating func climb(_ gap: Gap) async throws -> Bool {
    let halfPage = halfPage
    let begun = try await inStore { try $0.beginFill(of: gap, upwards: true, halfPage: halfPage, now: $1) }
    guard let (pull, _, anchor) = begun else { return true }
    do {
      let isClosed = try await climb(pull, from: anchor)
      try await finish(pull, reached: isClosed)
      return isClosed
    } catch {
      try? await finish(pull, reached: false)
      throw error
    }
  }

  private mutating func climb(_ pull: Pull, from anchor: String) async throws -> Bool {
    var anchor = anchor
    var seen: Set<String> = []
    while pagesLeft != 0, seen.insert(anchor).inserted {
      guard let (_, climb) = try await climbOn(pull, above: anchor) else { return false }
      switch climb {
      case .joined: return true
      case .higher(let next): anchor = next
      case .apart, .top: return false
      }
    }
    return false
  }

  /// Reads and stores the page above an id; nil where the source does not lead that way.
  mutating func climbOn(_ pull: Pull, above anchor: String) async throws -> (Page, Climb)? {
    try await waitForPictures()
    guard let page = try await source.page(of: feed, above: anchor, size: plan.pageSize) else { return nil }
    let pictures = plan.pictures
    let (saved, climb) = try await inStore { [anchor] store, now in
      try store.save(page, above: anchor, in: pull, pictures: pictures, now: now)
    }
    try await count(saved, of: PageOutline(page))
    return (page, climb)
  }

  /// Walks down from the stretch above until it touches the one below.
  private mutating func descend(_ gap: Gap) async throws {
    let begun = try await inStore { try $0.beginFill(of: gap, upwards: false, halfPage: 0, now: $1) }
    guard let (pull, edge, _) = begun else { return }
    guard let start = edge.next ?? source.cursor(below: edge.id) else { return try await descendFromTop(to: gap) }
    try await walk(pull, from: start, pages: nil)
  }

  /// Walks down to a gap from the feed's top, through what is known: where the cursor to it was another API's, no other
  /// way leads there. A document shows nothing below itself. A harvest does not go that way, which a person did not ask
  /// for: to read again what is known may cost money, and where the feed ends above the gap it would do so every time.
  private mutating func descendFromTop(to gap: Gap) async throws {
    guard plan.scope != .harvest, feed.kind != .url, let from = gap.from else { return }
    try await walkDown(to: PullGoal(since: from))
  }
}
