import Coverage
import Foundation
import Testing

/// What is left of pulls that did not reach their goals.
struct UnfinishedPullTests {
  private func pull(
    _ goal: PullGoal, pages: Int = 2, items: Int = 39, next: String? = "below", position: Int64? = nil,
    in parts: [CoverageInterval] = [interval(1, 9, 1)]
  ) -> UnfinishedPull {
    var pull = UnfinishedPull(id: 1, goal: goal, pages: pages, items: items, next: next, position: position)
    (pull.parts, pull.bottom) = (parts, parts.isEmpty ? nil : -40)
    return pull
  }

  private let ended = [interval(1, 9, 1, end: true)]

  @Test func `a pull in an interval with the feed's end has nothing left, unless it also reads what is known`() {
    for goal in [PullGoal(pages: 3), PullGoal(since: noon), PullGoal(end: true), PullGoal()] {
      #expect(pull(goal, in: ended).isCovered == true)
    }
    #expect(pull(PullGoal(known: true), in: ended).isCovered == false)
    #expect(pull(PullGoal(known: true), next: nil, in: ended).isCovered == true)
    #expect(pull(PullGoal(pages: 3), in: [interval(2, 20, 10), interval(1, 9, 1, end: true)]).isCovered == true)
  }

  @Test func `without the feed's end, pages and dates are judged by the items below`() {
    #expect(pull(PullGoal(pages: 3)).isCovered == nil)
    #expect(pull(PullGoal(since: noon)).isCovered == nil)
    #expect(pull(PullGoal(end: true)).isCovered == false)
    #expect(pull(PullGoal(pages: 3, known: true)).isCovered == false)
    #expect(pull(PullGoal(pages: 3), pages: 0, items: 0).isCovered == false)
    #expect(pull(PullGoal(pages: 3), in: []).isCovered == false)
  }

  @Test func `the pages that are left have as many items as those that were read`() {
    let three = pull(PullGoal(pages: 5))
    #expect((three.pagesLeft, three.pageLength, three.itemsLeft) == (3, 20, 60))
    let none = pull(PullGoal(pages: 1))
    #expect((none.pagesLeft, none.itemsLeft) == (1, 0))
    #expect(pull(PullGoal()).pagesLeft == nil && pull(PullGoal()).itemsLeft == nil)
    #expect(pull(PullGoal(pages: .max)).itemsLeft == nil)
    #expect(pull(PullGoal(pages: 5), pages: 1, items: 0).pageLength == 1)
  }

  @Test func `a pull without a position stands at the lower end of its interval`() {
    #expect(pull(PullGoal()).position == -40 && pull(PullGoal()).isLowest)
    #expect(pull(PullGoal(), position: -3).position == -3 && !pull(PullGoal(), position: -3).isLowest)
    #expect(!pull(PullGoal(), in: [interval(2, 20, 10), interval(1, 9, 1)]).isLowest)
    #expect(pull(PullGoal(), position: -3, in: []).position == nil && pull(PullGoal(), in: []).isLowest)
  }

  @Test func `a pull that reached a wider goal satisfies one that stored nothing, or counts no pages`() {
    #expect(pull(PullGoal(pages: 2), in: []).isSatisfied(by: PullGoal(pages: 3)))
    #expect(!pull(PullGoal(pages: 3), in: []).isSatisfied(by: PullGoal(pages: 2)))
    #expect(!pull(PullGoal(pages: 2)).isSatisfied(by: PullGoal(pages: 3)))
    #expect(pull(PullGoal(since: noon + 1)).isSatisfied(by: PullGoal(since: noon)))
    #expect(!pull(PullGoal(since: noon + 1, known: true)).isSatisfied(by: PullGoal(since: noon, known: true)))
    #expect(!pull(PullGoal(end: true)).isSatisfied(by: PullGoal(end: true)))
  }

  @Test(arguments: [
    (PullGoal(pages: 3), PullGoal(pages: 2), true), (PullGoal(pages: 2), PullGoal(pages: 3), false),
    (PullGoal(end: true), PullGoal(pages: 3), true), (PullGoal(pages: 3), PullGoal(end: true), false),
    (PullGoal(since: noon), PullGoal(since: noon + 60), true),
    (PullGoal(since: noon), PullGoal(since: noon - 60), false),
    (PullGoal(pages: 3), PullGoal(pages: 2, since: noon), true), (PullGoal(since: noon), PullGoal(pages: 2), false),
    (PullGoal(known: true), PullGoal(known: true), true), (PullGoal(known: true), PullGoal(pages: 1), false),
    (PullGoal(pages: 1), PullGoal(pages: 1, known: true), true),
  ])
  func `a goal covers another where whatever ends it ends the other no later`(
    goal: PullGoal, other: PullGoal, covers: Bool
  ) { #expect(goal.covers(other) == covers) }
}
