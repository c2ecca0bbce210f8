import Blobs
import Filters
import Folders
import Foundation
import Posts
import Testing

@testable import Storage

/// Values of another type than their tables declare, as a faulty disk or another program leaves them.
@Suite(.timeLimit(.minutes(10))) struct MistypedStoreTests {
  @Test(arguments: try! MistypedStore.tables())
  func `a value of another type is an error or damage, whoever reads it, and never the end of the process`(
    table: String
  ) throws {
    let store = try MistypedStore()
    for flip in try MistypedStore.sample(of: table) {
      let copy = try store.copy(with: flip)
      let use = LibraryUse(library: copy.path)
      use.read()
      #expect(use.isDamageReported, "\(flip)")
      use.write()
      use.repair()
      #expect(use.strangeErrors == [], "\(flip)")
    }
  }

  @Test(arguments: [Int64.max, .min])
  func `a page beside a position that cannot be is refused as damage`(position: Int64) throws {
    let library = try DiskLibrary()
    try library.pull(1...2)
    try library.spoil("UPDATE feed_post SET place = \(position)")
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    let error = #expect(throws: StorageError.self) {
      try library.store.save(page([post(4), post(3), post(2), post(1)]), in: pull, now: noon)
    }
    guard case .damaged(_, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason == "column place holds \(position), which is out of range")
  }
}

@Suite struct ImpossibleTotalTests {
  @Test(arguments: [Int64.max, .min])
  func `a feed's total that cannot be is damage to who looks for its missing pictures`(total: Int64) throws {
    let library = try DiskLibrary()
    try library.pull(1...2)
    try library.spoil("UPDATE total SET posts = \(total) WHERE kind = 'feed'")
    for look: (Store) throws -> Void in [
      { _ = try $0.missingPictures(of: cats, .due, now: noon) },
      { _ = try $0.hasUntriedPictures(of: cats, now: noon) },
      { _ = try $0.countOfMissingPictures(of: cats, now: noon) },
    ] {
      let error = #expect(throws: StorageError.self) { try look(library.store) }
      guard case .damaged(_, let reason) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(reason == "column posts holds \(total), which is out of range")
    }
  }
}

/// Uses a library in every way, whatever is wrong with it.
private final class LibraryUse {
  let library: String
  /// Whether a check reported damage, or the library could not be opened.
  private(set) var isDamageReported = false
  /// Errors that the store does not declare.
  private(set) var strangeErrors: [String] = []

  init(library: String) { self.library = library }

  private func attempt<Value>(_ work: () throws -> Value) -> Value? {
    do { return try work() } catch {
      if !(error is StorageError || error is MarkError) { strangeErrors.append("\(error)") }
      return nil
    }
  }

  private func open(_ purpose: Store.Purpose) -> Store? {
    attempt { try Store.open(library: library, for: purpose, now: noon) }
  }

  func read() {
    guard let store = open(.reading) else {
      isDamageReported = true
      return
    }
    defer { store.close() }
    readLists(of: store)
    readFeeds(of: store)
    readPictures(of: store)
    for work in Self.runs { _ = attempt { try work(store) } }
    check(store, repair: false)
  }

  private func readLists(of store: Store) {
    let lists = [
      PostListQuery(), PostListQuery(tag: "cats"), PostListQuery(user: "ada"), PostListQuery(feed: cats),
      PostListQuery(search: "edit"), PostListQuery(includesDeleted: true), PostListQuery(grouping: .author),
      PostListQuery(grouping: .tag),
    ]
    for list in lists {
      _ = attempt { try store.window(list) }
      _ = attempt { try store.members(of: list) }
      _ = attempt { try store.lastKey(of: list) }
      _ = attempt { try store.deletedPosts(of: list) }
    }
    _ = attempt { try store.posts(PostQuery(limit: nil, deleted: .included)) }
    _ = attempt { try store.eachPost(PostQuery(search: "post")) { _ in } }
    for id in Int64(1)...15 { _ = attempt { try store.post(id) } }
    for total in [PostTotal.library, .tag("cats"), .author(1), .feed(cats)] {
      _ = attempt { try store.count(of: total) }
    }
  }

  private func readFeeds(of store: Store) {
    for feed in [cats, Feed(source: .usual, kind: .tag, value: "birds", server: birds)] {
      for gap in attempt({ try store.gaps(of: feed) }) ?? [] {
        _ = attempt { try store.idsOfPassed(gap) }
        _ = attempt { try store.isOpen(gap) }
      }
      _ = attempt { try store.innerGaps(of: feed) }
      _ = attempt { try store.pollingStatistics(of: feed) }
      _ = attempt { try store.lateness(of: feed) }
      _ = attempt { try store.visit(of: feed) }
      _ = attempt { try store.follow(of: feed) }
      _ = attempt { try store.api(of: feed) }
      _ = attempt { try store.hasPosts(of: feed) }
      _ = attempt { try store.knownPosts(of: feed, limit: 10) }
      _ = attempt { try store.countOfTop(of: feed, since: noon, most: 10) }
      _ = attempt { try store.intervals(above: "m3", of: feed) }
      _ = attempt { try store.wantsPicturesAgain(of: feed, now: noon) }
      for which in [MissingPictures.untried, .due, .wanted, .all] {
        _ = attempt { try store.missingPictures(of: feed, which, now: noon) }
        _ = attempt { try store.missingAvatars(of: feed, which, now: noon) }
      }
    }
  }

  private func readPictures(of store: Store) {
    let posts = Array(Int64(1)...15)
    _ = attempt { try store.pictures(ofPosts: posts, retryFailed: true, now: noon) }
    _ = attempt { try store.avatars(ofPosts: posts, retryFailed: true, now: noon) }
    _ = attempt { try store.missingPictures(ofPosts: posts) }
    _ = attempt { try store.duePictures(limit: 100, now: noon) }
    _ = attempt { try store.countsOfMissingPictures(.all, now: noon) }
    _ = attempt { try store.cacheSize() }
  }

  private static let runs: [@Sendable (Store) throws -> Void] = [
    { _ = try $0.stats() }, { _ = try $0.feeds() }, { _ = try $0.follows() },
    { _ = try $0.follows(failingSince: noon) },
    { _ = try $0.runs(limit: 10) }, { _ = try $0.events(of: 1) }, { _ = try $0.settings() },
    { _ = try $0.setting("view") },
    { _ = try $0.latestTags() }, { _ = try $0.feedTitles() }, { _ = try $0.feed(at: "https://a.example/feed") },
    { _ = try $0.hashtagID("cats", at: social) }, { _ = try $0.hasDuePosts(now: noon) },
    { _ = try $0.rateBudget(of: RateKey(host: "social.example", login: "", kind: .page)) },
    { _ = try $0.undelivered([HarvestNotice(.disk, about: "/", message: "full")], since: .distantPast) },
    { _ = try $0.tagNames(beginningWith: "c", limit: 5) }, { _ = try $0.authorHandles(beginningWith: "a", limit: 5) },
    { _ = try $0.albums() }, { _ = try $0.posts(ofAlbum: "Winter") }, { _ = try $0.savedSearches() },
    { _ = try $0.hiddenNames() },
    { _ = try $0.ownTags(beginningWith: "p", limit: 5) }, { try $0.eachRecord(of: nil, raw: false) { _ in } },
    { store in
      for text in [
        "is:favourite", "rating:>1", "own:print", "in:Winter", "saved:good", "is:unseen", "has:note", "is:hidden",
      ] {
        var list = PostListQuery()
        list.filter = PostFilter(try Filter(parsing: text), now: noon)
        _ = try store.window(list)
      }
    },
  ]

  private func check(_ store: Store, repair: Bool) {
    let check = LibraryCheck(store: store, blobs: DiskBlobs(library: library), now: noon)
    var kinds: [Finding.Kind] = []
    let result = attempt {
      try check.run(repair: repair, deep: true, lost: true) { finding, _ in kinds.append(finding.kind) }
    }
    isDamageReported = isDamageReported || result == nil || kinds.contains(.damaged)
  }

  /// Pulls, fetches, deletes and collects.
  func write() {
    guard let store = open(.writing) else { return }
    defer { store.close() }
    let person = Marker(machine: "desk", program: .command)
    for change in [
      {
        _ = try store.mark(
          [1, 2], [.rating(1), .favourite(false), .note("three"), .noOwnTag("print")], by: person, now: noon)
      },
      { _ = try store.move(1, inAlbum: "Winter", before: 2, by: person, now: noon) },
      { _ = try store.renameAlbum("Winter", to: "Spring", by: person, now: noon) },
      { _ = try store.deleteSearch("good", by: person, now: noon) }, { _ = try store.undo(by: person, now: noon) },
    ] as [() throws -> Void] { _ = attempt(change) }
    for feed in [cats, Feed(source: .usual, kind: .tag, value: "birds", server: birds)] {
      if let resumed = attempt({ try store.resumePull(of: feed, now: noon) }) ?? nil { finish(resumed.pull, in: store) }
      for gap in attempt({ try store.gaps(of: feed) }) ?? [] {
        let fill = attempt { try store.beginFill(of: gap, upwards: true, halfPage: 2, now: noon) } ?? nil
        if let fill { finish(fill.pull, in: store) }
      }
      if let pull = attempt({ try store.beginPull(of: feed, goal: PullGoal(pages: 1), now: noon) }) {
        finish(pull, in: store)
      }
      _ = attempt { try store.duePosts(among: [feed], limit: 5, now: noon) }
    }
    let tasks = attempt { try store.pictures(ofPosts: Array(1...15), retryFailed: true, now: noon) } ?? []
    for task in tasks.prefix(3) {
      _ = attempt { try store.fail([PictureFailure(owner: task.owner, reason: "500")], now: noon) }
      _ = attempt { try store.attach([(task, OldLibrary.blob(0))], now: noon) }
    }
    _ = attempt { try store.delete([1, 2], now: noon) }
    _ = attempt { try store.restore([1, 2], now: noon) }
    let key = RateKey(host: "social.example", login: "", kind: .page)
    _ = attempt { try store.changeRateBudget(of: key, now: noon) { $0?.taken += 1 } }
    let budget = HashtagBudget(tags: 1, window: 86_400)
    _ = attempt { try store.askHashtag("dogs", by: "ada", at: social, budget, now: noon) }
    let blobs = DiskBlobs(library: library)
    _ = attempt { try store.collectGarbage(in: blobs, trash: .distantFuture, grace: .distantFuture) }
    _ = attempt { try store.trimCache(to: 0, in: blobs, grace: .distantFuture) }
  }

  private func finish(_ pull: Pull, in store: Store) {
    _ = attempt { try store.fallbackIDs(of: pull) }
    _ = attempt {
      try store.save(page((1...12).reversed().map { post($0, caption: "anew \($0)") }), in: pull, now: noon)
    }
    _ = attempt { try store.finishPull(pull, reached: true, now: noon) }
  }

  func repair() {
    guard let store = open(.mending) else { return }
    defer { store.close() }
    check(store, repair: true)
  }
}
