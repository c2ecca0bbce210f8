import Folders
import Foundation
import Harvest
import Machine
import Posts
import Terminal
import Testing
import Wording

@testable import Storage
@testable import media

/// The text about rechecked posts and their earlier versions.
struct RecheckTextTests {
  @Test func `a post of which the server says nothing is counted, and it is said why`() {
    var summary = RecheckSummary(feed: "tag:cats@a.example")
    (summary.lookedUp, summary.edited, summary.unchanged, summary.unanswered) = (9, 1, 6, 2)
    #expect(
      RecheckText.line(summary).text
        == "tag:cats@a.example: 9 looked up: 1 edited, 2 of which the server says nothing")
  }

  private func wordings(_ changes: [(title: String?, caption: String, warning: String)]) throws -> [String] {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: Date(timeIntervalSince1970: 0))
    defer { store.close() }
    let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: try #require(Server("a.example")))
    for change in changes {
      let post = Post(
        source: .mastodon, uri: "https://a.example/1", server: feed.server, remoteID: "1",
        createdAt: Date(timeIntervalSince1970: 0), title: change.title, caption: change.caption,
        warning: change.warning)
      let pull = try store.beginPull(of: feed, goal: PullGoal(pages: 1), now: Date(timeIntervalSince1970: 0))
      let item = PageItem(id: "1", content: .post(post), raw: [])
      _ = try store.save(Page(items: [item], next: .end), in: pull, now: Date(timeIntervalSince1970: 0))
      try store.finishPull(pull, reached: true, now: Date(timeIntervalSince1970: 0))
    }
    let whole = try #require(try store.post(1))
    let times = MomentText(try #require(TimeZone(identifier: "UTC")))
    return RevisionText(whole).lines(width: 60, style: Style(.none), times: times).map(\.text)
      .filter { !$0.isEmpty && !$0.hasPrefix("Until ") }
  }

  @Test func `a warning that alone was edited shows its old wording`() throws {
    #expect(try wordings([(nil, "a cat", "cats"), (nil, "a cat", "more cats")]) == ["Warning: cats"])
    #expect(try wordings([(nil, "a cat", ""), (nil, "a cat", "cats")]) == ["No warning"])
  }

  @Test func `notes that another one replaced follow with their times`() throws {
    let scratch = try Scratch()
    let now = Date(timeIntervalSince1970: 0)
    let store = try Store.open(library: scratch.path, now: now)
    defer { store.close() }
    let entry = Post(source: .manual, uri: "", createdAt: now, caption: "a cat")
    let post = try store.add(entry, id: UUID(), pictures: [], now: now)
    for note in ["one", "two"] {
      try store.mark([post], [.note(note)], by: Marker(machine: "desk", program: .command), now: now)
    }
    let whole = try #require(try store.post(post))
    let times = MomentText(try #require(TimeZone(identifier: "UTC")))
    let lines = RevisionText(whole).lines(width: 60, style: Style(.none), times: times).map(\.text)
    #expect(lines == ["", "An earlier note, of 1970-01-01 00:00:", "one"])
  }

  @Test func `each wording is held against the one that followed it`() throws {
    let changes: [(title: String?, caption: String, warning: String)] = [
      ("One", "a cat", ""), ("One", "a dog", ""), ("Two", "a dog", "dogs"),
    ]
    #expect(try wordings(changes) == ["a cat", "Title: One", "No warning"])
  }
}
