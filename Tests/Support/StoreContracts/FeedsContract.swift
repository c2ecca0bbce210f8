import Foundation
import Posts
import Storage

/// What a store promises of feeds.
public enum FeedsContract {
  private static let journal = Feed(
    source: SourceName(rawValue: "feed"), kind: .url, value: "https://blog.example/feed.xml",
    server: Server("https://blog.example")!)

  /// A page of a document, as its visit brought it.
  private static func visited(_ visit: Visit) -> Page { Page(items: page([1]).items, next: .horizon, visit: visit) }

  /// A page of a document with one item.
  private static func shown(_ id: String, title: String, minute: Double, text: String = "A bird") -> Page {
    let item = Post(
      source: journal.source, uri: "feed://blog.example/feed.xml#\(id)", identity: .page,
      url: "https://blog.example/robin", server: journal.server, remoteID: "blog.example/robin",
      createdAt: noon.addingTimeInterval(minute * 60), title: title, caption: text)
    return Page(items: [PageItem(id: item.uri, content: .post(item), raw: [])], next: .horizon)
  }

  /// The claims.
  public static let claims = [
    StoreClaim("an item of a document stays known by its page, and by its id or its words") { library in
      let campaign = "https%3A%2F%2Fblog.example%2Frobin%3Futm_source%3D"
      let pages = [
        shown("\(campaign)a", title: "Robin", minute: 1),
        shown("\(campaign)b", title: "Edited", minute: 2, text: "Birds"),
        shown("7", title: "Edited", minute: 3, text: "Birds"), shown("8", title: "Wren", minute: 4, text: "Another"),
      ]
      try expect(try pages.map { try library.pull([$0], of: journal)[0].new }, [1, 0, 0, 1])
    },
    StoreClaim("a feed is known once it was pulled, and has posts once a page brought some") { library in
      try expect(try library.other.feeds(), [])
      _ = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
      try expect(try library.other.feeds(), [cats])
      try expect(try library.other.isKnown(cats), false)
      try library.pull([post(1)])
      try expect(try library.other.isKnown(cats), true)
      try expect(try library.other.hasPosts(of: cats), true)
      try expect(try library.other.hasPosts(of: dogs), false)
    },
    StoreClaim("a feed that brought nothing can be forgotten, another cannot") { library in
      _ = try library.store.beginPull(of: dogs, goal: PullGoal(pages: 1), now: noon)
      try library.pull([post(1)])
      try expect(try library.store.forgetEmpty(dogs), true)
      try expect(try library.store.forgetEmpty(cats), false)
      try expect(try library.other.feeds(), [cats])
    },
    StoreClaim("a feed keeps the API that was chosen for it") { library in
      try library.pull([post(1)])
      try expect(try library.other.api(of: cats), nil)
      try library.store.note(api: "other", other: false, of: cats)
      try expect(try library.other.api(of: cats), "other")
      try library.store.note(api: nil, other: false, of: cats)
      try expect(try library.other.api(of: cats), nil)
    },
    StoreClaim("another API's cursors mean nothing, so an unfinished pull starts again at the top") { library in
      try library.pull([page([9, 8])], reached: false)
      try expect(try library.store.note(api: "other", other: true, of: cats), true)
      let left = try library.other.resumePull(of: cats, leaving: [], now: noon)
      try expect(left?.start, nil)
    },
    StoreClaim("what harvests learnt about a feed is kept") { library in
      try library.pull([post(1)])
      try expect(try library.other.pollingStatistics(of: cats), PollingStatistics())
      let learnt = PollingStatistics(largestPage: 40, deepAt: noon, fillAt: nil)
      try library.store.keep(learnt, of: cats)
      try expect(try library.other.pollingStatistics(of: cats), learnt)
    },
    StoreClaim("a forgotten feed stays forgotten after a loss of power") { library in
      _ = try library.store.beginPull(of: dogs, goal: PullGoal(pages: 1), now: noon)
      try library.store.set("colour", to: "blue")
      try expect(try library.leftByPowerLoss { try $0.feeds() }, [dogs])
      try expect(try library.store.forgetEmpty(dogs), true)
      try expect(try library.leftByPowerLoss { try $0.feeds() }, [])
    },
    StoreClaim("the last visit to a document is there for the next, and names its feed") { library in
      try expect(try library.other.visit(of: journal), nil)
      var visit = Visit(
        address: "https://blog.example/new.xml", location: "https://cdn.example/new.xml", entityTag: "\"7\"",
        lastModified: "Mon, 20 Nov 2023 10:00:00 GMT", title: "A journal")
      try library.pull([visited(visit)], of: journal)
      try expect(try library.other.visit(of: journal), visit)
      try expect(try library.other.feedTitles(), [journal.name: "A journal"])
      visit.title = nil
      try library.pull([visited(visit)], of: journal)
      try expect(try library.other.visit(of: journal), visit)
      try expect(try library.other.feedTitles(), [:])
    },
    StoreClaim("a feed is found at its address, and where it moved on its host") { library in
      try library.pull(
        [visited(Visit(address: "https://blog.example/new.xml", location: "https://blog.example/"))], of: journal)
      try expect(try library.other.feed(at: journal.value), journal)
      try expect(try library.other.feed(at: "https://blog.example/new.xml"), journal)
      try expect(try library.other.feed(at: "https://blog.example/other.xml"), nil)
      // Who moves to another host has not shown that the feed is theirs.
      try library.pull(
        [visited(Visit(address: "https://thief.example/f.xml", location: "https://thief.example/"))], of: journal)
      try expect(try library.other.feed(at: "https://thief.example/f.xml"), nil)
    },
    StoreClaim("lateness is the age of posts that came after their neighbours") { library in
      try library.pull([page((1...9).reversed().filter { $0 != 5 })])
      try expect(try library.other.lateness(of: cats), nil)
      let later = noon + 600
      let pull = try require(try library.store.beginIncrementalPull(of: cats, below: 8, now: later))
      _ = try library.store.save(
        page((2...9).reversed()), above: pull.anchor, in: pull.pull, pictures: true, now: later)
      let age = try require(try library.other.lateness(of: cats))
      try expect(abs(age - later.timeIntervalSince(post(5).createdAt)) < 1, true)
    },
  ]
}
