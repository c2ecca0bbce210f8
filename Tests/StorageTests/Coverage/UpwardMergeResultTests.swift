import Foundation
import Posts
import Testing

@testable import Storage

/// Fills a gap from below.
struct ClimbTests {
  /// Two intervals, 20 to 18 above and 6 to 1 below, and an upward merge from the lower one.
  private struct Slope {
    let library: TestLibrary
    let pull: Pull
    let anchor: String

    init() throws {
      library = try TestLibrary()
      try library.pull([page([6, 5, 4, 3, 2, 1])])
      try library.pull([page([20, 19, 18])])
      let gap = try #require(try library.store.gaps().first)
      let begun = try #require(try library.store.beginFill(of: gap, upwards: true, halfPage: 2, now: noon))
      (pull, anchor) = (begun.pull, begun.anchor)
    }

    func climb(_ numbers: [Int], above anchor: String? = nil) throws -> UpwardMergeResult {
      try library.store.save(page(numbers), above: anchor ?? self.anchor, in: pull, now: noon).1
    }

    func intervals() throws -> [String] {
      try library.lines(
        """
        SELECT replace(newest, 'social.example-', ''), replace(oldest, 'social.example-', ''),
          (SELECT group_concat(replace(remote_id, 'social.example-', ''), ' ')
           FROM (SELECT remote_id FROM feed_post WHERE coverage = c.id ORDER BY place DESC, created_at DESC))
        FROM coverage c ORDER BY id DESC
        """
      )
    }
  }

  @Test func `a climb begins half a page below the top`() throws {
    #expect(try Slope().anchor == "social.example-4")
  }

  @Test func `page upon page raises the top until the interval above is met`() throws {
    let slope = try Slope()
    #expect(try slope.climb([9, 8, 7, 6, 5]) == .higher(anchor: "social.example-7"))
    #expect(try slope.intervals() == ["20|18|20 19 18", "9|1|9 8 7 6 5 4 3 2 1"])
    #expect(try slope.climb([13, 12, 11, 10, 9, 8]) == .higher(anchor: "social.example-11"))
    #expect(try slope.climb([18, 17, 16, 15, 14, 13, 12]) == .joined)
    #expect(try slope.intervals() == ["20|1|20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1"])
    try slope.library.store.finishPull(slope.pull, reached: true, now: noon)
    #expect(try slope.library.store.gaps() == [])
  }

  @Test func `one page may pass over the whole gap and the interval above it`() throws {
    let slope = try Slope()
    #expect(try slope.climb([21, 20, 19, 18, 17, 7, 6]) == .joined)
    #expect(try slope.intervals() == ["21|1|21 20 19 18 17 7 6 5 4 3 2 1"])
  }

  @Test func `a post that came late below the top is placed there`() throws {
    let library = try TestLibrary()
    try library.pull([page([6, 4, 3, 1])])
    try library.pull([page([20, 19])])
    let gap = try #require(try library.store.gaps().first)
    let begun = try #require(try library.store.beginFill(of: gap, upwards: true, halfPage: 2, now: noon))
    let climb = try library.store.save(page([7, 6, 5, 4]), above: begun.anchor, in: begun.pull, now: noon).1
    #expect(climb == .higher(anchor: "social.example-5"))
    let rows = try library.lines(
      "SELECT remote_id FROM feed_post WHERE coverage = 1 ORDER BY place DESC, created_at DESC"
    )
    #expect(rows == [7, 6, 5, 4, 3, 1].map { "social.example-\($0)" })
  }

  @Test func `a page that shows nothing of the interval proves nothing, and its posts are kept`() throws {
    let slope = try Slope()
    #expect(try slope.climb([30, 29, 28]) == .apart)
    #expect(try slope.intervals() == ["20|18|20 19 18", "6|1|6 5 4 3 2 1"])
    #expect(try slope.library.lines("SELECT count(*) FROM feed_post WHERE coverage IS NULL") == ["3"])
    #expect(try slope.library.store.posts().count == 12)
  }

  @Test func `with nothing above, the upward pull has reached the top`() throws {
    let slope = try Slope()
    #expect(try slope.climb([6, 5]) == .top)
    #expect(try slope.climb([]) == .apart)
  }

  @Test func `posts that are gone from the top of the lower interval do not hide what stands above`() throws {
    let slope = try Slope()
    #expect(try slope.climb([8, 7, 5]) == .higher(anchor: "social.example-5"))
    #expect(try slope.intervals() == ["20|18|20 19 18", "8|1|8 7 6 5 4 3 2 1"])
  }

  @Test func `a fill that is cut short leaves the gap that is left, and no unfinished pull`() throws {
    let slope = try Slope()
    _ = try slope.climb([9, 8, 7, 6, 5])
    #expect(try slope.library.store.gaps().map { "\($0.kind) \($0.below ?? "")" } == ["gap social.example-9"])
    #expect(try slope.library.store.resumePull(of: cats, now: noon) == nil)
    #expect(throws: StorageError.overtaken(feed: cats.name)) { try slope.climb([12, 11, 10, 9]) }
  }
}
