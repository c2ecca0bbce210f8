import Blobs
import Filters
import Foundation
import Migrations
import PostgreSQLServer
import Posts
import SQLite
import Testing

@testable import Storage

/// Posts and authors that several sources of one network show.
struct NetworkTests {
  private static let misskey = SourceName(rawValue: "misskey")
  private let notes = Feed(source: Self.misskey, kind: .tag, value: "cats", server: Server("https://notes.example")!)
  private let marker = Marker(machine: "m", program: .command)

  enum Engine: CaseIterable {
    case sqlite, postgresql

    /// A store without posts.
    func store() throws -> Store {
      switch self {
      case .sqlite: try Store(Connections())
      case .postgresql: try Store.open(try PostgreSQLServer.shared().newDatabase(), shownAs: "/l", for: .writing)
      }
    }
  }

  /// The post as a server shows it that does not tell the identity of its author.
  private func note(_ number: Int, source: SourceName = .usual, by author: Author? = nil) -> Post {
    var post = post(number, server: notes.server)
    post.source = source
    post.author = author ?? Author(uri: "acct:ada@birds.example", handle: "ada@birds.example", name: "Ada")
    return post
  }

  private func pull(_ posts: [Post], of feed: Feed, into store: Store) throws {
    let pull = try store.beginPull(of: feed, goal: PullGoal(pages: 1), now: noon)
    _ = try store.save(page(posts), in: pull, now: noon)
    try store.finishPull(pull, reached: true, now: noon)
  }

  /// All that a library holds, as an export has it.
  private struct Archive {
    private var records: [LibraryRecord] = []

    init(of store: Store) throws {
      var records: [LibraryRecord] = []
      try store.eachRecord(of: nil, raw: false) { records.append($0) }
      self.records = records
    }

    func merge(into store: Store, isNew: Bool = false) throws {
      try store.beginMerge()
      let merged = try store.merge(records, stored: [], dryRun: false, now: noon)
      #expect(merged.refused == [:] && (merged.new > 0) == isNew)
    }
  }

  private func authors(of store: Store) throws -> [String] {
    try store.read { try $0.values("SELECT uri FROM author ORDER BY id") }
  }

  @Test(arguments: Engine.allCases, [true, false])
  func `an author whose identity only some servers tell is one`(engine: Engine, isNamedFirst: Bool) throws {
    let store = try engine.store()
    defer { store.close() }
    let steps = [([note(1), note(2)], notes), ([post(2), post(3)], cats)]
    for (posts, feed) in isNamedFirst ? steps.reversed() : steps { try pull(posts, of: feed, into: store) }
    #expect(try authors(of: store) == ["https://birds.example/users/ada"])
    #expect(try store.posts(PostQuery(user: "ada@birds.example", limit: nil)).count == 3)
    // A server cannot speak for another one's authors.
    let liar = Author(uri: "https://evil.example/users/1", handle: "bo@birds.example", name: "Bo")
    try pull(
      [note(4, by: Author(uri: "acct:bo@birds.example", handle: "bo@birds.example", name: "Bo"))], of: notes,
      into: store)
    try pull([note(5, by: liar)], of: notes, into: store)
    #expect(try authors(of: store).count == 3)
    for audit in store.audits { #expect(try store.findings(of: audit) == [], "\(audit.name)") }
  }

  @Test(arguments: Engine.allCases)
  func `an author who is hidden stays so when the identity is told`(engine: Engine) throws {
    let store = try engine.store()
    defer { store.close() }
    // Handles are the same whatever their case.
    let shouted = Author(uri: "acct:Ada@birds.example", handle: "Ada@birds.example", name: "Ada")
    try pull([note(1, by: shouted)], of: notes, into: store)
    try store.hide([], [.author("ada@birds.example")], true, by: marker, now: noon)
    try pull([post(2)], of: cats, into: store)
    #expect(try store.hiddenNames().count == 1)
    var shown = PostListQuery()
    shown.hidden = .excluded
    #expect(try store.total(of: shown) == .exactly(0))
  }

  @Test(arguments: Engine.allCases)
  func `an author whom two libraries hid by both names is one hidden author`(engine: Engine) throws {
    let (store, other) = (try engine.store(), try Engine.sqlite.store())
    defer { for store in [store, other] { store.close() } }
    try pull([note(1)], of: notes, into: store)
    try store.hide([], [.author("ada@birds.example")], true, by: marker, now: noon)
    try pull([post(2)], of: cats, into: other)
    try other.hide([], [.author("ada@birds.example")], true, by: marker, now: noon)
    try Archive(of: other).merge(into: store, isNew: true)
    try pull([post(3)], of: cats, into: store)
    #expect(try store.hiddenNames().count == 1 && authors(of: store) == ["https://birds.example/users/ada"])
    var shown = PostListQuery()
    shown.hidden = .excluded
    #expect(try store.total(of: shown) == .exactly(0))
    for audit in store.audits { #expect(try store.findings(of: audit) == [], "\(audit.name)") }
  }

  @Test(arguments: Engine.allCases)
  func `posts that two sources of a network brought become one, with all that the person did`(engine: Engine) throws {
    let store = try engine.store()
    defer { store.close() }
    try pull([post(1, attachments: [picture("1")]), post(2)], of: cats, into: store)
    var twin = note(1, source: Self.misskey)
    (twin.attachments, twin.caption) = ([picture("1"), picture("2")], "as Misskey has it")
    let far = Author(uri: "acct:ann@far.example", handle: "ann@far.example", name: "Ann")
    try pull([twin, note(9, source: Self.misskey, by: far)], of: notes, into: store)
    let stored = try store.posts(PostQuery(limit: nil))
    func id(_ source: SourceName, _ number: Int) throws -> Int64 {
      try #require(stored.first { $0.source == source && $0.uri.hasSuffix("/\(number)") }).id
    }
    let (old, new) = (try id(Self.misskey, 1), try id(.usual, 1))
    let pictures = try store.pictures(ofPosts: [old], now: noon)
    try store.attach([(pictures[0], OldLibrary.blob(0))], now: noon)
    try store.mark([new], [.favourite(true), .note("first"), .rating(2), .ownTag("a")], by: marker, now: noon)
    let later = noon.addingTimeInterval(60)
    try store.mark([old], [.favourite(true), .ownTag("a")], by: marker, now: noon)
    try store.mark(
      [old], [.favourite(false), .note("second"), .noOwnTag("a"), .ownTag("b"), .seen(true)], by: marker, now: later)
    try store.createAlbum("Winter", by: marker, now: noon)
    try store.add([old], toAlbum: "Winter", by: marker, now: later)
    try store.hide([], [.author("ada@birds.example")], true, by: marker, now: later)
    try store.delete([try id(Self.misskey, 9)], now: later)

    let archive = try Archive(of: store)
    let steps = engine == .sqlite ? Migration.all : Migration.postgreSQL
    let step = try #require(steps.first { $0.name.hasSuffix("_network") })
    // Its indexes are there already.
    let merging = try #require(step.sql.split(separator: "-- What few posts have").first)
    try store.write { try $0.execute(String(merging)) }
    while try store.readWords(atMost: 100) {}

    #expect(try authors(of: store) == ["https://birds.example/users/ada", "acct:ann@far.example"])
    #expect(try store.hiddenNames().count == 1)
    try store.hide([], [.author("ada@birds.example")], false, by: marker, now: later.addingTimeInterval(60))
    let posts = try store.posts(numbered: stored.map(\.id))
    #expect(posts.allSatisfy { $0.source == .usual } && posts.count == 3)
    let one = try #require(posts.first { $0.id == new })
    #expect((one.marks.isFavourite, one.marks.note, one.marks.rating) == (false, "second", 2))
    #expect((one.marks.ownTags, one.marks.albums, one.marks.seenAt != nil) == (["b"], ["Winter"], true))
    #expect(one.attachments.map(\.state) == [.stored, .pending])
    #expect(try store.read { try $0.values("SELECT caption FROM revision") as [String] } == ["as Misskey has it"])
    #expect(try store.read { try $0.values("SELECT note FROM earlier_note") as [String] } == ["first"])
    #expect(try store.posts(PostQuery(feed: notes, limit: nil)).map(\.id) == [new])
    #expect(try store.deletedPosts() == [try id(Self.misskey, 9)])
    var misskey = PostListQuery()
    misskey.filter = PostFilter(.term(Filter.Term(.source, [.word("misskey")])), now: noon)
    #expect(try store.total(of: misskey) == .exactly(1))
    for audit in store.audits { #expect(try store.findings(of: audit) == [], "\(audit.name)") }
    try pull([note(1)], of: notes, into: store)
    #expect(try store.posts(numbered: stored.map(\.id)).count == 3)
    // An archive of an earlier version has the other name.
    try archive.merge(into: store)
    #expect(try store.posts(numbered: stored.map(\.id)).count == 3 && store.total(of: PostListQuery()) == .exactly(2))
    #expect(try authors(of: store).count == 2)
    for audit in store.audits { #expect(try store.findings(of: audit) == [], "\(audit.name)") }
  }
}
