import Folders
import Foundation
import Machine
import Posts
import PropertyTesting
import SQLite
import Testing

@testable import Storage

private let berlin = TimeZone(identifier: "Europe/Berlin")!

/// The posts in time ranges, and the ends of lists.
struct StretchTests {
  private static let lists = [
    PostListQuery(), PostListQuery(tag: "cats"), PostListQuery(user: "user1"), PostListQuery(search: "moon"),
    PostListQuery(tag: "dogs", user: "user2"), PostListQuery(tag: "rare", includesDeleted: true),
    PostListQuery(tag: "cats", search: "mo"), PostListQuery(user: "nobody"), PostListQuery(grouping: .day(berlin)),
    PostListQuery(grouping: .author), PostListQuery(grouping: .tag), PostListQuery(search: "sun", grouping: .tag),
    PostListQuery(feed: adas), PostListQuery(feed: cats, search: "sun"),
  ]

  @Test(arguments: PropertyTest.seeds(sample: 4, whole: 200))
  func `each time range has the same rows as in the whole list, and a list ends with its last row`(seed: UInt64) throws
  {
    let library = try TestLibrary()
    var turmoil = Turmoil(seed: seed)
    for _ in 0..<60 { try turmoil.stir(library.store) }
    for list in Self.lists {
      let sorted = try SortedList(list, in: library.store)
      #expect(try library.store.lastKey(of: list) == sorted.keys.last, "seed \(seed), \(list)")
      var flat = list
      flat.grouping = .none
      let keys = try SortedList(flat, in: library.store).keys
      let days = (0..<9).map { DateInterval(start: Self.start + Double($0) * 86_400, duration: 86_400) }
      let intervals = try library.store.timeRanges(of: list, within: days, atMost: 3)
      for (day, interval) in zip(days, intervals) {
        let wanted = keys.filter { TimeRange(day).contains($0.createdAt) }
        #expect(interval.count == .exactly(wanted.count), "seed \(seed), \(list), \(day)")
        #expect(interval.posts.map(\.id) == wanted.prefix(3).map(\.id), "seed \(seed), \(list), \(day)")
      }
      #expect(try library.store.timeRanges(of: list, within: days).map(\.count) == intervals.map(\.count))
    }
  }

  private static let start = Date(timeIntervalSince1970: 1_698_300_000)

  @Test func `a boundary belongs to the time range that starts there`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2, 1])])
    let edge = Date(timeIntervalSince1970: 1_700_000_000 + 120)
    let halves = [DateInterval(start: edge - 3600, end: edge), DateInterval(start: edge, duration: 3600)]
    let intervals = try library.store.timeRanges(of: PostListQuery(tag: "cats"), within: halves, atMost: 10)
    #expect(intervals.map { $0.posts.map(\.caption) } == [["post 1"], ["post 3", "post 2"]])
    try library.store.delete([intervals[0].posts[0].id], now: noon)
    #expect(
      try library.store.timeRanges(of: PostListQuery(), within: halves).map(\.count) == [.exactly(0), .exactly(2)])
  }

  @Test(arguments: PropertyTest.seeds(sample: 3, whole: 100))
  func `each day of a calendar has the posts that begin in it or reach into it`(seed: UInt64) throws {
    let library = try TestLibrary()
    var turmoil = Turmoil(seed: seed)
    for _ in 0..<30 { try turmoil.stir(library.store) }
    for number in 0..<30 {
      let start = Self.start + Double(turmoil.dice.below(200)) * 3600
      let length = Double(turmoil.dice.below([1, 20, 90, 400][number % 4])) * 3600
      let tags = number % 3 == 0 ? ["cats"] : []
      let entry = Post(
        source: .manual, uri: "", createdAt: start, endsAt: start + length, caption: "moon \(number)", tags: tags)
      try library.store.add(entry, id: UUID(), now: noon)
    }
    let days = (0..<9).map { DateInterval(start: Self.start + Double($0) * 86_400, duration: 86_400) }
    for list in Self.lists {
      let listed = try library.store.posts(numbered: library.store.members(of: list).ranges.joined().map(Int64.init))
      let read = try library.store.overlaps(of: list, within: days, atMost: 100)
      for (day, read) in zip(days, read) {
        let begun = listed.filter { $0.createdAt >= day.start && $0.createdAt < day.end }
        let continued = listed.filter { post in post.createdAt < day.start && post.endsAt.map { $0 > day.start } == true
        }
        #expect(read.begun.reversed().map(\.id) == begun.map(\.id), "seed \(seed), \(list), \(day)")
        #expect(read.continued.map(\.id) == continued.map(\.id), "seed \(seed), \(list), \(day)")
        #expect(read.count == .exactly(begun.count + continued.count), "seed \(seed), \(list), \(day)")
      }
    }
  }

  @Test func `posts that reach into a day are read from the index of posts with an end alone`() throws {
    let library = try TestLibrary()
    try library.store.read { db in
      let clause = PostSpans.statement(endingAfter: UTC.text(noon), beginningBefore: UTC.text(noon + 86_400), in: db)
      let lines: [String] = try db.rows("EXPLAIN QUERY PLAN \(clause.sql)", clause.arguments) { try $0["detail"] }
      #expect(lines == ["SEARCH post USING COVERING INDEX post_ends (ends_at>?)"])
    }
  }

  @Test(arguments: [PostListQuery(), PostListQuery(tag: "cats"), PostListQuery(user: "ada@birds.example")])
  func `days, hours and the list's end are read from an index`(list: PostListQuery) throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2, 1])])
    let day = DateInterval(start: Self.start, duration: 86_400)
    let courses = [PostSelection.ScanRange(continues: false), PostSelection.ScanRange(range: TimeRange(day))]
    try library.store.read { db in
      let predicate = try #require(try PostPredicate(list, in: db))
      let source = predicate.tags.map(PostSource.tags) ?? predicate.authors.map(PostSource.authors) ?? .library
      for course in courses {
        let clause = PostSelection(source: source, predicate: predicate).statement(course, limit: 1, in: db)
        let lines: [String] = try db.rows("EXPLAIN QUERY PLAN \(clause.sql)", clause.arguments) { try $0["detail"] }
        #expect(!lines.contains { $0.contains("TEMP B-TREE") }, "\(lines)")
        #expect(lines.allSatisfy { !$0.hasPrefix("SCAN p") || $0.contains("INDEX") }, "\(lines)")
      }
    }
  }
}

/// The most recently viewed tags.
struct LatestTagTests {
  @Test func `the newest tag is first, each is listed once, and thirty are stored`() throws {
    let store = try TestLibrary().store
    #expect(try store.latestTags() == [])
    for number in 1...40 { try store.noteTag("tag\(number)") }
    #expect(try store.noteTag("tag30").prefix(3) == ["tag30", "tag40", "tag39"])
    let tags = try store.latestTags()
    #expect(tags.count == 30)
    #expect(Set(tags).count == 30)
    #expect(tags.last == "tag11")
  }

  @Test func `a tag that is empty or contains a line break is not stored`() throws {
    let store = try TestLibrary().store
    try store.noteTag("")
    try store.noteTag("two\nlines")
    try store.noteTag(String(repeating: "x", count: 700))
    #expect(try store.latestTags() == [])
    try store.noteTag("猫@social.example")
    #expect(try store.latestTags() == ["猫@social.example"])
  }

  @Test func `two processes that store tags at once lose nothing`() async throws {
    let scratch = try Scratch()
    let stores = try (0..<2).map { _ in try Store.open(library: scratch.path, now: noon) }
    defer { for store in stores { store.close() } }
    try await withThrowingTaskGroup { group in
      for (number, store) in stores.enumerated() {
        group.addTask { for tag in 0..<10 { try store.noteTag("\(number)-\(tag)") } }
      }
      try await group.waitForAll()
    }
    #expect(Set(try stores[0].latestTags()).count == 20)
  }
}

/// Gaps with the posts at their edges.
struct InnerGapTests {
  @Test func `a gap has the posts at its edges, and stays the same gap while it is filled`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2, 1], next: .end)])
    try library.pull([page([19, 18])])
    let first = try #require(try library.store.innerGaps(of: cats).gaps.first)
    let posts = try library.store.posts(PostQuery())
    #expect(first.postAbove == posts.first { $0.caption == "post 18" }?.id)
    #expect(first.postBelow == posts.first { $0.caption == "post 3" }?.id)
    let (pull, _, anchor) = try #require(
      try library.store.beginFill(of: first.gap, upwards: true, halfPage: 0, now: noon))
    _ = try library.store.save(page([6, 5, 4, 3]), above: anchor, in: pull, now: noon)
    let second = try #require(try library.store.innerGaps(of: cats).gaps.first)
    #expect(second.id == first.id)
    #expect(second.postBelow != first.postBelow)
    #expect(try library.store.isOpen(first.gap))
    _ = try library.store.save(page([18, 17, 7, 6]), above: "social.example-6", in: pull, now: noon)
    #expect(try library.store.innerGaps(of: cats).gaps.isEmpty)
    #expect(try !library.store.isOpen(first.gap))
  }

  @Test func `an interrupted pull below everything known is reported if no pull is running`() throws {
    let library = try TestLibrary()
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 3), now: noon)
    #expect(try !library.store.innerGaps(of: cats).isCutShort)
    _ = try library.store.save(page([9, 8]), in: pull, now: noon)
    #expect(try library.store.innerGaps(of: cats).isCutShort)
    #expect(try !library.store.innerGaps(of: cats) { $0 == cats }.isCutShort)
  }
}

/// A library that cannot be read for a while.
struct ReadAgainTests {
  @Test(.timeLimit(.minutes(10)))
  func `an observer added after a failure is served when the library is readable again`()
    async throws
  {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    try store.noteTag("cats")
    let path = "\(scratch.path)/media.sqlite"
    try FileManager.default.moveItem(atPath: path, toPath: "\(path).away")
    // The watcher's connection opens with the first observer.
    var failed = store.observe(PostListQuery()).makeAsyncIterator()
    await #expect(throws: StorageError.self) { while try await failed.next() != nil {} }
    try FileManager.default.moveItem(atPath: "\(path).away", toPath: path)
    var read: PostWindowReading?
    while read == nil {
      var readings = store.observe(PostListQuery()).makeAsyncIterator()
      read = try? await readings.next()
    }
    #expect(read?.rows.isEmpty == true)
  }
}
