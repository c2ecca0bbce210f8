import Foundation
import Machine
import Posts
import PropertyTesting
import SQLRows
import SQLite
import Testing

@testable import Storage

private let berlin = TimeZone(identifier: "Europe/Berlin")!

/// A list sorted in memory by the posts' contents.
struct SortedList {
  var keys: [PostKey] = []
  var posts: [Int64: StoredPost] = [:]

  init(_ query: PostListQuery, in store: Store) throws {
    let flat = PostQuery(
      tags: query.tags,
      user: query.user,
      search: query.search,
      day: query.within,
      limit: nil,
      deleted: query.includesDeleted ? .included : .excluded
    )
    let brought = try query.feed.map { try Self.posts(of: $0, in: store) }
    for post in try store.posts(flat) where query.deleted != .only || post.isDeleted {
      guard brought?.contains(post.id) ?? true else { continue }
      posts[post.id] = post
      let moment = UTC.text(post.createdAt)
      keys += try sections(of: post, query.grouping, in: store).map { section in
        PostKey(section: section, createdAt: moment, id: post.id)
      }
    }
    keys.sort { Self.order($0).lexicographicallyPrecedes(Self.order($1)) }
  }

  private static func posts(of feed: Feed, in store: Store) throws -> Set<Int64> {
    let sql = "SELECT b.post FROM feed_post b JOIN feed f ON f.id = b.feed WHERE f.name = ?"
    return try store.read { try Set($0.values(sql, [feed.name])) }
  }

  private static func order(_ key: PostKey) -> [String] {
    let inverted = key.createdAt.utf8.map { String(format: "%03d", 255 - Int($0)) }.joined()
    let name = String(decoding: (key.section?.name ?? "").utf8.map { 65...90 ~= $0 ? $0 + 32 : $0 }, as: UTF8.self)
    // Unicode's order of strings differs from the order of their bytes.
    let bytes = name.utf8.map { String(format: "%03d", Int($0)) }.joined()
    return [bytes, String(format: "%09d", key.section?.id ?? 0), inverted, String(format: "%09d", 1_000_000 - key.id)]
  }

  private func sections(of post: StoredPost, _ grouping: PostGrouping, in store: Store) throws -> [PostKey.Section?] {
    switch grouping {
    case .none, .day: return [nil]
    case .sorted(.oldest): return [PostKey.Section(name: UTC.text(post.createdAt), id: post.id)]
    case .sorted: return [PostKey.Section(name: "\(5 - post.marks.rating)", id: 0)]
    case .author: return [PostKey.Section(name: post.author?.name ?? "", id: post.author?.id ?? 0)]
    case .tag:
      let sql = """
        SELECT t.name, t.id FROM tag t JOIN post_tag k ON k.tag = t.id WHERE k.post = ?1
        UNION SELECT t.name, t.id FROM tag t JOIN feed f ON f.value = t.name AND f.kind = 'tag'
          JOIN feed_post b ON b.feed = f.id WHERE b.post = ?1
        """
      return try store.read { db in
        try db.rows(sql, [post.id]).map { PostKey.Section(name: $0[0], id: $0[1]) }
      }
    }
  }

  func window(around anchor: PostKey?, before: Int, after: Int) -> [PostKey] {
    let index = anchor.map { anchor in
      keys.firstIndex { !Self.order($0).lexicographicallyPrecedes(Self.order(anchor)) } ?? keys.count
    }
    let middle = index ?? 0
    return Array(keys[max(middle - before, 0)..<min(middle + after, keys.count)])
  }

  /// The name of the section of a key.
  func section(of key: PostKey, _ grouping: PostGrouping) -> String? {
    switch grouping {
    case .none, .sorted: return nil
    case .day(let zone):
      let format = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
      return UTC.date(key.createdAt).map { $0.formatted(format) }
    case .author, .tag: return key.section.map { "\($0.id)" }
    }
  }
}

struct WindowTests {
  @Test(arguments: groupings)
  func `a window of the maximum size is the whole list`(grouping: PostGrouping) throws {
    let library = try TestLibrary()
    try library.pull([page((1...9).reversed())])
    let list = PostListQuery(grouping: grouping)
    let whole = try library.store.window(list, after: .max)
    #expect(whole.rows.count == 9)
    #expect(try library.store.window(list, around: whole.rows[4].key, before: .max, after: .max) == whole)
    #expect(try library.store.window(list, around: whole.rows[4].key, before: .min, after: .min).rows == [])
  }

  private static let groupings: [PostGrouping] = [
    .none, .day(berlin), .author, .tag, .sorted(.oldest), .sorted(.rating),
  ]
  private static let day = DateInterval(start: Date(timeIntervalSince1970: 1_698_450_000), duration: 300_000)
  private static let lists = [
    PostListQuery(), PostListQuery(tag: "cats"), PostListQuery(user: "user1"), PostListQuery(search: "moon"),
    PostListQuery(tag: "dogs", user: "user2"), PostListQuery(within: day), PostListQuery(includesDeleted: true),
    PostListQuery(tag: "rare", includesDeleted: true), PostListQuery(tag: "cats", search: "sun", within: day),
    PostListQuery(user: "nobody"), PostListQuery(tag: "cats", within: day, includesDeleted: true),
    PostListQuery(tags: ["cats", "dogs"]), PostListQuery(tags: ["aa", "nothing", "rare"], user: "user1"),
    PostListQuery(tags: ["cats", "dogs", "rare"], within: day, includesDeleted: true),
    PostListQuery(user: "user0", includesDeleted: true), PostListQuery(feed: adas),
    PostListQuery(feed: cats, search: "moon"), PostListQuery(tag: "dogs", user: "user1", feed: adas),
    PostListQuery(feed: adas, within: day, includesDeleted: true), PostListQuery(feed: adas, includesDeleted: true),
    PostListQuery(deleted: .only), PostListQuery(tag: "cats", deleted: .only),
    PostListQuery(user: "user1", search: "moon", within: day, deleted: .only),
    PostListQuery(feed: adas, deleted: .only),
  ]

  @Test(arguments: PropertyTest.seeds(sample: 4, whole: 200))
  func `a window is a slice of the whole list, sections and counts with it`(seed: UInt64) throws {
    let library = try TestLibrary()
    var turmoil = Turmoil(seed: seed)
    for _ in 0..<60 { try turmoil.stir(library.store) }
    for list in Self.lists {
      for grouping in Self.groupings {
        var query = list
        query.grouping = grouping
        let sorted = try SortedList(query, in: library.store)
        for _ in 0..<4 { try check(query, sorted, library.store, &turmoil.dice, "seed \(seed), \(query)") }
      }
    }
  }

  private func check(
    _ query: PostListQuery,
    _ sorted: SortedList,
    _ store: Store,
    _ dice: inout Dice,
    _ comment: Comment
  ) throws {
    var anchor = sorted.keys.randomElement(using: &dice)
    // A position without a post.
    if let key = anchor, Bool.random(using: &dice) {
      var section = key.section
      // A name that the section no longer has, or never had.
      if let current = section, Bool.random(using: &dice) { section = PostKey.Section(name: "bo", id: current.id) }
      let id = Int64.random(in: 0..<90, using: &dice)
      // Where the oldest is first, both parts of a key say the same.
      if query.grouping == .sorted(.oldest) { section = PostKey.Section(name: key.createdAt, id: id) }
      anchor = PostKey(section: section, createdAt: key.createdAt, id: id)
    }
    let (before, after) = (Int.random(in: 0..<9, using: &dice), Int.random(in: 0..<9, using: &dice))
    let read = try store.window(query, around: anchor, before: before, after: after)
    let keys = sorted.window(around: anchor, before: before, after: after)
    #expect(read.rows.map(\.key) == keys, comment)
    #expect(read.rows.map(\.post) == keys.compactMap { sorted.posts[$0.id] }, comment)
    #expect(read.total == .exactly(sorted.keys.count), comment)
    if let first = keys.first, let last = keys.last {
      #expect(read.hasMoreBefore == (first != sorted.keys.first), comment)
      #expect(read.hasMoreAfter == (last != sorted.keys.last), comment)
    }
    let names = keys.compactMap { sorted.section(of: $0, query.grouping) }
    #expect(read.sections.flatMap { section in section.rows.map { _ in section.key } } == names, comment)
    for section in read.sections {
      let count = sorted.keys.filter { sorted.section(of: $0, query.grouping) == section.key }.count
      #expect(section.count == .exactly(count), comment)
    }
  }

  @Test(arguments: ["post ", "pos"], [PostGrouping.none, .day(berlin), .author, .tag])
  func `a search with too many matches to keep is read all the same`(
    search: String,
    grouping: PostGrouping
  ) throws {
    let library = try TestLibrary()
    var turmoil = Turmoil(seed: 1)
    for _ in 0..<40 { try turmoil.stir(library.store) }
    try library.pull((100..<160).reversed().map { post($0, caption: $0 % 3 == 0 ? "post" : "else") })
    let query = PostListQuery(search: search, grouping: grouping)
    let sorted = try SortedList(query, in: library.store)
    for anchor in [nil, sorted.keys[7], sorted.keys[15]] {
      let frame = try library.store.read { db in
        let predicate = try #require(try PostPredicate(query, in: db))
        let matches = try PostSelection.matches(try #require(predicate.search?.match), limit: Bound.matches, in: db)
        let order = try IndexedPosts(predicate, grouping, from: .library, matches: matches, in: db)
        let position = WindowPosition(anchor: anchor, before: 3, after: 6)
        return try PostWindowReader(grouping: grouping, position: position).frame(of: order, in: db)
      }
      #expect(frame.keys == sorted.window(around: anchor, before: 3, after: 6))
      #expect(frame.hasMoreAfter == (frame.keys.last != sorted.keys.last))
    }
  }

  @Test func `a day with a change of clocks is as long as in its time zone`() throws {
    let library = try TestLibrary()
    // From 22:00Z to 23:00Z of the next day: twenty-five hours.
    let moments = ["28T21:59:59.999Z", "28T22:00:00.000Z", "29T22:59:59.999Z", "29T23:00:00.000Z"]
    try library.pull(
      moments.enumerated().map { number, moment in
        var post = post(number)
        post.createdAt = UTC.date("2023-10-\(moment)") ?? noon
        return post
      }
    )
    let sections = try library.store.window(PostListQuery(grouping: .day(berlin))).sections
    #expect(sections.map(\.key) == ["2023-10-30", "2023-10-29", "2023-10-28"])
    #expect(sections.map(\.count) == [.exactly(1), .exactly(2), .exactly(1)])
    #expect(sections.map(\.rows) == [0..<1, 1..<3, 3..<4])
  }

  @Test func `a window stays anchored at the position of a post that is gone`() throws {
    let library = try TestLibrary()
    try library.pull((1...9).reversed().map { post($0) })
    let key = try library.store.window(PostListQuery()).rows[4].key
    try library.store.delete([key.id], now: noon)
    let read = try library.store.window(PostListQuery(), around: key, before: 2, after: 2)
    #expect(read.rows.map(\.post.uri.last) == ["7", "6", "4", "3"])
    #expect(read.hasMoreBefore && read.hasMoreAfter)
  }

  @Test func `a key survives conversion to text, whatever the section's name`() throws {
    let section = PostKey.Section(name: "a/b \"ü\"", id: 7)
    for key in [
      PostKey(createdAt: UTC.text(noon), id: 3), PostKey(section: section, createdAt: UTC.text(noon), id: 3),
      PostKey(section: PostKey.Section(name: "\u{301}a", id: 7), createdAt: UTC.text(noon), id: 3),
    ] {
      #expect(PostKey(key.description) == key)
      #expect(try JSONDecoder().decode([PostKey].self, from: JSONEncoder().encode([key])) == [key])
    }
    #expect(PostKey(PostKey(at: noon).description) == PostKey(at: noon))
    for text in ["", "x", "a/b/c/d", "2023-11-14T22:14:20.000Z/x", "2023-11-14T22:14:20.000Z/1/2"] {
      #expect(PostKey(text) == nil)
    }
  }

  @Test(arguments: [
    "2023-11-14T22:14:20.000Z", "2023-11-14T22:14:20.000Z/", "2023-11-14T22:14:20.000Z/+3",
    "2023-11-14T22:14:20.000Z/03",
    "2023-11-14T22:14:20.000Z/3 ", "2023-11-14T22:14:20.000Z/9223372036854775808", "2023-11-14T22:14:20.000Z/3/+4/a",
    "2023-11-14T22:14:20.000Z/3//a", "2023-13-14T22:14:20.000Z/3", "2023-11-14 22:14:20.000Z/3",
    "xxxxxxxxxxxxxxxxxxxxxxxx/3",
    "2023-11-14T22:14:20.00000/3", "/3", "///", "/////", "\u{0}", "2023-11-14T22:14:20.000\u{301}/3",
  ])
  func `text that is not as keys are written is no key`(text: String) { #expect(PostKey(text) == nil) }

  @Test func `any text is no key, or the one text of its key`() {
    var dice = Dice(state: 26)
    let parts = [
      "2023-11-14T22:14:20.000Z", "/", "0", "7", "-1", "é", "\u{301}", "%2F", "'", "\n", "\u{0}", "9223372036854775807",
    ]
    var keys = 0
    for _ in 0..<20_000 {
      var text = Bool.random(using: &dice) ? "2023-11-14T22:14:20.000Z/7" : ""
      for _ in 0..<Int.random(in: 0..<8, using: &dice) { text += parts.randomElement(using: &dice)! }
      guard let key = PostKey(text) else { continue }
      keys += 1
      #expect(Array(key.description.utf8) == Array(text.utf8))
    }
    #expect(keys > 500)
  }

  @Test func `a key of another kind of list is not an error`() throws {
    let library = try TestLibrary()
    try library.pull([2, 1].map { post($0) })
    let flat = try library.store.window(PostListQuery()).rows[1].key
    let owned = try library.store.window(PostListQuery(grouping: .author)).rows[1].key
    #expect(try library.store.window(PostListQuery(), around: owned).rows.count == 1)
    #expect(try library.store.window(PostListQuery(grouping: .tag), around: flat, before: -1, after: -1).rows == [])
  }

  @Test(arguments: [
    PostListQuery(), PostListQuery(tag: "cats"), PostListQuery(user: "ada"), PostListQuery(grouping: .author),
    PostListQuery(grouping: .tag), PostListQuery(tag: "cats", user: "ada"), PostListQuery(within: day),
    PostListQuery(tag: "cats", within: day, grouping: .day(berlin)), PostListQuery(tag: "cats", includesDeleted: true),
    PostListQuery(feed: cats), PostListQuery(user: "ada", feed: cats),
  ])
  func `a window is read from indexes, without the other posts and without sorting`(query: PostListQuery) throws {
    let library = try TestLibrary()
    try library.pull([2, 1].map { post($0) })
    let anchor = try library.store.window(query, around: nil).rows.last?.key
    let noted = try library.statements(of: {
      let middle = anchor ?? PostKey(createdAt: UTC.text(noon), id: 1)
      _ = try library.store.window(query, around: middle, before: 5, after: 5)
    }).filter { $0.hasPrefix("SELECT") }
    #expect(noted.count > 2)
    for sql in noted {
      for line in try library.lines("EXPLAIN QUERY PLAN \(sql)") {
        let isScan = ["SCAN p", "SCAN k", "SCAN e", "SCAN b"].contains { line.contains("\($0) ") || line.hasSuffix($0) }
        #expect(!isScan || line.contains("USING COVERING INDEX post_newest"), "\(line) in \(sql)")
        // Authors with a handle are joined, and posts are returned in the order of the requested numbers.
        let mayBeSorted = sql.contains("ORDER BY j.key") || sql.contains("FROM author WHERE handle")
        #expect(!line.contains("TEMP B-TREE") || mayBeSorted, "\(line) in \(sql)")
      }
    }
  }
}
