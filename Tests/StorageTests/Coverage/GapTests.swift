import Foundation
import Posts
import Testing

@testable import Storage

/// The known gaps of a feed, and how pulls resume at them.
struct GapTests {
  /// Kind, edge above, edge below, the minutes of the dates.
  private func gaps(_ library: TestLibrary, isRunning: (Feed) -> Bool = { _ in false }) throws -> [String] {
    try library.store.gaps(isRunning: isRunning).map { gap in
      let words = [gap.above, gap.below].map { $0?.replacing("social.example-", with: "") ?? "-" }
      let minutes = [gap.from, gap.to].map { $0.map { "\(Int($0.timeIntervalSince1970 - 1_700_000_000) / 60)" } ?? "-" }
      return "\(gap.kind) \(words.joined(separator: "…")) \(minutes.joined(separator: "…"))"
    }
  }

  @Test func `gaps are between two intervals, the newest first`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2, 1], next: .end)])
    try library.pull([page([9, 8])])
    try library.pull([page([19, 18])])
    #expect(try gaps(library) == ["gap 18…9 9…18", "gap 8…3 3…8"])
  }

  @Test func `the posts at a gap's edges are found whatever the intervals' length`() throws {
    let plan = try TestLibrary().lines("EXPLAIN QUERY PLAN \(Store.edgeQuery.replacing("$", with: "'x' || "))")
    #expect(plan.contains { $0.contains("(feed=? AND remote_id=?)") }, "\(plan)")
  }

  @Test func `an unread older end is not a gap`() throws {
    let library = try TestLibrary()
    try library.pull([page([9, 8])])
    #expect(try gaps(library) == [])
  }

  @Test func `a pull that did not reach its goal is unfinished, even before its first page`() throws {
    let library = try TestLibrary()
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 3), now: noon)
    #expect(try gaps(library) == ["unfinished -…- -…-"])
    #expect(try gaps(library) { $0 == cats } == [])
    _ = try library.store.save(page([9, 8]), in: pull, now: noon)
    #expect(try gaps(library) == ["unfinished 8…- -…8"])
    try library.store.finishPull(pull, reached: false, now: noon)
    #expect(try gaps(library) == ["unfinished 8…- -…8"])
  }

  @Test func `a goal of more pages than any feed has is allowed`() throws {
    let library = try TestLibrary()
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: .max), now: noon)
    _ = try library.store.save(page([9, 8]), in: pull, now: noon)
    try library.store.finishPull(pull, reached: false, now: noon)
    #expect(try gaps(library) == ["unfinished 8…- -…8"])
  }

  @Test func `several unfinished pulls at one position are reported once, and none below the feed's end`() throws {
    let library = try TestLibrary()
    for top in [9, 12, 15] {
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(end: true), now: noon)
      _ = try library.store.save(page([top, top - 1, top - 2, top - 3]), in: pull, now: noon)
      try library.store.finishPull(pull, reached: false, now: noon)
    }
    let reportedGaps = try gaps(library)
    #expect(Set(reportedGaps).count == reportedGaps.count)
    let (pull, start, _) = try #require(
      try library.store.resumePull(of: cats, now: noon).map { ($0.pull, $0.start, 0) })
    #expect(start != nil)
    _ = try library.store.save(page([5, 4, 3, 2, 1], next: .end), in: pull, now: noon)
    try library.store.finishPull(pull, reached: true, now: noon)
    #expect(try gaps(library) == [])
  }

  @Test func `the date that a pull was to reach is reported`() throws {
    let library = try TestLibrary()
    let since = Date(timeIntervalSince1970: 1_700_000_000 + 120)
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(since: since), now: noon)
    _ = try library.store.save(page([9, 8]), in: pull, now: noon)
    #expect(try gaps(library) == ["unfinished 8…- 2…8"])
  }

  @Test func `a gap with an unfinished pull in it is reported once`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2])])
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 3), now: noon)
    _ = try library.store.save(page([9, 8]), in: pull, now: noon)
    #expect(try gaps(library) == ["unfinished 8…3 3…8"])
  }

  @Test func `a pull that reads as far satisfies an unfinished one, a shorter one does not`() throws {
    let library = try TestLibrary()
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 3), now: noon)
    _ = try library.store.save(page([9, 8]), in: pull, now: noon)
    try library.pull([page([9, 8]), page([7])])
    #expect(try gaps(library) == ["unfinished 7…- -…7"])
    try library.pull([page([9, 8]), page([7, 6]), page([5, 4])])
    #expect(try gaps(library) == [])
  }

  @Test func `posts that other pulls read below an unfinished pull count`() throws {
    let library = try TestLibrary()
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 3), now: noon)
    _ = try library.store.save(page([9, 8]), in: pull, now: noon)
    let (below, edge) = try #require(try library.store.beginPull(below: cats, goal: PullGoal(pages: 2), now: noon))
    #expect(edge.id == "social.example-8")
    _ = try library.store.save(page([7, 6]), in: below, now: noon)
    _ = try library.store.save(page([5, 4]), in: below, now: noon)
    try library.store.finishPull(below, reached: true, now: noon)
    #expect(try gaps(library) == [])
    #expect(try library.store.resumePull(of: cats, now: noon) == nil)
  }

  @Test func `a pull resumes from its cursor, with its remaining pages`() throws {
    let library = try TestLibrary()
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 5), now: noon)
    _ = try library.store.save(page([9, 8], next: .after(Cursor("8"))), in: pull, now: noon)
    let left = try #require(try library.store.resumePull(of: cats, now: noon))
    #expect((left.pull.id, left.pages, left.start) == (pull.id, 4, Cursor("8")))
    #expect(left.pull.goal == PullGoal(pages: 5))
    _ = try library.store.save(page([7]), in: left.pull, now: noon)
    try library.store.finishPull(left.pull, reached: true, now: noon)
    #expect(try gaps(library) == [])
    #expect(try library.lines("SELECT pages, state FROM cursor") == ["2|reached"])
  }

  @Test func `a pull that was killed after the feed's last page has nothing left`() throws {
    let library = try TestLibrary()
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(end: true), now: noon)
    _ = try library.store.save(page([9, 8], next: .after(Cursor("8"))), in: pull, now: noon)
    _ = try library.store.save(page([7], next: .end), in: pull, now: noon)
    #expect(try library.store.resumePull(of: cats, now: noon) == nil)
    #expect(try gaps(library) == [])
  }

  @Test func `a pull that stored no post restarts at the top`() throws {
    let library = try TestLibrary()
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 5), now: noon)
    _ = try library.store.save(page([Int](), next: .after(Cursor("8"))), in: pull, now: noon)
    #expect(try #require(try library.store.resumePull(of: cats, now: noon)).start == nil)
  }

  @Test func `an unfinished pull keeps its checkpoint while intervals merge around it`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2, 1])])
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 4), now: noon)
    _ = try library.store.save(page([9, 8]), in: pull, now: noon)
    // Another pull closes the gap above and below this one's position.
    try library.pull([page([12, 11, 10]), page([9, 8, 7])])
    try library.pull([page([12, 11, 10]), page([9, 8, 7]), page([6, 5, 4, 3])])
    let position =
      "SELECT (SELECT group_concat(remote_id) FROM feed_post b WHERE b.coverage = c.coverage AND b.place = c.place)"
    #expect(try library.lines("\(position) FROM cursor c WHERE id = \(pull.id)") == ["social.example-8"])
    // Six posts are below it. Three pages of two were left.
    #expect(try gaps(library) == [])
  }

  @Test func `a pull below everything known begins at the lower edge, with the source's own cursor`() throws {
    let library = try TestLibrary()
    #expect(try library.store.beginPull(below: cats, goal: PullGoal(pages: 1), now: noon) == nil)
    try library.pull([page([3, 2], next: .after(Cursor("token")))])
    try library.pull([page([9, 8], next: .after(Cursor("other")))])
    let (pull, edge) = try #require(try library.store.beginPull(below: cats, goal: PullGoal(pages: 1), now: noon))
    #expect((edge.id, edge.next, edge.isEnd) == ("social.example-2", Cursor("token"), false))
    _ = try library.store.save(page([1], next: .end), in: pull, now: noon)
    try library.store.finishPull(pull, reached: true, now: noon)
    #expect(try #require(try library.store.beginPull(below: cats, goal: PullGoal(), now: noon)).1.isEnd)
  }

  @Test func `the end found below a gap says nothing about what is above it`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2])])
    try library.pull([page([9, 8])])
    let (pull, _) = try #require(try library.store.beginPull(below: cats, goal: PullGoal(pages: 1), now: noon))
    _ = try library.store.save(page([1], next: .end), in: pull, now: noon)
    try library.store.finishPull(pull, reached: true, now: noon)
    #expect(try gaps(library) == ["gap 8…3 3…8"])
  }
}
