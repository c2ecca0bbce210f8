import Foundation
import Machine
import Posts
import Rows
import SQLRows
import SQLite
import Testing

@testable import Storage

/// Feeds whose servers mislead: a coverage interval never claims what was not read.
struct MisleadingFeedTests {
  private func gaps(_ library: TestLibrary) throws -> [String] {
    try library.store.gaps().map { gap in
      "\(gap.kind) "
        + [gap.above, gap.below].map { $0?.replacing("social.example-", with: "") ?? "-" }.joined(separator: "…")
    }
  }

  /// A page of these posts. `dated` gives posts another minute than their number.
  private func page(_ numbers: [Int], dated: [Int: Int] = [:], next: Next = .after(Cursor("c"))) -> Page {
    let posts = numbers.map { number in
      var made = post(number)
      if let minute = dated[number] {
        made.createdAt = Date(timeIntervalSince1970: 1_700_000_000 + Double(minute) * 60)
      }
      return made
    }
    return StorageTests.page(posts, next: next)
  }

  @Test func `one empty page closes no gap`() throws {
    let library = try TestLibrary()
    try library.pull([page(Array((1...10).reversed()))])
    try library.pull([page([40, 39, 38]), page([], next: .end)])
    #expect(try gaps(library) == ["gap 38…10"])
    #expect(try library.lines("SELECT reached_end FROM coverage") == ["0", "0"])
  }

  @Test func `a fill that reaches the end treats what is below as gone upstream`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2, 1])])
    try library.pull([page([40, 39, 38])])
    let gap = try #require(try library.store.gaps().first)
    let fill = try #require(try library.store.beginFill(of: gap, upwards: false, halfPage: 1, now: noon))
    _ = try library.store.save(page([30, 29]), in: fill.pull, now: noon)
    _ = try library.store.save(page([], next: .end), in: fill.pull, now: noon)
    #expect(try gaps(library) == [])
    #expect(try library.lines("SELECT reached_end FROM coverage") == ["1"])
  }

  @Test func `posts with wrong dates at a page's end close no gap`() throws {
    let library = try TestLibrary()
    try library.pull([page(Array((101...110).reversed()))])
    try library.pull([page([140, 139, 138, 137, 136], dated: [137: 3, 136: 2])])
    #expect(try gaps(library) == ["gap 136…110"])
  }

  @Test(arguments: [30, 9_000_000])
  func `one wrong date at the bottom of an interval does not mark it as passed`(minute: Int) throws {
    let library = try TestLibrary()
    try library.pull([page([10, 9, 8, 7, 6, 5], dated: [5: minute])])
    try library.pull([page([29, 28, 27, 26, 25])])
    #expect(try gaps(library) == ["gap 25…10"])
  }

  @Test func `a single post dated ahead does not count as passed`() throws {
    let library = try TestLibrary()
    try library.pull([page([10], dated: [10: 9_000_000])])
    try library.pull([page([29, 28, 27, 26, 25])])
    #expect(try gaps(library) == ["gap 25…10"])
  }

  @Test func `one old post at a page's end closes no gap`() throws {
    let library = try TestLibrary()
    try library.pull([page(Array((1...10).reversed()))])
    try library.pull([page([80, 79, 78])])
    let saved = try library.pull([page([99, 98, 5])])
    #expect(try gaps(library) == ["gap 5…80", "gap 78…10"])
    #expect(saved[0].known == Known())
  }

  @Test func `posts gone from the top of an interval do not keep a pull from reaching it`() throws {
    let library = try TestLibrary()
    try library.pull([page(Array((1...10).reversed()))])
    try library.pull([page([13, 12, 11]), page([4, 3, 2, 1])])
    #expect(try gaps(library) == [])
  }

  @Test func `newer posts below old ones raise a doubt, and one old date above them does not`() throws {
    let library = try TestLibrary()
    try library.pull([page([30, 29, 28], dated: [30: 1])])
    let (pull, _) = try #require(try library.store.beginPull(below: cats, goal: PullGoal(pages: 1), now: noon))
    #expect(try !library.store.looksNewer(page([27, 26, 25]), than: pull))
    #expect(try library.store.looksNewer(page([90, 89, 88]), than: pull))
    #expect(try library.store.holds(anyOf: ["social.example-91", "social.example-30"], in: pull))
    #expect(try !library.store.holds(anyOf: ["social.example-91"], in: pull))
  }

  @Test func `a page of old dates does not count as posts below an interval that was not reached`() throws {
    let library = try TestLibrary()
    try library.pull([page(Array((101...110).reversed()))])
    let late = Dictionary(uniqueKeysWithValues: (136...140).map { ($0, $0 - 136) })
    try library.pull([page([140, 139, 138, 137, 136], dated: late)])
    #expect(try gaps(library) == ["gap 136…110"])
    let gap = try #require(try library.store.gaps().first)
    let ids = try library.store.idsOfPassed(gap)
    #expect(ids.first == "social.example-110")
    // What the server shows below the lower interval's top belongs to that interval.
    #expect(try !library.store.closePassed(gap, by: ["social.example-109", "social.example-108"]))
    #expect(try gaps(library) == ["gap 136…110"])
  }

  @Test
  func `an upward merge rejects a page that goes below its anchor, or shows one post of the interval among others`()
    throws
  {
    let library = try TestLibrary()
    try library.pull([page(Array((1...10).reversed()))])
    try library.pull([page([42, 41, 40, 39, 38])])
    let gap = try #require(try library.store.gaps().first)
    let fill = try #require(try library.store.beginFill(of: gap, upwards: true, halfPage: 3, now: noon))
    #expect(fill.anchor == "social.example-7")
    let newest = try library.store.save(page([42, 41, 40, 39, 4]), above: fill.anchor, in: fill.pull, now: noon).1
    #expect(newest == .apart)
    let stray = try library.store.save(
      page([14, 13, 41, 12, 11, 10, 9, 8]), above: fill.anchor, in: fill.pull, now: noon
    ).1
    #expect(stray == .higher(anchor: "social.example-12"))
    #expect(try gaps(library) == ["gap 38…14"])
  }

  @Test func `a number of pages today does not cover the same number of pages from before`() throws {
    let library = try TestLibrary()
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 3), now: noon)
    _ = try library.store.save(page([9, 8]), in: pull, now: noon)
    try library.pull([page([99, 98]), page([97, 96]), page([95, 94])])
    #expect(try gaps(library) == ["gap 94…9", "unfinished 8…-"])
  }

  @Test func `one wrong date does not finish a pull down to a date`() throws {
    let library = try TestLibrary()
    let since = Date(timeIntervalSince1970: 1_700_000_000 + 50 * 60)
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(since: since), now: noon)
    _ = try library.store.save(page([102, 101, 100], dated: [100: 1]), in: pull, now: noon)
    #expect(try gaps(library) == ["unfinished 100…-"])
  }

  private func plans(_ library: TestLibrary, _ queries: (Database) -> [String]) throws -> [String] {
    try library.store.read(queries).map { query in
      try library.lines("EXPLAIN QUERY PLAN \(query.replacing(/\$[1-3]/, with: "'x'"))").joined(separator: "\n")
    }
  }

  @Test(arguments: [MissingPictures.untried, .due, .wanted])
  func `a feed's missing pictures are found through those of the library`(which: MissingPictures) throws {
    let library = try TestLibrary()
    let plans = try plans(library) { db in
      [
        Store.missingQuery(which, .library, in: db), Store.missingCountQuery(which, in: db),
        Store.missingAvatarsQuery(which, .library, in: db),
      ]
    }
    for plan in plans {
      #expect(plan.contains("USING INDEX attachment_missing") || plan.contains("author_missing"), "\(plan)")
      #expect(plan.contains("feed_post_post"), "\(plan)")
      #expect(!plan.contains("SCAN b") && !plan.contains("SCAN f") && !plan.contains("feed_post_newest"), "\(plan)")
    }
  }

  @Test(arguments: [MissingPictures.untried, .due, .wanted, .all])
  func `a small feed's missing pictures are found through its posts`(which: MissingPictures) throws {
    let library = try TestLibrary()
    let plans = try plans(library) { db in
      [Store.missingQuery(which, .feed, in: db), Store.missingAvatarsQuery(which, .feed, in: db)]
    }
    for plan in plans {
      #expect(plan.contains("feed_post_newest (feed=?)"), "\(plan)")
      #expect(plan.contains("SEARCH a USING INDEX") || plan.contains("SEARCH u USING INTEGER PRIMARY KEY"), "\(plan)")
      #expect(!plan.contains("SCAN a") && !plan.contains("SCAN u") && !plan.contains("SCAN b"), "\(plan)")
    }
  }

  @Test func `both ways find the same`() throws {
    let library = try TestLibrary()
    var posts = (1...9).map { post($0, by: "Author \($0)", attachments: [picture("p\($0)")]) }
    for index in posts.indices {
      posts[index].author?.uri += "\(index)"
      posts[index].author?.avatarURL = "https://files.example/\(index).png"
    }
    try library.pull(Array(posts[0...4]).reversed())
    try library.pull(Array(posts[3...8]).reversed(), of: adas)
    try library.store.fail([PictureFailure(owner: .attachment(1), reason: "no")], now: noon)
    let arguments: Arguments = [cats.name, UTC.text(noon), PictureWriter.never(from: noon)]
    for which in [MissingPictures.untried, .due, .wanted] {
      let found = try library.database.read { db in
        try MissingSearch.allCases.map { search in
          let same = Database(db)
          return try [
            Store.missingQuery(which, search, in: same), Store.missingAvatarsQuery(which, search, in: same),
          ].map { query in try db.rows(query, arguments).map { $0[0] as Int64 }.sorted() }
        }
      }
      #expect(found[0] == found[1])
      #expect(found[0].map(\.count) == [which == .wanted ? 5 : 4, 5])
    }
  }
}
