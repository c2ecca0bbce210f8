import Foundation
import Posts
import Storage

/// What `PullRecords` promises.
public enum PullRecordsContract {
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
  ]
}
