import Foundation
import Machine
import Posts
import SQLite
import Testing

@testable import Storage

/// Which intervals of a feed are known to be complete.
struct CoverageTests {
  /// Newest edge, oldest edge, end, and the numbers of the posts inside, in the feed's order.
  private func intervals(_ library: TestLibrary) throws -> [String] {
    try library.lines(
      """
      SELECT replace(newest, 'social.example-', ''), replace(oldest, 'social.example-', ''), reached_end,
        (SELECT group_concat(replace(remote_id, 'social.example-', ''), ' ')
         FROM (SELECT remote_id FROM feed_post WHERE coverage = c.id ORDER BY place DESC, created_at DESC))
      FROM coverage c ORDER BY (SELECT max(created_at) FROM feed_post WHERE coverage = c.id) DESC
      """
    )
  }

  @Test func `a pull makes one interval that grows page by page`() throws {
    let library = try TestLibrary()
    try library.pull([page([9, 8, 7]), page([6, 5]), page([4])])
    #expect(try intervals(library) == ["9|4|0|9 8 7 6 5 4"])
  }

  @Test func `the feed's end is part of the interval`() throws {
    let library = try TestLibrary()
    try library.pull([page([2]), page([1], next: .end)])
    #expect(try intervals(library) == ["2|1|1|2 1"])
    let other = try TestLibrary()
    try other.pull([page([2]), page([], next: .end)])
    #expect(try intervals(other) == ["2|2|1|2"])
  }

  @Test func `a feed's end that proved wrong is forgotten`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2], next: .end)])
    try library.pull([page([3, 2]), page([1])])
    #expect(try intervals(library) == ["3|1|0|3 2 1"])
  }

  @Test func `between two pulls there is a gap until a pull closes it`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2, 1], next: .end)])
    try library.pull([page([9, 8])])
    #expect(try intervals(library) == ["9|8|0|9 8", "3|1|1|3 2 1"])
    try library.pull([page([9, 8, 7]), page([6, 5, 4]), page([3, 2])])
    #expect(try intervals(library) == ["9|1|1|9 8 7 6 5 4 3 2 1"])
  }

  @Test func `the cost of a page does not grow with the gaps of its feed`() throws {
    let library = try TestLibrary()
    var newest = 0
    let costs = try [40, 120].map { gaps in
      while newest < 10 * gaps {
        newest += 10
        try library.pull([page([newest + 1, newest])])
      }
      newest += 10
      return try library.statements { try library.pull([page((0..<6).map { newest + 6 - $0 })]) }.count
    }
    #expect(costs[0] > 20)
    #expect(costs[0] == costs[1])
  }

  @Test func `one known post in the middle of a page does not close a gap`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2, 1])])
    try library.pull([page([9, 3, 8])])
    #expect(try intervals(library) == ["9|8|0|9 3 8", "2|1|0|2 1"])
  }

  @Test func `reading the newest page again moves nothing`() throws {
    let library = try TestLibrary()
    try library.pull([page([6, 5, 4]), page([3, 2, 1])])
    try library.pull([page([6, 5, 4])])
    #expect(try intervals(library) == ["6|1|0|6 5 4 3 2 1"])
  }

  @Test func `pages that shifted during the pull still make one interval`() throws {
    let library = try TestLibrary()
    try library.pull([page([6, 5, 4])])
    try library.pull([page([8, 7, 6]), page([6, 5, 4]), page([4, 3, 2])])
    #expect(try intervals(library) == ["8|2|0|8 7 6 5 4 3 2"])
  }

  @Test func `a pull that continues below an old interval joins the next one, too`() throws {
    let library = try TestLibrary()
    try library.pull([page([2, 1], next: .end)])
    try library.pull([page([6, 5])])
    try library.pull([page([8, 7, 6]), page([5, 4, 3]), page([2, 1], next: .end)])
    #expect(try intervals(library) == ["8|1|1|8 7 6 5 4 3 2 1"])
  }

  @Test func `a shorter interval that a page covers completely is merged`() throws {
    let library = try TestLibrary()
    try library.pull([page([7, 6])])
    try library.pull([page([8, 7, 6, 5])])
    #expect(try intervals(library) == ["8|5|0|8 7 6 5"])
  }

  @Test func `a late post within an interval moves no edge`() throws {
    let library = try TestLibrary()
    try library.pull([page([9, 8, 6]), page([5, 4])])
    try library.pull([page([9, 8, 7]), page([6, 5])])
    #expect(try intervals(library) == ["9|4|0|9 8 7 6 5 4"])
  }

  @Test func `pinned posts are outside intervals until they appear in order`() throws {
    let library = try TestLibrary()
    let pinned = item(post(1), pinned: true)
    try library.pull([Page(items: [pinned, item(post(9)), item(post(8))], next: .after(Cursor("c")))])
    #expect(try intervals(library) == ["9|8|0|9 8"])
    try library.pull([Page(items: [pinned, item(post(9)), item(post(8)), item(post(1))], next: .end)])
    #expect(try intervals(library) == ["9|1|1|9 8 1"])
    #expect(try library.lines("SELECT count(*) FROM feed_post WHERE pinned") == ["0"])
  }

  @Test func `each page commits its cursor with its posts, after the goal was stored`() throws {
    let library = try TestLibrary()
    let goal = PullGoal(pages: 3, since: noon)
    let pull = try library.store.beginPull(of: cats, goal: goal, now: noon)
    let state = "SELECT goal_pages, goal_since, goal_end, pages, next, state FROM cursor"
    #expect(try library.lines(state) == ["3|\(UTC.text(noon))|0|0|-|open"])
    _ = try library.store.save(page([3, 2], next: .after(Cursor("2"))), in: pull, now: noon)
    #expect(try library.lines(state) == ["3|\(UTC.text(noon))|0|1|2|open"])
    try library.store.finishPull(pull, reached: false, now: noon)
    #expect(try library.lines("SELECT state, next FROM cursor") == ["unfinished|2"])
  }

  @Test func `a pull that was overtaken by another stops, and its whole page is rolled back`() throws {
    let library = try TestLibrary()
    let slow = try library.store.beginPull(of: cats, goal: PullGoal(), now: noon)
    _ = try library.store.save(page([3]), in: slow, now: noon)
    try library.pull([page([4, 3])])
    #expect(throws: StorageError.overtaken(feed: cats.name)) {
      try library.store.save(page([2, 1]), in: slow, now: noon)
    }
    #expect(try library.lines("SELECT count(*) FROM post") == ["2"])
    #expect(try library.lines("SELECT state FROM cursor") == ["unfinished", "reached"])
  }

  @Test func `an edge that moved during a pull is not overwritten`() throws {
    let library = try TestLibrary()
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(), now: noon)
    _ = try library.store.save(page([3]), in: pull, now: noon)
    try library.database.write { try $0.execute("UPDATE coverage SET version = version + 1") }
    #expect(throws: StorageError.overtaken(feed: cats.name)) { try library.store.save(page([2]), in: pull, now: noon) }
  }
}
