import Foundation
import Posts
import Storage

/// What a store promises of pulls.
public enum PullsContract {
  /// The claims.
  public static let claims = [
    StoreClaim("a page is stored whole, with its counts") { library in
      let saved = try library.pull([post(2), post(1)])
      try expect([saved.new, saved.updated, saved.unchanged, saved.unreadable], [2, 0, 0, 0])
      try expect(try library.captions(), ["post 2", "post 1"])
    },
    StoreClaim("a page that comes again changes nothing") { library in
      try library.pull([post(2), post(1)])
      let saved = try library.pull([post(2), post(1)])
      try expect([saved.new, saved.updated, saved.unchanged], [0, 0, 2])
      try expect(saved.known.isTouched, true)
    },
    StoreClaim("an edit updates the post and keeps the earlier caption") { library in
      let id = try library.pull([post(1)]).posts[0]
      try expect(try library.pull([post(1, caption: "edited")]).updated, 1)
      let whole = try require(try library.other.post(id))
      try expect(whole.post.caption, "edited")
      try expect(whole.revisions.map(\.caption), ["post 1"])
    },
    StoreClaim("who may see a post is updated, which is neither an update nor a revision") { library in
      var shown = post(1)
      shown.visibility = .public
      let id = try library.pull([shown]).posts[0]
      shown.visibility = .followers
      let saved = try library.pull([shown])
      try expect([saved.updated, saved.unchanged], [0, 1])
      let whole = try require(try library.other.post(id))
      try expect(whole.post.visibility, .followers)
      try expect(whole.revisions, [])
    },
    StoreClaim("an assumption of who may see a post takes back nothing that an answer said") { library in
      var shown = post(1)
      shown.visibility = .public
      let id = try library.pull([shown]).posts[0]
      (shown.visibility, shown.assumesVisibility) = (.followers, true)
      let saved = try library.pull([shown])
      try expect([saved.updated, saved.unchanged], [0, 1])
      try expect(try library.other.post(id)?.post.visibility, .public)
    },
    StoreClaim("an assumption of who may see a post counts until an answer says it") { library in
      var (silent, shown) = (post(1), post(2))
      try library.pull([silent])
      (silent.visibility, silent.assumesVisibility) = (.followers, true)
      (shown.visibility, shown.assumesVisibility) = (.followers, true)
      let ids = try library.pull([shown, silent]).posts
      for id in ids { try expect(try library.other.post(id)?.post.visibility, .followers) }
      (shown.visibility, shown.assumesVisibility) = (.public, false)
      try library.pull([shown])
      try expect(try library.other.post(ids[0])?.post.visibility, .public)
    },
    StoreClaim("a licence that an answer leaves out stays, and another one is no revision") { library in
      var shown = post(1)
      shown.license = License(rawValue: "All rights reserved")
      let id = try library.pull([shown]).posts[0]
      shown.license = nil
      try library.pull([shown])
      try expect(try library.other.post(id)?.post.license, License(rawValue: "All rights reserved"))
      shown.license = License(rawValue: "https://creativecommons.org/licenses/by/4.0/")
      let saved = try library.pull([shown])
      try expect([saved.updated, saved.unchanged], [0, 1])
      let whole = try require(try library.other.post(id))
      try expect(whole.post.license?.name, "CC BY 4.0")
      try expect(whole.revisions, [])
    },
    StoreClaim("a deleted post that comes again stays deleted") { library in
      let id = try library.pull([post(1)]).posts[0]
      try library.store.delete([id], now: noon)
      try expect(try library.pull([post(1, caption: "edited")]).deleted, 1)
      try expect(try library.captions(), [])
    },
    StoreClaim("an unfinished pull continues where its last page ended") { library in
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 3), now: noon)
      _ = try library.store.save(page([9, 8], next: .after(Cursor("below 8"))), in: pull, pictures: true, now: noon)
      // The process dies here.
      let left = try require(try library.other.resumePull(of: cats, leaving: [], now: noon))
      try expect(left.pages, 2)
      try expect(left.start, Cursor("below 8"))
      try expect(left.pull.id, pull.id)
      try expect(try library.other.resumePull(of: dogs, leaving: [], now: noon) == nil, true)
    },
    StoreClaim("a pull that read no page is resumed at the feed's top") { library in
      _ = try library.store.beginPull(of: cats, goal: PullGoal(pages: 3), now: noon)
      let left = try require(try library.other.resumePull(of: cats, leaving: [], now: noon))
      try expect(left.isAtTop, true)
      try expect(left.start, nil)
    },
    StoreClaim("a pull whose feed was forgotten meanwhile writes nothing, whoever was renamed in it") { library in
      var renamed = post(1)
      renamed.author?.name = "Before"
      try library.pull([renamed], of: dogs)
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
      try expect(try library.other.forgetEmpty(cats), true)
      renamed.author?.name = "After"
      try expect(throws: .overtaken(feed: cats.name)) {
        _ = try library.store.save(page([renamed], next: .end), in: pull, pictures: true, now: noon)
      }
    },
    StoreClaim("a pull that another one overtook writes nothing more") { library in
      try library.pull([page([9, 8])])
      let slow = try library.store.beginPull(of: cats, goal: PullGoal(pages: 5), now: noon)
      _ = try library.store.save(page([9, 8]), in: slow, pictures: true, now: noon)
      let quick = try library.other.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
      _ = try library.other.save(page([9, 8, 7]), in: quick, pictures: true, now: noon)
      try expect(throws: .overtaken(feed: cats.name)) {
        _ = try library.store.save(page([7, 6]), in: slow, pictures: true, now: noon)
      }
      try expect(try library.captions(), ["post 9", "post 8", "post 7"])
    },
    StoreClaim("a wider pull that reaches its goal satisfies an unfinished one") { library in
      try library.pull([page([9, 8])], reached: false)
      let wide = try library.store.beginPull(of: cats, goal: PullGoal(end: true), now: noon)
      _ = try library.store.save(page([9, 8, 7], next: .end), in: wide, pictures: true, now: noon)
      try library.store.finishPull(wide, reached: true, now: noon)
      try expect(try library.other.resumePull(of: cats, leaving: [], now: noon) == nil, true)
    },
    StoreClaim("an incremental pull begins below the top and knows where it is") { library in
      try library.pull([page((1...10).reversed())])
      let pull = try require(try library.store.beginIncrementalPull(of: cats, below: 3, now: noon))
      try expect(pull.anchor, "7")
      let (saved, result) = try library.store.save(
        page([12, 11, 10, 9, 8]), above: pull.anchor, in: pull.pull, pictures: true, now: noon)
      try expect(saved.new, 2)
      try expect(result == .apart, false)
      try expect(try library.innerGaps(), [])
    },
    StoreClaim("a page that shows nothing of the interval claims no coverage") { library in
      try library.pull([page((1...10).reversed())])
      let pull = try require(try library.store.beginIncrementalPull(of: cats, below: 3, now: noon))
      let (_, result) = try library.store.save(
        page([90, 89]), above: pull.anchor, in: pull.pull, pictures: true, now: noon)
      try expect(result, .apart)
    },
    StoreClaim("below what is known a pull continues at the lowest item") { library in
      try expect(try library.store.beginPull(below: cats, goal: PullGoal(pages: 1), now: noon) == nil, true)
      try library.pull([page([9, 8], next: .after(Cursor("below 8")))])
      let (_, edge) = try require(try library.store.beginPull(below: cats, goal: PullGoal(pages: 1), now: noon))
      try expect(edge.id, "8")
      try expect(edge.next, Cursor("below 8"))
      try expect(edge.isEnd, false)
    },
    StoreClaim("numbers of posts are never used twice") { library in
      let first = try library.pull([post(1)]).posts
      let second = try library.pull([post(2)]).posts
      try expect(Set(first).isDisjoint(with: second), true)
      try expect(try library.pull([post(1)]).posts, first)
    },
    StoreClaim("a loss of power leaves a page whole with its coverage and cursor, or not at all") { library in
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 9), now: noon)
      for (number, next) in [(9, "below 8"), (7, "below 6")] {
        _ = try library.store.save(
          page([number, number - 1], next: .after(Cursor(next))), in: pull, pictures: true, now: noon)
      }
      // What is durable from now on makes all that came before durable, and nothing that comes later.
      try library.store.set("colour", to: "blue")
      _ = try library.store.save(page([5, 4]), in: pull, pictures: true, now: noon)
      try library.leftByPowerLoss { store in
        let left = try require(try store.resumePull(of: cats, leaving: [], now: noon))
        let count = try store.count(of: .feed(cats))
        try expect(count == 4 || count == 6, true)
        try expect(left.start, Cursor(count == 4 ? "below 6" : "next"))
        try expect(left.pages, count == 4 ? 7 : 6)
        try expect(try store.holds(anyOf: [count == 4 ? "6" : "4"], in: left.pull), true)
      }
    },
    StoreClaim("a lost cursor has ids of items above as substitutes, the nearest first") { library in
      let empty = try library.store.beginPull(of: dogs, goal: PullGoal(pages: 2), now: noon)
      try expect(try library.other.fallbackIDs(of: empty), [])
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 2), now: noon)
      _ = try library.store.save(page((1...20).reversed()), in: pull, pictures: true, now: noon)
      let ids = try library.other.fallbackIDs(of: pull).compactMap { Int($0) }
      try expect(Array(ids.prefix(2)), [1, 2])
      try expect(ids, ids.sorted())
      try expect(ids.last, 20)
      let anchors = try library.other.fallbackAnchors(near: "10", of: pull)
      try expect(anchors.first, "9")
      try expect(anchors.contains("11"), true)
      try expect(try library.other.fallbackAnchors(near: "404", of: pull), [])
    },
    StoreClaim("a page beside a pull is stored, counts what it changed, and claims nothing") { library in
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 2), now: noon)
      _ = try library.store.save(page([20, 19], next: .after(Cursor("19"))), in: pull, pictures: true, now: noon)
      let saved = try library.store.saveAside(page([20, 9, 8]).items, of: cats, pictures: true, now: noon)
      try expect([saved.new, saved.unchanged, saved.posts.count], [2, 1, 3])
      try expect(try library.other.holds(anyOf: ["9", "8"], in: pull), false)
      try expect(try library.other.count(of: .feed(cats)), 4)
      // The pull goes on from where it was.
      _ = try library.store.save(page([18, 9]), in: pull, pictures: true, now: noon)
      try expect(try library.other.holds(anyOf: ["9"], in: pull), true)
    },
    StoreClaim("a page of newer posts below old ones is suspect") { library in
      try library.pull([page([30, 29, 28])])
      let (pull, _) = try require(try library.store.beginPull(below: cats, goal: PullGoal(pages: 1), now: noon))
      try expect(try library.other.looksNewer(page([27, 26, 25]), than: pull), false)
      try expect(try library.other.looksNewer(page([90, 89, 88]), than: pull), true)
      // An item that an interval contains is where it belongs.
      try library.pull([page([90])])
      let (next, _) = try require(try library.store.beginPull(below: cats, goal: PullGoal(pages: 1), now: noon))
      try expect(try library.other.looksNewer(page([90, 89, 88]), than: next), false)
    },
    StoreClaim("intervals above an item, and what they hold") { library in
      for numbers in [[2, 1], [12, 11], [22, 21]] { try library.pull([page(numbers)]) }
      let above = try library.other.intervals(above: "1", of: cats)
      try expect(above.map(\.ids.first), ["12", "22"])
      try expect(try library.other.holds(anyOf: ["404", "11"], in: above[0]), true)
      try expect(try library.other.holds(anyOf: ["404", "21"], in: above[0]), false)
      try expect(try library.other.intervals(above: "404", of: cats).count, 0)
      let (pull, _) = try require(try library.store.beginPull(below: cats, goal: PullGoal(pages: 1), now: noon))
      try expect(try library.other.holds(anyOf: ["404", "2"], in: pull), true)
      try expect(try library.other.holds(anyOf: ["12"], in: pull), false)
    },
    StoreClaim("a pull whose cursor is lost begins anew at the top, and is not resumed") { library in
      let lost = try library.store.beginPull(of: cats, goal: PullGoal(pages: 3), now: noon)
      _ = try library.store.save(page([9, 8]), in: lost, pictures: true, now: noon)
      let anew = try library.store.beginAnew(lost, now: noon)
      try expect(anew.goal, lost.goal)
      try expect(throws: .overtaken(feed: cats.name)) {
        _ = try library.other.save(page([7, 6]), in: lost, pictures: true, now: noon)
      }
      _ = try library.store.save(page([10, 9, 8]), in: anew, pictures: true, now: noon)
      try library.store.finishPull(anew, reached: true, now: noon)
      try expect(try library.other.resumePull(of: cats, leaving: [], now: noon) == nil, true)
    },
    StoreClaim("a pull moves past the rest of the interval that it has reached") { library in
      try library.pull([page((1...9).reversed(), next: .after(Cursor("below 1")))])
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(end: true), now: noon)
      _ = try library.store.save(page([11, 10, 9]), in: pull, pictures: true, now: noon)
      let edge = try library.store.stepOver(pull)
      try expect(edge, FeedEdge(id: "1", next: Cursor("below 1"), isEnd: false))
      _ = try library.store.save(page([0], next: .end), in: pull, pictures: true, now: noon)
      try library.store.finishPull(pull, reached: true, now: noon)
      try expect(try library.innerGaps(), [])
      try expect(throws: .overtaken(feed: cats.name)) { _ = try library.other.stepOver(pull) }
    },
    StoreClaim("what is near the top, and how many came since a moment") { library in
      try library.pull([page((1...9).reversed())])
      let pull = try require(try library.store.beginIncrementalPull(of: cats, below: 2, now: noon))
      try expect(
        try ["9", "7", "6", "1"].map { try library.other.isNearTop($0, of: pull.pull) }, [true, true, false, false])
      try expect(try library.other.countOfTop(of: cats, since: post(5).createdAt, most: 100), 5)
      try expect(try library.other.countOfTop(of: cats, since: post(5).createdAt, most: 3), 3)
      try expect(try library.other.countOfTop(of: dogs, since: noon, most: 3), 0)
    },
  ]
}
