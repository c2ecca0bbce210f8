import Foundation
import Posts
import Storage

/// What a store promises of rechecks.
public enum RechecksContract {
  /// The claims.
  public static let claims = [
    StoreClaim("the posts of a feed are known by their ids, newest first, in batches") { library in
      try library.pull([page((1...5).reversed())])
      let first = try library.other.knownPosts(of: cats, leaving: [], since: nil, after: nil, limit: 3)
      try expect(first.map(\.remoteID), ["5", "4", "3"])
      let second = try library.other.knownPosts(of: cats, leaving: [], since: nil, after: first.last, limit: 3)
      try expect(second.map(\.remoteID), ["2", "1"])
      try expect(try library.other.countOfKnownPosts(of: cats, leaving: [], since: nil), 5)
    },
    StoreClaim("deleted posts are not asked for") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      try library.store.delete([ids[0]], now: noon)
      let known = try library.other.knownPosts(of: cats, leaving: [], since: nil, after: nil, limit: 9)
      try expect(known.map(\.remoteID), ["1"])
    },
    StoreClaim("an answer updates its post, and a post that is gone stays") { library in
      try library.pull([post(2), post(1)])
      let known = try library.store.knownPosts(of: cats, leaving: [], since: nil, after: nil, limit: 9)
      let edited = page([post(2, caption: "edited")]).items
      let found = try library.store.save(
        LookupResult(shown: edited, gone: ["1"]), of: known, pictures: true, now: noon + 60)
      try expect([found.edited.count, found.unchanged, found.gone, found.unanswered], [1, 0, 1, 0])
      try expect(try library.captions(), ["edited", "post 1"])
    },
    StoreClaim("an answer about another post is not stored under this one") { library in
      try library.pull([post(1)])
      let known = try library.store.knownPosts(of: cats, leaving: [], since: nil, after: nil, limit: 9)
      var stranger = post(9, caption: "a stranger")
      stranger.remoteID = "1"
      let found = try library.store.save(
        LookupResult(shown: page([stranger]).items), of: known, pictures: true, now: noon)
      try expect(found.unanswered, 1)
      try expect(try library.captions(), ["post 1"])
    },
    StoreClaim("a post is due some time after it was stored, and not at once") { library in
      try library.pull([post(1)])
      try expect(try library.other.hasDuePosts(now: noon), false)
      let later = noon + 400 * 86_400
      try expect(try library.other.hasDuePosts(now: later), true)
      let due = try library.store.duePosts(among: [cats], limit: 9, now: later)
      try expect(due.map(\.feed), [cats])
      try library.store.postpone(due[0].posts, to: later + 60)
      try expect(try library.other.hasDuePosts(now: later), false)
      try expect(try library.other.hasDuePosts(now: later + 60), true)
    },
    StoreClaim("posts that a server said to have changed are due at once, unless they are deleted or gone") { library in
      let posts = try library.pull((1...4).reversed().map { post($0) })
      let known = try library.store.knownPosts(of: cats, leaving: [], since: nil, after: nil, limit: 9)
      try library.store.delete([posts.posts[0]], now: noon)
      _ = try library.store.save(
        LookupResult(gone: [known[1].remoteID]), of: [known[1]], pictures: true, now: noon)
      let uris = (1...4).map { post($0).uri } + ["https://elsewhere.example/1"]
      try expect(try library.store.makeDue(uris, of: cats.source, now: noon), 2)
      try expect(try library.other.hasDuePosts(now: noon), true)
      let due = try library.store.duePosts(among: [cats], limit: 9, now: noon)
      try expect(due.flatMap(\.posts).map(\.remoteID).sorted(), ["1", "2"])
    },
    StoreClaim("results of rechecks are added to the harvest's record") { library in
      let run = try library.store.beginRun(of: 1, process: 7, now: noon)
      var counts = HarvestRun.RecheckCounts()
      (counts.lookedUp, counts.edited, counts.gone) = (5, 2, 1)
      try library.store.add(counts, to: run)
      try library.other.add(counts, to: run)
      let sum = try require(try library.other.runs(limit: 1).first?.rechecks)
      try expect([sum.lookedUp, sum.edited, sum.gone], [10, 4, 2])
    },
  ]
}
