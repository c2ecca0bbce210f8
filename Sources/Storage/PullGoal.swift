import Foundation
import Posts

/// Where a pull is to end. The first of what is given ends it, and the feed's end always does.
public struct PullGoal: Sendable, Hashable {
  /// So many pages.
  public var pages: Int?
  /// The first page whose every post is older.
  public var since: Date?
  /// The feed's end.
  public var end: Bool
  /// Where it comes to a stretch that is complete.
  public var known: Bool

  /// A goal from its parts.
  public init(pages: Int? = nil, since: Date? = nil, end: Bool = false, known: Bool = false) {
    self.pages = pages
    self.since = since
    self.end = end
    self.known = known
  }

  /// Whether a pull that begins at the feed's top ends no earlier with this goal than with the other: each thing that
  /// ends it here ends it there.
  public func covers(_ other: PullGoal) -> Bool {
    let pagesReach = pages.map { pages in other.pages.map { $0 <= pages } ?? false } ?? true
    let datesReach = since.map { since in other.since.map { $0 >= since } ?? false } ?? true
    return pagesReach && datesReach && (!known || other.known)
  }

  init(_ row: Row) {
    pages = row["goal_pages"]
    since = (row["goal_since"] as String?).flatMap(UTC.date)
    end = row["goal_end"]
    known = row["goal_known"]
  }
}
