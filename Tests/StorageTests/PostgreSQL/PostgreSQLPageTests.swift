import PostgreSQL
import PostgreSQLServer
import Posts
import Rows
import Testing

@testable import Storage

/// How a page is written in few statements, and that it stores what many would.
@Suite struct PostgreSQLPageTests {
  private let address: String
  private let store: Store

  init() throws {
    address = try PostgreSQLServer.shared().newDatabase()
    store = try Store.open(address, shownAs: "postgresql://test", for: .writing)
  }

  /// Posts of which several are known under the same name: twice by their identity, and once by the address of another.
  private var entangled: [Post] {
    var alias = post(3, caption: "the address of another one")
    alias.uri = post(2).url ?? ""
    alias.url = nil
    return [post(5), post(1, caption: "newer"), post(2), alias, post(1, caption: "older"), post(4, tags: [])]
  }

  @Test func `a page with posts that share names is stored as SQLite stores it`() throws {
    let ours = TestLibrary.State(of: store)
    let theirs = try TestLibrary()
    for posts in [entangled, [post(6), post(5, caption: "edited")], entangled.reversed()] {
      let pull = try store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
      let saved = try store.save(page(posts), in: pull, now: noon)
      try store.finishPull(pull, reached: true, now: noon)
      let expected = try theirs.pull(posts)
      #expect([saved.new, saved.updated, saved.unchanged] == [expected.new, expected.updated, expected.unchanged])
      #expect(try ours.shown() == TestLibrary.State(of: theirs.store).shown())
    }
    #expect(try store.posts(PostQuery(search: "newer")).count == theirs.store.posts(PostQuery(search: "newer")).count)
    store.close()
  }

  @Test func `rows of any content are inserted by one statement, in order`() throws {
    let values = ["", "a\0b", "\"quoted\", {braces} and \\", "👩🏽‍🚀", String(repeating: "long ", count: 10_000)]
    let rows = (0..<4_321).map { ["name \($0)", values[$0 % values.count]] as Arguments }
    try store.write { try $0.insert("INSERT INTO setting (name, value)", rows) }
    let stored: [String] = try store.read { db in
      try db.values(
        "SELECT value FROM setting WHERE name LIKE 'name %' ORDER BY length(name), name LIMIT $1", [values.count])
    }
    #expect(stored == ["", "a\u{FFFD}b"] + values.dropFirst(2))
    #expect(try store.read { try $0.value("SELECT count(*) FROM setting WHERE name LIKE 'name %'") } == rows.count)
    try store.write { db in
      try db.insert(
        "INSERT INTO setting (name, value)", [["name 1", "again"], ["new", "x"]], "ON CONFLICT DO NOTHING")
      #expect(db.changesCount == 1)
    }
    #expect(throws: StorageError.self) {
      try store.write { try $0.insert("INSERT INTO setting (name, value)", [["a number", 1], ["none", nil]]) }
    }
    store.close()
  }

  @Test func `connections reserve numbers that no other one gets, and no more than a page needs at first`() throws {
    let connections = try (0..<2).map { _ in try PostgreSQLConnection(address) }
    var reserves = [NumberReserve(table: "post"), NumberReserve(table: "post")]
    var drawn: [Int64] = []
    for round in 0..<8 {
      let numbers = try reserves[round % 2].numbers(40, in: connections[round % 2])
      #expect(numbers == numbers.sorted()[...])
      drawn += numbers
    }
    #expect(Set(drawn).count == 320)
    #expect(Set(drawn.prefix(80)) == Set(1...80))
    store.close()
  }
}

extension TestLibrary {
  /// What a library shows of its posts.
  struct State {
    private let store: Store

    init(of store: Store) { self.store = store }

    func shown() throws -> [String] {
      try store.posts().map { post in
        "\(post.uri) \(post.url ?? "") \(post.caption) \(post.tags) \(post.author?.name ?? "") \(post.revisionCount)"
      }
    }
  }
}
