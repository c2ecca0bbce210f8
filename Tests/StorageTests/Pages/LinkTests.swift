import Filters
import Foundation
import PostgreSQLServer
import Posts
import SQLite
import Testing

@testable import Storage

/// Posts of two networks that are one.
struct LinkTests {
  private func post(_ source: String, _ uri: String, url: String?, original: String? = nil) -> Post {
    // A post speaks for addresses of its own host.
    let host = url.flatMap { URL(string: $0)?.host() } ?? "birds.example"
    return Post(
      source: SourceName(rawValue: source), uri: uri.contains("://") ? uri : "https://\(host)/\(uri)", url: url,
      original: original, server: cats.server, remoteID: uri, createdAt: noon, caption: "A cat")
  }

  private func pull(_ posts: [Post], into store: Store) throws {
    let pull = try store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    _ = try store.save(page(posts), in: pull, now: noon)
    try store.finishPull(pull, reached: true, now: noon)
  }

  /// Removes a post, as a person with SQL may.
  private func remove(_ post: Int64, from store: Store) throws {
    try store.write { db in
      for (table, column) in [("post_state", "post"), ("post", "id")] {
        try db.run("DELETE FROM \(table) WHERE \(column) = $1", [post])
      }
    }
  }

  private func list(_ store: Store, _ filter: String) throws -> [Int64] {
    var query = PostQuery(limit: 10)
    query.filter = PostFilter(try Filter(parsing: filter), now: noon)
    return try store.posts(query).map(\.id).sorted()
  }

  private func links(_ store: Store) throws -> [[Int64]] {
    try store.posts(PostQuery(limit: 100)).sorted { $0.id < $1.id }.map { $0.elsewhere.map(\.post) }
  }

  private static let record = "at://did:plc:abc/app.bsky.feed.post/3k"
  private static let note = "https://birds.example/@ada/1"

  /// The two ends of each kind of link.
  private func pairs() -> [[Post]] {
    let uri = "https://birds.example/users/ada/statuses/1"
    return [
      [
        post("mastodon", uri, url: Self.note),
        post("bluesky", Self.record, url: "https://b.example/3k", original: Self.note),
      ],
      [
        post("mastodon", uri, url: Self.note), post("bluesky", Self.record, url: "https://b.example/3k", original: uri),
      ],
      [
        post("bluesky", Self.record, url: nil),
        post("mastodon", "https://bsky.brid.gy/convert/ap/" + Self.record, url: nil, original: Self.record),
      ],
      [post("flickr", "https://birds.example/f1", url: Self.note), post("feed", "item-1", url: Self.note)],
      [post("mastodon", uri, url: Self.note), post("feed", "item-1", url: uri)],
    ]
  }

  @Test(arguments: NetworkTests.Engine.allCases, [false, true])
  func `posts are linked whichever came first, and the later one is elsewhere as long as the first is not deleted`(
    engine: NetworkTests.Engine, isTurned: Bool
  ) throws {
    for pair in pairs() {
      let store = try engine.store()
      for post in isTurned ? pair.reversed() : pair { try pull([post], into: store) }
      #expect(try links(store) == [[2], [1]])
      #expect(try list(store, "is:elsewhere") == [2])
      #expect(try list(store, "-is:elsewhere") == [1])
      let marker = Marker(machine: "m", program: .command)
      _ = try store.delete([1], by: marker, now: noon)
      #expect(try list(store, "-is:elsewhere") == [2])
      _ = try store.restore([1], by: marker, now: noon)
      #expect(try list(store, "-is:elsewhere") == [1])
      store.close()
    }
  }

  @Test(arguments: NetworkTests.Engine.allCases)
  func `a page that brings both links them, and an address that goes unlinks them`(engine: NetworkTests.Engine) throws {
    let store = try engine.store()
    defer { store.close() }
    try pull([post("flickr", "f1", url: Self.note), post("feed", "item-1", url: Self.note)], into: store)
    try pull([post("feed", "item-2", url: Self.note)], into: store)
    #expect(try links(store).map(Set.init) == [[2, 3], [1], [1]])
    try pull([post("flickr", "f1", url: "https://birds.example/2")], into: store)
    #expect(try links(store) == [[], [], []])
    try pull([post("flickr", "f1", url: Self.note)], into: store)
    #expect(try links(store).map(Set.init) == [[2, 3], [1], [1]])
  }

  @Test(arguments: NetworkTests.Engine.allCases)
  func `posts of one source, and posts that share the address of a site, are not linked`(
    engine: NetworkTests.Engine
  ) throws {
    let store = try engine.store()
    defer { store.close() }
    let site = "https://site.example/"
    let items = (1...20).map { post("feed", "item-\($0)", url: site) }
    try pull(items + [post("feed", "a", url: Self.note), post("feed", "b", url: Self.note)], into: store)
    try pull([post("flickr", "f1", url: site), post("mastodon", site, url: nil)], into: store)
    // Neither is an address of that form, or of that length, a name.
    let long = "https://site.example/" + String(repeating: "a", count: 500)
    for address in ["javascript:alert(1)", "mailto:ada@site.example", long] {
      try pull([post("flickr", "f-\(address)", url: address), post("feed", "i-\(address)", url: address)], into: store)
    }
    // Nor does a post of another place speak for it.
    try pull(
      [post("mastodon", "https://birds.example/users/ada/statuses/9", url: "https://birds.example/@ada/9")], into: store
    )
    try pull([post("feed", "https://links.example/feed#9", url: "https://birds.example/@ada/9")], into: store)
    #expect(try links(store).allSatisfy(\.isEmpty))
  }

  @Test(arguments: NetworkTests.Engine.allCases)
  func `what an address linked is apart again when it turns out to be that of a site`(
    engine: NetworkTests.Engine
  ) throws {
    let store = try engine.store()
    defer { store.close() }
    let site = "https://site.example/"
    try pull([post("flickr", "f1", url: site), post("bluesky", Self.record, url: nil, original: site)], into: store)
    for number in 1...15 { try pull([post("feed", "item-\(number)", url: site)], into: store) }
    #expect(try links(store)[0].count == 16)
    for number in 16...20 { try pull([post("feed", "item-\(number)", url: site)], into: store) }
    #expect(try links(store).allSatisfy(\.isEmpty))
  }

  @Test(arguments: NetworkTests.Engine.allCases)
  func `a library that takes over the posts of others links them anew`(engine: NetworkTests.Engine) throws {
    let (one, other, both) = (try engine.store(), try engine.store(), try engine.store())
    defer { for store in [one, other, both] { store.close() } }
    for pair in pairs().prefix(3) {
      try pull([pair[0]], into: one)
      try pull([pair[1]], into: other)
    }
    for store in [one, other] {
      var records: [LibraryRecord] = []
      try store.eachRecord(of: nil, raw: true) { records.append($0) }
      try both.beginMerge()
      _ = try both.merge(records, stored: [], dryRun: false, now: noon)
    }
    let expected = try links(both)
    #expect(!expected.contains([]))
  }

  @Test(arguments: NetworkTests.Engine.allCases)
  func `a folded list shows the first of the linked posts that it has`(engine: NetworkTests.Engine) throws {
    let store = try engine.store()
    defer { store.close() }
    try pull([post("flickr", "f1", url: Self.note)], into: store)
    try pull([post("feed", "item-1", url: Self.note), post("feed", "item-2", url: nil)], into: store)
    func folded(_ filter: String = "") throws -> [Int64: Int] {
      var query = PostQuery(limit: 10)
      query.isFolded = true
      if !filter.isEmpty { query.filter = PostFilter(try Filter(parsing: filter), now: noon) }
      return Dictionary(uniqueKeysWithValues: try store.posts(query).map { ($0.id, $0.foldedPosts) })
    }
    #expect(try folded() == [1: 1, 3: 0])
    #expect(try folded("cat") == [1: 1, 3: 0])
    #expect(try folded("source:feed") == [2: 0, 3: 0])
    #expect(try Array(folded("is:elsewhere").keys) == [2])
    var list = PostListQuery()
    list.isFolded = true
    #expect(try store.total(of: list) == .exactly(2))
    #expect(try store.window(list).rows.map(\.post.id).sorted() == [1, 3])
    let marker = Marker(machine: "m", program: .command)
    _ = try store.delete([1], by: marker, now: noon)
    #expect(try Array(folded().keys).sorted() == [2, 3])
    _ = try store.restore([1], by: marker, now: noon)
    _ = try store.hide([1], by: marker, now: noon)
    list.hidden = .excluded
    #expect(try store.window(list).rows.map(\.post.id).sorted() == [2, 3])
    #expect(try store.months(of: list, in: .gmt).map(\.count) == [2])
  }

  @Test(arguments: NetworkTests.Engine.allCases)
  func `who is told of changes learns nothing of links, but a list that folds may ask`(
    engine: NetworkTests.Engine
  ) async throws {
    let store = try engine.store()
    defer { store.close() }
    try pull([post("flickr", "f1", url: Self.note), post("feed", "item-1", url: Self.note)], into: store)
    let start = try store.changePosition()
    _ = try store.delete([1], by: Marker(machine: "m", program: .command), now: noon)
    var changes = store.changes(after: start).makeAsyncIterator()
    let told = try #require(try await changes.next()?.change)
    #expect(told == .posts([1], authors: []))
    #expect(try store.withLinks(told) == .posts([1, 2], authors: []))
  }

  @Test(arguments: NetworkTests.Engine.allCases)
  func `a folded list that is watched is told when the earlier post is deleted, and when it comes back`(
    engine: NetworkTests.Engine
  ) async throws {
    let store = try engine.store()
    defer { store.close() }
    try pull([post("feed", "item-1", url: Self.note)], into: store)
    var list = PostListQuery()
    list.isFolded = true
    var readings = store.observe(list).makeAsyncIterator()
    func next(where isRight: ([Int64: Int]) -> Bool) async throws {
      while let reading = try await readings.next() {
        if isRight(Dictionary(uniqueKeysWithValues: reading.rows.map { ($0.post.id, $0.post.foldedPosts) })) { return }
      }
    }
    try await next { $0 == [1: 0] }
    try pull([post("flickr", "f1", url: Self.note)], into: store)
    try await next { $0 == [1: 1] }
    let marker = Marker(machine: "m", program: .command)
    _ = try store.delete([1], by: marker, now: noon)
    try await next { $0 == [2: 0] }
    _ = try store.restore([1], by: marker, now: noon)
    try await next { $0 == [1: 1] }
  }

  @Test(.timeLimit(.minutes(5)), arguments: NetworkTests.Engine.allCases)
  func `an open list without the other post tells what becomes of it`(engine: NetworkTests.Engine) async throws {
    let store = try engine.store()
    defer { store.close() }
    try pull(pairs()[0], into: store)
    var list = PostListQuery()
    list.filter = PostFilter(try Filter(parsing: "source:bluesky"), now: noon)
    var readings = store.observe(list).makeAsyncIterator()
    for (wanted, change) in [
      ([1], {}), ([], { try store.delete([1], now: noon) }), ([1], { try store.restore([1], now: noon) }),
      ([], { try remove(1, from: store) }),
    ] as [([Int64], () throws -> Void)] {
      try change()
      while let rows = try await readings.next()?.rows, rows.map({ $0.post.elsewhere.map(\.post) }) != [wanted] {}
    }
  }

  @Test func `two transactions that store one post each at once lose no link`() async throws {
    let address = try PostgreSQLServer.shared().newDatabase()
    let stores = try (0..<2).map { _ in try Store.open(address, shownAs: "/l", for: .writing) }
    defer { for store in stores { store.close() } }
    try pull([post("feed", "first", url: nil)], into: stores[0])
    for number in 0..<20 {
      let url = "https://photos.example/\(number)"
      let sides = ["flickr", "feed"].map { post($0, "\($0)-\(number)", url: url) }
      try await withThrowingTaskGroup { group in
        for (store, side) in zip(stores, sides) {
          group.addTask {
            let feed = Feed(source: side.source, kind: .tag, value: "cats", server: cats.server)
            let pull = try store.beginPull(of: feed, goal: PullGoal(pages: 1), now: noon)
            _ = try store.save(page([side]), in: pull, now: noon)
            try store.finishPull(pull, reached: true, now: noon)
          }
        }
        try await group.waitForAll()
      }
    }
    let links = try links(stores[0])
    #expect(links.count == 41)
    #expect(links.count { $0.count == 1 } == 40)
  }

  @Test func `links are looked for and lists leave out what is elsewhere by indexes`() throws {
    let store = try Store(Connections())
    defer { store.close() }
    let plan: [String] = try store.read { db in
      var list = PostListQuery()
      list.filter = PostFilter(try Filter(parsing: "-is:elsewhere"), now: noon)
      let predicate = try #require(try PostPredicate(list, in: db))
      let clause = PostSelection(source: .library, predicate: predicate).statement(limit: 50, in: db)
      return try db.rows("EXPLAIN QUERY PLAN \(clause.sql)", clause.arguments) { try $0["detail"] }
        + db.rows("EXPLAIN QUERY PLAN \(LinkWriter.search(in: db))", ["[]", "feed"]) { try $0["detail"] }
    }
    let needed = [
      "INDEX post_newest", "SEARCH k USING PRIMARY KEY (later=?)", "INDEX post_url (url=?)",
      "INDEX post_original (original=?)", "INDEX sqlite_autoindex_post_1 (source=? AND uri=?)",
    ]
    for part in needed { #expect(plan.contains { $0.contains(part) }, "\(part) in \(plan)") }
    #expect(
      !plan.contains { $0.hasPrefix("SCAN q") || $0.hasPrefix("SCAN o") || $0.contains("TEMP B-TREE") }, "\(plan)")
  }
}
