import FoundationEssentials

/// Where a pull ends: at the first of these conditions, and always at the feed's end.
public struct PullGoal: Sendable, Hashable {
  /// The number of pages to read.
  public var pages: Int?
  /// Stops at the first page whose every post is older.
  public var since: Date?
  /// Reads to the feed's end.
  public var end: Bool
  /// Stops at a coverage interval.
  public var known: Bool

  /// Creates a goal. By default nothing but the end of the feed ends the pull.
  public init(pages: Int? = nil, since: Date? = nil, end: Bool = false, known: Bool = false) {
    self.pages = pages
    self.since = since
    self.end = end
    self.known = known
  }

  /// Whether a pull from the feed's top reads at least as far with this goal as with the other: each condition that
  /// ends this one ends the other no later.
  public func covers(_ other: PullGoal) -> Bool {
    let pagesReach = pages.map { pages in other.pages.map { $0 <= pages } ?? false } ?? true
    let datesReach = since.map { since in other.since.map { $0 >= since } ?? false } ?? true
    return pagesReach && datesReach && (!known || other.known)
  }
}
