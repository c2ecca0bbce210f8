import Foundation
import Posts
import Testing

@testable import Storage

struct HashtagTests {
  private let server = Server("instagram.com")!
  private let week = HashtagBudget(tags: 3, window: 7 * 86_400)

  private func ask(_ library: TestLibrary, _ name: String, by account: String = "17", after seconds: Double) throws
    -> HashtagGrant
  {
    try library.store.askHashtag(name, by: account, at: server, week, now: noon.addingTimeInterval(seconds))
  }

  @Test func `a hashtag's id is stored by server, for ever`() throws {
    let store = try TestLibrary().store
    #expect(try store.hashtagID("cats", at: server) == nil)
    try store.keepHashtag("cats", id: "1784", at: server)
    try store.keepHashtag("cats", id: "1785", at: server)
    #expect(try store.hashtagID("cats", at: server) == "1785")
    #expect(try store.hashtagID("cats", at: birds) == nil)
  }

  @Test func `tags are counted; a known one is free and does not restart its week`() throws {
    let library = try TestLibrary()
    #expect(try ask(library, "cats", after: 0) == .new(number: 1))
    #expect(try ask(library, "dogs", after: 100) == .new(number: 2))
    #expect(try ask(library, "cats", after: 3 * 86_400) == .again)
    #expect(try ask(library, "owls", after: 3 * 86_400) == .new(number: 3))
    #expect(try ask(library, "cats", by: "18", after: 0) == .new(number: 1))
    let refused = HashtagGrant.refused(
      until: noon.addingTimeInterval(7 * 86_400), others: ["cats", "dogs", "owls"])
    #expect(try ask(library, "foxes", after: 7 * 86_400 - 1) == refused)
    #expect(try ask(library, "cats", after: 7 * 86_400 - 1) == .again)
    #expect(try ask(library, "foxes", after: 7 * 86_400) == .new(number: 3))
    // The first one's week is over: it counts like any other.
    guard case .refused(let until, _) = try ask(library, "cats", after: 7 * 86_400 + 1) else {
      Issue.record("it was not refused")
      return
    }
    #expect(until == noon.addingTimeInterval(7 * 86_400 + 100))
  }

  @Test func `an entry that a wrong clock dated in the future expires a week after it was found`() throws {
    let library = try TestLibrary()
    for name in ["a", "b", "c"] { _ = try ask(library, name, after: 1e8) }
    guard case .refused(let until, _) = try ask(library, "d", after: 0) else {
      Issue.record("it was not refused")
      return
    }
    #expect(until == noon.addingTimeInterval(7 * 86_400))
  }

  @Test func `a feed's API is remembered, and forgotten`() throws {
    let library = try TestLibrary()
    #expect(try library.store.api(of: cats) == nil)
    try library.store.note(api: "1.1", of: cats)
    try library.pull([post(1)])
    #expect(try library.store.api(of: cats) == "1.1")
    #expect(try library.store.feeds() == [cats])
    try library.store.note(api: nil, of: cats)
    #expect(try library.store.api(of: cats) == nil)
  }

  @Test func `with another API, unfinished pulls restart, and what was read stays complete`() throws {
    let library = try TestLibrary()
    #expect(try !library.store.note(api: "1.1", other: true, of: cats))
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(end: true), now: noon)
    _ = try library.store.save(
      Page(items: [post(3), post(2)].map { page([$0]).items[0] }, next: .after(Cursor("there"))), in: pull, now: noon)
    try library.store.finishPull(pull, reached: false, now: noon)
    let read = "SELECT newest, oldest FROM coverage"
    let before = try library.lines(read)
    #expect(try !library.store.note(api: "1.1", of: cats))
    #expect(try library.lines("SELECT next FROM coverage") == ["there"])
    #expect(try library.store.note(api: "2", other: true, of: cats))
    #expect(try library.lines(read) == before)
    #expect(try library.lines("SELECT next FROM coverage UNION ALL SELECT next FROM cursor") == ["-", "-"])
    #expect(try library.store.gaps(of: cats).map(\.kind) == [.unfinished])
    let again = try #require(try library.store.resumePull(of: cats, now: noon))
    #expect((again.start, again.pull.goal) == (nil, PullGoal(end: true)))
    #expect(try !library.store.note(api: "2", other: true, of: cats), "there is nothing more to let go")
  }
}
