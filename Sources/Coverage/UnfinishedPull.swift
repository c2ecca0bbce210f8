/// A pull that did not reach its goal.
package struct UnfinishedPull: Sendable, Hashable {
  package let id: Int64
  package let goal: PullGoal
  /// How many pages it has read.
  package let pages: Int
  /// The number of items on them.
  package let items: Int
  /// The source's cursor for what is below.
  package let next: String?
  private let storedPosition: Int64?
  /// Its coverage interval, and those below that are linked with it.
  package var parts: [CoverageInterval] = []
  /// The lowest position of its interval; nil if that has no item.
  package var bottom: Int64?

  /// Creates a pull from its row.
  package init(id: Int64, goal: PullGoal, pages: Int, items: Int, next: String?, position: Int64?) {
    (self.id, self.goal, self.pages, self.items, self.next) = (id, goal, pages, items, next)
    storedPosition = position
  }

  /// Its coverage interval.
  package var interval: CoverageInterval? { parts.first }

  /// Its position in its interval.
  package var position: Int64? { bottom.map { storedPosition ?? $0 } }

  /// Whether nothing of its interval is below its position.
  package var isLowest: Bool {
    guard let bottom, let position else { return true }
    return position <= bottom && parts.count == 1
  }

  /// How many pages it still has to read; nil if no number of pages ends it.
  package var pagesLeft: Int? { goal.pages.map { max(1, $0 - pages) } }

  /// The number of items on a page, as far as it has read.
  package var pageLength: Int { max(1, (items + pages - 1) / max(1, pages)) }

  /// The number of items on the pages that it has not read; nil if no number of pages ends it.
  package var itemsLeft: Int? {
    guard let wanted = goal.pages else { return nil }
    let (left, overflows) = max(0, wanted - pages).multipliedReportingOverflow(by: pageLength)
    return overflows ? nil : left
  }

  /// Whether other pulls have read the rest of it since; nil if the items below its position decide. This is unknown for a
  /// pull that reads half a page into what is known: no record shows which items arrived late there.
  package var isCovered: Bool? {
    let hasEnd = parts.last?.reachedEnd == true
    // It read the feed's last page, and its process died before recording it.
    if pages > 0, next == nil, hasEnd { return true }
    if goal.known || goal.end { return hasEnd && !goal.known }
    guard position != nil else { return false }
    return hasEnd ? true : pages > 0 ? nil : false
  }

  /// Whether a pull that reached a goal has read what it was to read. One that skips known posts does not satisfy an earlier
  /// one that had to read them. And the same number of pages covers other posts today than it did then.
  package func isSatisfied(by reached: PullGoal) -> Bool {
    guard reached.covers(goal) else { return false }
    return interval == nil || !reached.known && !reached.end && goal.pages == nil
  }
}
