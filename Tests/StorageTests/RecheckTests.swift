import Foundation
import Posts
import SQLite
import Testing

@testable import Storage

struct RecheckTests {
  private let day: TimeInterval = 86_400

  private func lookup(shown: [Post] = [], gone: [String] = []) -> LookupResult {
    LookupResult(shown: shown.map { item($0) }, gone: gone)
  }

  private func due(_ library: TestLibrary, days: Double, among feeds: [Feed] = [cats], limit: Int = 200) throws
    -> [String]
  {
    try library.store.duePosts(among: feeds, limit: limit, now: noon.addingTimeInterval(days * day))
      .flatMap { feed, posts in posts.map { "\(feed.value) \($0.remoteID)" } }
  }

  @Test func `an edit becomes a revision, and what is gone is marked and stays`() throws {
    let library = try TestLibrary()
    let ids = try library.pull([post(3), post(2), post(1)]).posts
    let known = try library.store.knownPosts(of: cats, limit: 10)
    #expect(known.map(\.post) == ids)
    let later = noon.addingTimeInterval(day)
    let result = try library.store.save(
      lookup(shown: [post(3, caption: "edited")], gone: ["social.example-2"]), of: known, now: later)
    #expect((result.edited, result.unchanged, result.gone, result.unanswered) == ([ids[0]], 0, 1, 1))
    #expect(try library.store.post(ids[0])?.revisions.map(\.caption) == ["post 3"])
    #expect(try library.store.posts().map(\.goneAt) == [nil, later, nil])
    #expect(try library.lines("SELECT looks, checked_at IS NULL FROM recheck ORDER BY post") == ["1|0", "1|0", "1|1"])
    try library.checkIndex()
  }

  /// A login that ended does not see it either.
  @Test(arguments: Visibility.allCases) func `only what everybody may see is found gone`(visibility: Visibility) throws
  {
    let library = try TestLibrary()
    var shown = post(1)
    shown.visibility = visibility
    try library.pull([shown])
    let known = try library.store.knownPosts(of: cats, limit: 10)
    let result = try library.store.save(lookup(gone: ["social.example-1"]), of: known, now: noon)
    #expect((result.gone, result.unanswered) == ([.public, .unlisted].contains(visibility) ? (1, 0) : (0, 1)))
  }

  @Test func `the time at which a post was found gone stays, until it is seen again`() throws {
    let library = try TestLibrary()
    let id = try library.pull([post(1)]).posts[0]
    let known = try library.store.knownPosts(of: cats, limit: 10)
    for hour in 1...2 {
      let now = noon.addingTimeInterval(Double(hour) * 3600)
      _ = try library.store.save(lookup(gone: ["social.example-1"]), of: known, now: now)
    }
    #expect(try library.store.post(id)?.post.goneAt == noon.addingTimeInterval(3600))
    _ = try library.store.save(lookup(), of: known, now: noon)
    #expect(try library.store.post(id)?.post.goneAt != nil)
    _ = try library.store.save(lookup(shown: [post(1)]), of: known, now: noon)
    #expect(try library.store.post(id)?.post.goneAt == nil)
    _ = try library.store.save(lookup(gone: ["social.example-1"]), of: known, now: noon)
    try library.pull([post(1)])
    #expect(try library.store.post(id)?.post.goneAt == nil)
  }

  @Test func `an observer of a list learns of a post that goes or comes back, and of no other`() throws {
    let library = try TestLibrary()
    let ids = try library.pull([post(2), post(1)]).posts
    let known = try library.store.knownPosts(of: cats, limit: 10)
    func changes(_ result: LookupResult) throws -> [String] {
      let before = try library.lines("SELECT max(id) FROM change")[0]
      _ = try library.store.save(result, of: known, now: noon)
      return try library.lines("SELECT post FROM change WHERE id > \(before)")
    }
    #expect(try changes(lookup(shown: [post(2), post(1)])) == [])
    #expect(try changes(lookup(shown: [post(2)], gone: ["social.example-1"])) == ["\(ids[1])"])
    #expect(try changes(lookup(shown: [post(2)], gone: ["social.example-1"])) == [])
    #expect(try changes(lookup(shown: [post(2), post(1)])) == ["\(ids[1])"])
  }

  @Test func `a post shown under another's id changes neither and brings nothing`() throws {
    let library = try TestLibrary()
    try library.pull([post(2), post(1)])
    let known = try library.store.knownPosts(of: cats, limit: 10)
    var wrong = item(post(1, caption: "taken over"))
    wrong.id = "social.example-2"
    var foreign = item(post(7))
    foreign.id = "social.example-1"
    let result = try library.store.save(LookupResult(shown: [wrong, foreign]), of: known, now: noon)
    #expect(result.unanswered == 2)
    #expect(try library.store.posts().map(\.caption) == ["post 2", "post 1"])
    #expect(try library.lines("SELECT count(*) FROM revision") == ["0"])
  }

  /// As snac does.
  @Test func `a post whose edit gave it a new id is known by its identity, and asked for by the new id`() throws {
    let library = try TestLibrary()
    let ids = try library.pull([post(2), post(1)]).posts
    let known = try library.store.knownPosts(of: cats, limit: 10)
    var edited = item(post(2, caption: "edited"))
    edited.id = "social.example-2"
    if case .post(var renumbered) = edited.content {
      renumbered.remoteID = "social.example-2b"
      edited.content = .post(renumbered)
    }
    let result = try library.store.save(LookupResult(shown: [edited]), of: [known[0]], now: noon)
    #expect((result.edited, result.unanswered) == ([ids[0]], 0))
    let requested = try library.store.knownPosts(of: cats, limit: 10).map(\.remoteID)
    #expect(requested == ["social.example-2b", "social.example-1"])
  }

  // MARK: Which posts

  @Test func `a post is looked up where it came from first, and not where it is deleted or made by hand`() throws {
    let library = try TestLibrary()
    let ids = try library.pull([post(3), post(2), post(1)]).posts
    try library.pull([post(4), post(3), post(1)], of: adas)
    try library.store.delete([ids[1]], now: noon)
    try library.store.add(post(9), id: UUID(), now: noon)
    let both = [cats, adas]
    func known(_ feed: Feed) throws -> [String] {
      try library.store.knownPosts(of: feed, leaving: both, limit: 9).map(\.remoteID)
    }
    #expect(try known(cats) == ["social.example-3", "social.example-1"])
    #expect(try known(adas) == ["social.example-4"])
    #expect(try library.store.knownPosts(of: adas, limit: 9).count == 3)
  }

  @Test func `posts come in batches, newest first, down to a date`() throws {
    let library = try TestLibrary()
    try library.pull((1...7).reversed().map { post($0) })
    var found: [String] = []
    var last: KnownPost?
    let since = post(2).createdAt
    while let next = try library.store.knownPosts(of: cats, since: since, after: last, limit: 4).last {
      found += try library.store.knownPosts(of: cats, since: since, after: last, limit: 4).map(\.remoteID)
      last = next
    }
    #expect(found == (2...7).reversed().map { "social.example-\($0)" })
  }

  @Test func `another server's copy is asked for by that server's own id, a repetition by none`() throws {
    let library = try TestLibrary()
    var repeated = item(post(1, server: birds))
    (repeated.id, repeated.repetition) = ("boost", Repetition(by: post(1).author!, at: noon))
    var copied = item(post(2, server: birds))
    copied.id = "copy"
    try library.pull([Page(items: [repeated, copied, item(post(3))], next: .end)])
    #expect(try library.store.knownPosts(of: cats, limit: 9).map(\.remoteID) == ["social.example-3", "copy"])
  }

  // MARK: The schedule

  @Test func `a post is due after 1, 7 and 30 days, and then no more`() throws {
    let library = try TestLibrary()
    try library.pull([post(1)])
    let known = try library.store.knownPosts(of: cats, limit: 1)
    for (early, late) in [(0.9, 1.0), (6.9, 7.5), (29.9, 31.0)] {
      #expect(try due(library, days: early) == [])
      #expect(try due(library, days: late) == ["cats social.example-1"])
      _ = try library.store.save(lookup(shown: [post(1)]), of: known, now: noon.addingTimeInterval(late * day))
    }
    #expect(try due(library, days: 1000) == [])
  }

  @Test func `a library that was unused for long catches up on one recheck`() throws {
    let library = try TestLibrary()
    try library.pull([post(1)])
    let known = try library.store.knownPosts(of: cats, limit: 1)
    _ = try library.store.save(lookup(), of: known, now: noon.addingTimeInterval(10 * day))
    #expect(try due(library, days: 29) == [])
    #expect(try due(library, days: 30) == ["cats social.example-1"])
  }

  @Test func `posts that cannot be looked up do not block others`() throws {
    let library = try TestLibrary()
    let ids = try library.pull((1...5).map { post($0) }).posts
    try library.store.delete(Array(ids.prefix(3)), now: noon)
    try library.pull([post(8)], of: adas)
    #expect(try due(library, days: 1, limit: 1) == ["cats social.example-4"])
    #expect(try due(library, days: 1) == ["cats social.example-4", "cats social.example-5"])
    #expect(try due(library, days: 7, among: [adas]) == ["ada social.example-8"])
    #expect(try due(library, days: 7) == [])
  }

  @Test func `posts of a server that is down wait a day, and the others do not`() throws {
    let library = try TestLibrary()
    try library.pull([post(1)])
    try library.pull([post(2)], of: adas)
    let known = try library.store.knownPosts(of: cats, limit: 1)
    try library.store.postpone(known, to: noon.addingTimeInterval(2 * day))
    #expect(try due(library, days: 1.5, among: [cats, adas]) == ["ada social.example-2"])
    #expect(try due(library, days: 2, among: [cats, adas]).count == 2)
  }

  @Test func `old posts, and those of documents, are on no schedule and can be looked up by hand`() throws {
    let library = try TestLibrary()
    try library.pull([post(1)])
    try library.store.write { try $0.execute("DELETE FROM recheck") }
    let known = try library.store.knownPosts(of: cats, limit: 1)
    _ = try library.store.save(lookup(gone: ["social.example-1"]), of: known, now: noon)
    #expect(try library.lines("SELECT looks, due_at FROM recheck") == ["1|-"])
    #expect(try due(library, days: 1000) == [])
    let site = Feed(source: .feed, kind: .url, value: "https://birds.example/rss", server: birds)
    var entry = post(2)
    (entry.source, entry.identity) = (.feed, .page)
    try library.pull([entry], of: site)
    #expect(try library.lines("SELECT count(*) FROM recheck") == ["1"])
  }
}
