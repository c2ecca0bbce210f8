import Foundation
import Machine
import PropertyTesting
import SQLite
import Testing

@testable import Storage

private let berlin = TimeZone(identifier: "Europe/Berlin")!
private let day = DateInterval(start: Date(timeIntervalSince1970: 1_698_450_000), duration: 300_000)

/// Counts of lists by period, of tags and of authors.
struct OverviewTests {
  private static let lists = [
    PostListQuery(), PostListQuery(deleted: .included), PostListQuery(deleted: .only), PostListQuery(tag: "cats"),
    PostListQuery(tag: "dogs", deleted: .included), PostListQuery(user: "user1"), PostListQuery(feed: adas),
    PostListQuery(feed: cats, deleted: .included), PostListQuery(feed: adas, deleted: .only),
    PostListQuery(search: "moon"), PostListQuery(tag: "cats", user: "user2", search: "sun"),
    PostListQuery(tags: ["cats", "dogs", "rare"]), PostListQuery(within: day), PostListQuery(tag: "dogs", feed: cats),
    PostListQuery(search: "moon", deleted: .only), PostListQuery(user: "nobody"),
  ]

  @Test(arguments: PropertyTest.seeds(sample: 3, whole: 100))
  func `periods together count the posts of a list, each once`(seed: UInt64) throws {
    let library = try TestLibrary()
    var turmoil = Turmoil(seed: seed)
    for _ in 0..<60 { try turmoil.stir(library.store) }
    for list in Self.lists {
      let posts = try SortedList(list, in: library.store).posts.values
      for length in PeriodLength.allCases {
        for zone in [berlin, .gmt, TimeZone(secondsFromGMT: 20_700) ?? .gmt] {
          let periods = Periods(of: length, in: zone)
          let counts = try library.store.read { db in
            try PostPredicate(list, in: db).map { try PeriodCounts(periods: periods).counts(of: $0, in: db) } ?? []
          }
          let wanted = Dictionary(grouping: posts) { periods.period(of: $0.createdAt) }.mapValues(\.count)
          #expect(
            counts == wanted.map { PeriodCounts.Count(period: $0, posts: $1) }.sorted { $0.period > $1.period },
            "seed \(seed), \(list), \(length), \(zone)")
        }
      }
    }
  }

  @Test(arguments: PropertyTest.seeds(sample: 3, whole: 100))
  func `months that are kept in memory are those of the posts, whatever changed since`(seed: UInt64) throws {
    let library = try TestLibrary()
    let indexes = [berlin, .gmt].map { ($0, PostMonthIndex(of: library.store.writer, least: 1)) }
    var turmoil = Turmoil(seed: seed)
    for _ in 0..<12 {
      for _ in 0..<5 { try turmoil.stir(library.store) }
      for (search, deleted) in [("moon", DeletedPosts.included), ("moon", .excluded), ("sun", .excluded)] {
        let list = PostListQuery(search: search, deleted: deleted)
        for (zone, index) in indexes {
          let periods = Periods(of: .month, in: zone)
          let (kept, read) = try library.store.read { db in
            let predicate = try #require(try PostPredicate(list, in: db))
            return (
              try PeriodCounts(periods: periods, months: index).numbered(predicate, in: db),
              try PeriodCounts(periods: periods).counts(of: predicate, in: db)
            )
          }
          #expect(kept ?? [] == read, "seed \(seed), \(list), \(zone)")
        }
      }
    }
  }

  @Test func `a week begins on Monday, and is as long as its clocks say`() {
    let weeks = Periods(of: .week, in: berlin)
    // Berlin's clocks went back on Sunday, 29 October 2023.
    for moment in ["2023-10-22T22:00:00.000Z", "2023-10-25T12:00:00.000Z", "2023-10-29T22:59:59.999Z"] {
      let week = weeks.period(of: UTC.date(moment) ?? noon)
      #expect(UTC.text(week.start) == "2023-10-22T22:00:00.000Z")
      #expect(UTC.text(week.end) == "2023-10-29T23:00:00.000Z")
    }
  }

  @Test func `years without posts are skipped without a query for each of their months`() throws {
    let library = try TestLibrary()
    let moments = ["0001-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]
    try library.pull(
      moments.enumerated().map { number, moment in
        var made = post(number)
        made.createdAt = UTC.date(moment) ?? noon
        return made
      })
    var months: [PostMonth] = []
    let statements = try library.statements { months = try library.store.months(of: PostListQuery(), in: berlin) }
    #expect(months.map(\.count) == [1, 1, 1])
    #expect(statements.count < 20)
  }

  @Test func `a date that is none costs its post, and no endless loop`() throws {
    let library = try TestLibrary()
    try library.pull([3, 2, 1].map { post($0) })
    try library.store.write { try $0.run("UPDATE post SET created_at = 'the day before yesterday' WHERE id = 2") }
    for list in [PostListQuery(), PostListQuery(search: "post"), PostListQuery(tag: "cats")] {
      #expect(try library.store.months(of: list, in: .gmt).map(\.count) == [2])
    }
  }

  @Test(arguments: [
    PostListQuery(), PostListQuery(tag: "cats"), PostListQuery(user: "ada"), PostListQuery(feed: cats),
  ])
  func `months are counted in a covering index`(list: PostListQuery) throws {
    let library = try TestLibrary()
    try library.pull([2, 1].map { post($0) })
    let counts = try library.statements { _ = try library.store.months(of: list, in: berlin) }
      .filter { $0.hasPrefix("SELECT count(*)") && $0.contains("created_at >=") }
    #expect(!counts.isEmpty)
    for sql in counts {
      let plan = try library.lines("EXPLAIN QUERY PLAN \(sql)")
      #expect(plan.contains { $0.contains("USING COVERING INDEX") && $0.contains("created_at>") }, "\(plan)")
      #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }
  }

  @Test(arguments: ["Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kathmandu", "America/St_Johns", "Europe/Berlin"])
  func `a search counts the months of every zone as the whole list does`(zone: String) throws {
    let library = try TestLibrary()
    // Every half hour of the days around the ends of four months, and one in the middle of each.
    let edges = ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"].map { UTC.date("\($0)T00:00:00Z")! - 86_400 }
    let moments = edges.flatMap { edge in (0..<192).map { edge + Double($0) * 1800 } + [edge - 14 * 86_400] }
    try library.pull(
      moments.enumerated().map { number, moment in
        var made = post(number)
        made.createdAt = moment
        return made
      })
    let zone = try #require(TimeZone(identifier: zone))
    let months = try library.store.months(of: PostListQuery(), in: zone)
    #expect(months.map(\.count).reduce(0, +) == moments.count)
    #expect(try library.store.months(of: PostListQuery(search: "post "), in: zone) == months)
    let kept = try library.store.read { db in
      let index = PostMonthIndex(of: library.store.writer, least: 1)
      let predicate = try #require(try PostPredicate(PostListQuery(search: "post "), in: db))
      return try PeriodCounts(periods: Periods(of: .month, in: zone), months: index).counts(of: predicate, in: db)
    }
    #expect(kept.map(\.posts) == months.map(\.count))
    #expect(kept.map(\.period) == months.map(\.interval))
  }

  @Test(arguments: CountOrder.allCases, ["", "c", "B"])
  func `pages by key together are the whole list of tags and of authors`(order: CountOrder, prefix: String) throws {
    let library = try TestLibrary()
    var turmoil = Turmoil(seed: 5)
    for _ in 0..<60 { try turmoil.stir(library.store) }
    let tags = try library.store.tagCounts(containing: prefix, by: order, after: nil, limit: 99)
    let authors = try library.store.authorCounts(
      containing: prefix == "" ? "" : "USER", by: order, after: nil, limit: 99)
    #expect(!tags.isEmpty && !authors.isEmpty)
    var (pagedTags, pagedAuthors) = ([TagCount](), [AuthorCount]())
    for _ in tags {
      let key = pagedTags.last.flatMap { CountKey($0.key.description) }
      pagedTags += try library.store.tagCounts(containing: prefix, by: order, after: key, limit: 1)
    }
    for _ in authors {
      let key = pagedAuthors.last?.key
      pagedAuthors += try library.store.authorCounts(
        containing: prefix == "" ? "" : "user", by: order, after: key, limit: 1)
    }
    #expect(pagedTags == tags)
    #expect(pagedAuthors == authors)
    for tag in tags { #expect(try tag.count == library.store.read { try $0.total("tag", tag.key.id) }) }
    for author in authors { #expect(try author.count == library.store.count(of: .author(author.author.id))) }
    let sorted = tags.sorted {
      let names = ($0.name.lowercased(), $1.name.lowercased())
      if order == .count, $0.count != $1.count { return $0.count > $1.count }
      return names.0 == names.1 ? $0.key.id < $1.key.id : names.0 < names.1
    }
    #expect(tags == sorted)
  }

  @Test func `more hidden posts than are read at once are counted with the others, which is told`() throws {
    let library = try TestLibrary()
    try library.pull([post(2, tags: ["dogs"]), post(1)])
    try library.store.hide([], [.tag("dogs")], by: Marker(machine: "desk", program: .command), now: noon)
    let counted = try library.store.tagCounts(limit: 1)
    #expect(counted.map { [$0.count, $0.hidden ?? -1, $0.shown] } == [[2, 1, 1]])
    try library.store.writer.use { try $0.execute("UPDATE total SET posts = 10001 WHERE kind = 'tag' AND posts = 1") }
    let whole = try library.store.tagCounts(limit: 1)
    #expect(whole.map(\.hidden) == [nil] && whole.map(\.shown) == [2])
    #expect(try library.store.authorCounts(limit: 1).map(\.hidden) == [nil])
  }

  @Test(arguments: ["", "1", "1/2", "a/2/cats", "1/b/cats", "01/2/cats", "-1/2/cats", "1/+2/cats"])
  func `text that no key of a count has is not a key`(text: String) {
    #expect(CountKey(text) == nil)
    let key = CountKey(count: 3, id: 7, name: "a/b \u{301}")
    #expect(CountKey(key.description) == key)
  }
}
