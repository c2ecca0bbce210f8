import Foundation
import MediaLibrary
import Testing

@Suite(.timeLimit(.minutes(10))) struct PagingTests {
  private func numbers(_ snapshot: Snapshot<ListedPost>) -> [Int64] { snapshot.rows.map(\.post.id) }

  @Test(arguments: [(7, 20), (5, 5), (1, 1), (50, 60)])
  func `sliding through a list shows each row, and never holds more than the limit`(step: Int, limit: Int) async throws
  {
    let home = try Home()
    try home.save(1...60)
    let all = Array(Int64(1)...60)
    let results = home.library.results(of: PostListQuery(), window: Window(after: min(step, limit)))
    try await results.performFetch()
    var shown = numbers(results.snapshot)
    while let next = results.snapshot.window(after: step, atMost: limit) {
      let before = numbers(results.snapshot)
      try await results.move(to: next)
      let after = numbers(results.snapshot)
      #expect(after.count <= max(limit, 2))
      #expect(!Set(before).isDisjoint(with: after))
      shown += after.filter { !shown.contains($0) }
    }
    #expect(shown == all)
    shown = numbers(results.snapshot)
    while let next = results.snapshot.window(before: step, atMost: limit) {
      try await results.move(to: next)
      let after = numbers(results.snapshot)
      #expect(after.count <= max(limit, 2))
      shown = after.filter { !shown.contains($0) } + shown
    }
    #expect(shown == all)
    await results.stop()
  }

  @Test func `a window grows from the start, and shows new rows on top`() async throws {
    let home = try Home()
    try home.save(1...9)
    let first = try home.library.snapshot(of: PostListQuery(), window: Window(after: 3))
    let grown = try #require(first.window(after: 3, atMost: 6))
    #expect(grown == Window(after: 6))
    let slid = try home.library.snapshot(of: PostListQuery(), window: grown).window(after: 3, atMost: 6)
    #expect(slid?.anchor == (try home.library.snapshot(of: PostListQuery(), window: grown).rows.last?.key))
    #expect(slid?.before == 2 && slid?.after == 4)
  }

  @Test func `new rows above a window that has slid move nothing in it`() throws {
    let home = try Home()
    try home.save(1...9)
    let first = try home.library.snapshot(of: PostListQuery(), window: Window(after: 3))
    let slid = try #require(first.window(after: 2, atMost: 3))
    let before = try home.library.snapshot(of: PostListQuery(), window: slid)
    try home.save(10...12)
    #expect(try home.library.snapshot(of: PostListQuery(), window: slid).rows == before.rows)
  }

  @Test func `an empty list, and one whose window shows all of it, have no next window`() throws {
    let home = try Home()
    #expect(try home.library.snapshot(of: PostListQuery()).window(after: 5, atMost: 10) == nil)
    try home.save(1...3)
    let whole = try home.library.snapshot(of: PostListQuery())
    #expect(whole.window(after: 5, atMost: 10) == nil)
    #expect(whole.window(before: 5, atMost: 10) == nil)
  }

  @Test func `the end of a list is shown with the rows added below it`() throws {
    let home = try Home()
    #expect(try home.library.window(atEndOf: PostListQuery(), 5) == nil)
    try home.save(11...60)
    let end = try #require(try home.library.window(atEndOf: PostListQuery(), 5))
    let last = try home.library.snapshot(of: PostListQuery(), window: end)
    #expect(last.rows.map(\.post.caption) == (11...15).reversed().map { "post \($0)" })
    #expect((last.hasMoreBefore, last.hasMoreAfter) == (true, false))
    try home.save(9...10)
    let grown = try home.library.snapshot(of: PostListQuery(), window: end)
    #expect(grown.rows.map(\.post.caption) == (9...15).reversed().map { "post \($0)" })
  }
}
