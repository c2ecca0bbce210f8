import Foundation
import Posts
import Storage

/// What `PostLists` promises.
public enum PostListsContract {
  /// The claims.
  public static let claims = [
    StoreClaim("a list is newest first, whatever order the posts came in") { library in
      try library.pull([post(1), post(3)])
      try library.pull([post(2)])
      try expect(try library.captions(), ["post 3", "post 2", "post 1"])
    },
    StoreClaim("windows by key together are the list, each post once") { library in
      try library.pull([page((1...50).reversed())])
      var found: [Int64] = []
      var key: PostKey?
      while true {
        let reading = try library.other.window(PostListQuery(), around: key, before: 0, after: 8)
        let rows = key == nil ? reading.rows : Array(reading.rows.dropFirst())
        if rows.isEmpty { break }
        found += rows.map(\.post.id)
        key = rows.last?.key
      }
      try expect(found.count, 50)
      try expect(Set(found).count, 50)
    },
    StoreClaim("a key stays an anchor when its post is deleted") { library in
      try library.pull([page((1...9).reversed())])
      let rows = try library.store.window(PostListQuery(), around: nil, before: 0, after: 9).rows
      try library.store.delete([rows[4].post.id], now: noon)
      let reading = try library.other.window(PostListQuery(), around: rows[4].key, before: 1, after: 1)
      try expect(reading.rows.map(\.post.caption), ["post 6", "post 4"])
    },
    StoreClaim("a window at a moment begins with the newest post that is not newer") { library in
      let ids = try library.pull([page((1...9).reversed())])[0].posts
      for (seconds, wanted) in [(0.0, 5), (59.999, 5), (-0.001, 4)] {
        let key = PostKey(at: post(5).createdAt + seconds)
        let reading = try library.other.window(PostListQuery(), around: key, before: 1, after: 1)
        try expect(reading.rows.map(\.post.caption), ["post \(wanted + 1)", "post \(wanted)"])
      }
      try expect(
        try library.other.window(PostListQuery(), around: PostKey(at: .distantPast), before: 0, after: 9).rows, [])
      try expect(
        try library.other.window(PostListQuery(), around: PostKey(at: .distantFuture), before: 0, after: 9).rows.count,
        ids.count)
    },
    StoreClaim("the key of a post is that of its row") { library in
      let ids = try library.pull([post(3), post(2), post(1)]).posts
      try library.store.delete([ids[1]], now: noon)
      let rows = try library.other.window(PostListQuery(deleted: .included), around: nil, before: 0, after: 9).rows
      try expect(try ids.map { try library.other.key(ofPost: $0) }, rows.map(\.key))
      try expect(try library.other.key(ofPost: 404_404), nil)
    },
    StoreClaim("a list of deleted posts has only them, newest first") { library in
      let ids = try library.pull([page((1...9).reversed())])[0].posts
      try library.store.delete([ids[6], ids[2], ids[4]], now: noon)
      let trash = PostListQuery(deleted: .only)
      let whole = try library.other.window(trash, around: nil, before: 0, after: 9)
      try expect(whole.rows.map(\.post.id), [ids[2], ids[4], ids[6]])
      try expect(whole.total, .exactly(3))
      let part = try library.other.window(trash, around: whole.rows[1].key, before: 0, after: 1)
      try expect(part.rows.map(\.post.id), [ids[4]])
      try expect([part.hasMoreBefore, part.hasMoreAfter], [true, true])
    },
    StoreClaim("an observed list of deleted posts follows deletions and restorations") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      let trash = PostListQuery(tag: "cats", deleted: .only)
      var readings = library.store.observe(trash, around: nil, before: 0, after: 9).makeAsyncIterator()
      try expect(try await readings.next()?.rows.count, 0)
      try library.other.delete([ids[1]], now: noon)
      try expect(try await readings.next()?.rows.map(\.post.id), [ids[1]])
      try library.other.restore([ids[1]], now: noon)
      try expect(try await readings.next()?.total, .exactly(0))
    },
    StoreClaim("a list of a tag has the posts that carry it") { library in
      try library.pull([post(3, tags: ["cats", "birds"]), post(2, tags: ["birds"]), post(1)])
      try expect(try library.captions(PostListQuery(tag: "birds")), ["post 3", "post 2"])
    },
    StoreClaim("a search finds words of captions") { library in
      try library.pull([post(2, caption: "a red fox"), post(1, caption: "a grey wolf")])
      var list = PostListQuery()
      list.search = "fox"
      try expect(try library.captions(list), ["a red fox"])
    },
    StoreClaim("an observed window tells what another process changed") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      var readings = library.store.observe(PostListQuery(), around: nil, before: 0, after: 9).makeAsyncIterator()
      try expect(try await readings.next()?.rows.map(\.post.id), ids)
      try library.other.delete([ids[0]], now: noon)
      try expect(try await readings.next()?.rows.map(\.post.id), [ids[1]])
    },
    StoreClaim("posts of numbers are found, and unknown numbers skipped") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      try expect(try library.other.posts(numbered: ids + [404_404]).map(\.caption), ["post 1", "post 2"])
      try expect(try library.other.post(404_404) == nil, true)
    },
    StoreClaim("the members of a list are its posts") { library in
      let ids = try library.pull([post(2), post(1, tags: ["birds"])]).posts
      try expect(try library.other.members(of: PostListQuery(tag: "cats")).contains(Int(ids[0])), true)
      try expect(
        try library.other.members(of: PostListQuery(tag: "birds"), among: Set(ids), byAuthors: []), [ids[1]])
    },
    StoreClaim("statistics count posts, deleted ones apart") { library in
      let ids = try library.pull([post(2, pictures: 1), post(1)]).posts
      try library.store.delete([ids[1]], now: noon)
      let stats = try library.other.stats()
      try expect([stats.posts, stats.deleted, stats.feeds, stats.authors], [1, 1, 1, 1])
    },
    StoreClaim("names of tags and authors are found by how they begin") { library in
      try library.pull([post(1, tags: ["cats", "catalogue", "dogs"])])
      try expect(try library.other.tagNames(beginningWith: "Cat", limit: 9), ["catalogue", "cats"])
      try expect(try library.other.authorHandles(beginningWith: "ad", limit: 9), ["ada@social.example"])
    },
  ]
}
