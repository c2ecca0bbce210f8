import Foundation
import Posts
import Testing

@testable import Storage

struct FollowTests {
  private func follow(_ every: Duration? = nil, of feed: Feed = cats) -> Follow {
    Follow(feed: feed, every: every, schedule: Follow.Schedule(interval: .seconds(3600), dueAt: noon))
  }

  @Test func `a followed feed is known, with all its settings`() throws {
    let store = try TestLibrary().store
    #expect(try store.follow(follow(), now: noon) == nil)
    var whole = follow(
      .seconds(900), of: Feed(source: SourceName(rawValue: "x"), kind: .search, value: "red panda", server: birds))
    whole.schedule = Follow.Schedule(
      interval: .seconds(900), pace: 1.5, dueAt: nil, pulledAt: noon, state: .gone, failingSince: noon, failedAt: noon,
      failures: 3, failure: "gone")
    try store.follow(whole, now: noon)
    #expect(try store.follows() == [whole, follow()])
    #expect(try store.feeds().count == 2)
  }

  @Test func `names of sources that this version does not know are read as they were written`() throws {
    let library = try TestLibrary()
    let vimeo = SourceName(rawValue: "vimeo")
    let feed = Feed(source: vimeo, kind: .tag, value: "cats", server: birds)
    var made = post(1)
    made.source = vimeo
    try library.pull([made], of: feed)
    try library.store.follow(follow(of: feed), now: noon)
    #expect(try library.store.posts().map(\.source) == [vimeo])
    #expect(try library.store.posts().allSatisfy { !$0.isManual })
    #expect(try library.store.feeds() == [feed])
    #expect(try library.store.follows().map(\.feed) == [feed])
    #expect(try library.lines("SELECT source FROM post UNION ALL SELECT source FROM feed") == ["vimeo", "vimeo"])
  }

  @Test func `following again returns the previous follow`() throws {
    let store = try TestLibrary().store
    try store.follow(follow(), now: noon)
    #expect(try store.follow(follow(.seconds(60)), now: noon) == follow())
    #expect(try store.follows() == [follow(.seconds(60))])
  }

  @Test func `a feed that is no longer followed keeps its posts`() throws {
    let library = try TestLibrary()
    try library.pull([page([2, 1])])
    try library.store.follow(follow(), now: noon)
    #expect(try library.store.unfollow(cats))
    #expect(try !library.store.unfollow(cats))
    #expect(try library.store.follows().isEmpty)
    #expect(try library.store.posts().count == 2)
  }

  @Test func `only a feed without posts is forgotten`() throws {
    let library = try TestLibrary()
    let store = library.store
    try library.pull([page([2, 1])])
    #expect(try !store.forgetEmpty(cats))
    let mistyped = Feed(source: .usual, kind: .tag, value: "catss", server: social)
    #expect(try !store.forgetEmpty(mistyped))
    try store.follow(follow(of: mistyped), now: noon)
    _ = try store.beginPull(of: mistyped, goal: PullGoal(end: true), now: noon)
    #expect(try !store.forgetEmpty(mistyped))
    #expect(try store.gaps(of: mistyped).isEmpty, "a followed feed without posts has nothing to finish")
    #expect(try store.unfollow(mistyped) && store.forgetEmpty(mistyped))
    #expect(try store.feeds() == [cats])
  }

  @Test func `feeds that have failed since a date are listed, the longest first`() throws {
    let store = try TestLibrary().store
    for (offset, name) in ["a", "b", "c"].enumerated() {
      var failing = follow(of: Feed(source: .usual, kind: .tag, value: name, server: social))
      failing.schedule.failures = offset
      failing.schedule.failingSince = offset == 0 ? nil : noon.addingTimeInterval(-Double(offset) * 86_400)
      try store.follow(failing, now: noon)
    }
    #expect(try store.follows(failingSince: noon).map(\.feed.value) == ["c", "b"])
    #expect(try store.follows(failingSince: noon.addingTimeInterval(-86_401)).map(\.feed.value) == ["c"])
  }
}
