import Filters
import Folders
import Foundation
import Posts
import PropertyTesting
import Testing

@testable import Storage

struct ObservingTests {
  private func ids(_ reading: PostWindowReading?) -> [Int64]? { reading?.rows.map(\.post.id) }

  /// Waits for a reading that satisfies a condition; nil if the stream ends before.
  private func reading(
    _ readings: inout AsyncThrowingStream<PostWindowReading, any Error>.Iterator,
    until isWanted: (PostWindowReading) -> Bool
  ) async throws -> PostWindowReading? {
    while let next = try await readings.next() { if isWanted(next) { return next } }
    return nil
  }

  @Test(.timeLimit(.minutes(10))) func `a window follows what this process does`() async throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    var readings = store.observe(PostListQuery(tag: "cats"), after: 3).makeAsyncIterator()
    #expect(ids(try await readings.next()) == [])
    try save([page([3, 2, 1])], in: store)
    #expect(ids(try await readings.next()) == [1, 2, 3])
    try store.delete([2], now: noon)
    #expect(ids(try await readings.next()) == [1, 3])
    try store.restore([2], now: noon)
    try save([page([9, 8])], in: store)
    #expect(try await reading(&readings) { $0.total == .exactly(5) }?.rows.map(\.post.id) == [4, 5, 1])
    store.close()
    #expect(try await readings.next() == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a window of a feed follows what comes to it that was there before`() async throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    try save([page([3, 2, 1])], in: store)
    var readings = store.observe(PostListQuery(feed: adas)).makeAsyncIterator()
    #expect(ids(try await readings.next()) == [])
    try save([page([2])], of: adas, in: store)
    #expect(ids(try await readings.next()) == [2])
    // The feed is known by now; its post in the library is unchanged.
    try save([page([3])], of: adas, in: store)
    #expect(ids(try await reading(&readings) { $0.rows.count == 2 }) == [1, 2])
  }

  @Test(.timeLimit(.minutes(10))) func `changes outside a window change only its counts`() async throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    try save([page((1...9).reversed())], in: store)
    var readings = store.observe(PostListQuery(grouping: .day(.gmt)), after: 2).makeAsyncIterator()
    let first = try #require(try await readings.next())
    try store.delete([9], now: noon)
    let second = try #require(try await readings.next())
    #expect(second.rows == first.rows)
    #expect(second.total == .exactly(8))
    #expect(second.sections.map(\.count) == [.exactly(8)])
    try store.delete([3, 4, 5, 6, 7, 8], now: noon)
    #expect(try await readings.next()?.hasMoreAfter == false)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [Store.Purpose.writing, .command, .reading], [true, false])
  func `another process's commits arrive`(purpose: Store.Purpose, watchesFolder: Bool) async throws {
    let scratch = try Scratch()
    let made = try Store.open(library: scratch.path, now: noon)
    try save([page([2, 1])], in: made)
    made.close()
    let opened = try Store.open(library: scratch.path, for: purpose, now: noon)
    // If the system reports nothing, the watcher polls.
    let interval: Int32 = watchesFolder ? 1000 : 5
    let store = Store(
      watching: opened,
      LibraryWatcher(opened.writer, path: scratch.path, interval: interval, watchesFolder: watchesFolder))
    defer { store.close() }
    var readings = store.observe(PostListQuery(search: "hello")).makeAsyncIterator()
    #expect(ids(try await readings.next()) == [])
    try shell("UPDATE post SET caption = 'hello there' WHERE id = 2", scratch)
    #expect(ids(try await readings.next()) == [2])
    try shell("INSERT INTO post_state (post, deleted_at) VALUES (2, 'x')", scratch)
    #expect(ids(try await readings.next()) == [])
  }

  /// A missed commit would be seen only after an hour.
  @Test(.timeLimit(.minutes(2)), arguments: [1, 2, 5, 20])
  func `each of several commits in a row is seen by its event, or by a poll that follows`(burst: Int) async throws {
    let scratch = try Scratch()
    let opened = try Store.open(library: scratch.path, now: noon)
    let store = Store(
      watching: opened, LibraryWatcher(opened.writer, path: scratch.path, interval: 3_600_000, watchesFolder: true))
    defer { store.close() }
    try save([page([2, 1])], in: opened)
    var readings = store.observe(PostListQuery()).makeAsyncIterator()
    #expect(ids(try await readings.next()) == [1, 2])
    for round in 1...40 {
      let commits = (1...burst).map { "UPDATE post SET caption = '\(round), \($0)' WHERE id = 1;" }
      try shell(commits.joined(), scratch)
      let last = try await reading(&readings) { $0.rows.first?.post.caption == "\(round), \(burst)" }
      #expect(last != nil)
    }
  }

  @Test func `after an event a commit is seen late by at most an eighth of its age, and polls become rare`() {
    var patience = CommitPollDelay(interval: 1000)
    var (sum, polls) = (0, 0)
    while sum < 100_000 {
      let wait = Int(patience.next())
      #expect(wait == min(max(sum / 8, 1), 1000))
      (sum, polls) = (sum + wait, polls + (wait < 1000 ? 1 : 0))
    }
    #expect(polls < 80)
    var quick = CommitPollDelay(interval: 0)
    #expect(quick.next() == 0)
  }

  @Test(.timeLimit(.minutes(10))) func `the folder is watched only once somebody observes`() async throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    try save([page([2, 1])], in: store)
    #expect(!store.watcher.registry.directoryWatcher.isWatching)
    var readings = store.observe(PostListQuery()).makeAsyncIterator()
    _ = try await readings.next()
    #expect(store.watcher.registry.directoryWatcher.isWatching)
  }

  @Test(.timeLimit(.minutes(10))) func `changes are reported post by post and author by author`() async throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    try save([page([2, 1])], in: store)
    // Its first reading shows that the watcher has started.
    var readings = store.observe(PostListQuery()).makeAsyncIterator()
    var changes = store.changes().makeAsyncIterator()
    _ = try await readings.next()
    try await begun(store)
    try store.delete([2], now: noon)
    #expect(try await changes.next() == .posts([2], authors: []))
    try shell("UPDATE author SET name = 'Bea'", scratch)
    #expect(try await changes.next() == .posts([], authors: [1]))
    #expect(try await reading(&readings) { $0.rows.first?.post.author?.name == "Bea" } != nil)
    try shell("DELETE FROM change WHERE id < (SELECT max(id) FROM change); UPDATE change SET id = id + 50000", scratch)
    #expect(try await changes.next() == .everything)
  }

  private func filtered(_ text: String, grouping: PostGrouping = .none) -> PostListQuery {
    var list = PostListQuery(grouping: grouping)
    list.filter = (try? Filter(parsing: text)).map { PostFilter($0, now: noon) }
    return list
  }

  @Test(.timeLimit(.minutes(10)), arguments: PropertyTest.seeds(sample: 2, whole: 60))
  func `an observed window ends equal to a fresh reading`(seed: UInt64) async throws {
    let library = try TestLibrary()
    var turmoil = Turmoil(seed: seed)
    for _ in 0..<30 { try turmoil.stir(library.store) }
    let lists = [
      PostListQuery(), PostListQuery(tag: "cats", grouping: .tag), PostListQuery(search: "moon"),
      PostListQuery(grouping: .author), PostListQuery(user: "user1", grouping: .day(.gmt)), PostListQuery(tag: "rare"),
      PostListQuery(search: "sun", includesDeleted: true, grouping: .author), PostListQuery(grouping: .tag),
      PostListQuery(tags: ["cats", "rare"]), PostListQuery(tags: ["dogs", "cats"], search: "moon", grouping: .tag),
      PostListQuery(feed: adas), PostListQuery(feed: adas, grouping: .author), PostListQuery(feed: cats, search: "mo"),
      filtered("rating:0"), filtered("rating:0 -tag:cats", grouping: .tag), filtered("-by:user1", grouping: .author),
      filtered("rating:<=2|5", grouping: .day(.gmt)), filtered("is:unseen sort:rating"),
    ]
    let watched = try lists.map { list in
      let key = try library.store.window(list).rows.randomElement(using: &turmoil.dice)?.key
      return (list, key, library.store.observe(list, around: key, before: 3, after: 4).makeAsyncIterator())
    }
    for _ in 0..<40 { try turmoil.stir(library.store) }
    for (list, key, readings) in watched {
      var readings = readings
      let fresh = try library.store.window(list, around: key, before: 3, after: 4)
      let last = try await reading(&readings) { $0 == fresh }
      #expect(last != nil, "seed \(seed), \(list)")
    }
    library.store.close()
  }

  @Test(.timeLimit(.minutes(10))) func `a stream ends with its reader, and with the store`() async throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    let readings = store.observe(PostListQuery())
    let reader = Task { try await readings.reduce(0) { count, _ in count + 1 } }
    reader.cancel()
    #expect(try await reader.value <= 1)
    var other = store.observe(PostListQuery()).makeAsyncIterator()
    #expect(ids(try await other.next()) == [])
    store.close()
    #expect(try await other.next() == nil)
    var late = store.changes().makeAsyncIterator()
    #expect(try await late.next() == nil)
    // The library is one file again: the watcher has closed its connection before.
    #expect(scratch.names == ["locks", "media.sqlite"])
  }

  /// Waits until the watcher has added all observers.
  private func begun(_ store: Store) async throws {
    var readings = store.observe(PostListQuery()).makeAsyncIterator()
    _ = try await readings.next()
  }

  private func save(_ pages: [Page], of feed: Feed = cats, in store: Store) throws {
    let pull = try store.beginPull(of: feed, goal: PullGoal(pages: pages.count), now: noon)
    for page in pages { _ = try store.save(page, in: pull, now: noon) }
    try store.finishPull(pull, reached: true, now: noon)
  }

  /// Writes in another process.
  private func shell(_ sql: String, _ scratch: Scratch) throws {
    let shell = ["\(scratch.path)/media.sqlite", ".timeout 5000", sql]
    #expect(try StartedProgram("/usr/bin/sqlite3", shell).wait() == 0)
  }
}
