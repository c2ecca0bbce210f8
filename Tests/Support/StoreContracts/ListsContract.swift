import Filters
import Foundation
import Posts
import Storage

/// What a store promises of lists.
public enum ListsContract {
  /// The claims.
  public static let claims = readings + planned

  private static let readings = [
    StoreClaim("a list is newest first, whatever order the posts came in") { library in
      try library.pull([post(1), post(3)])
      try library.pull([post(2)])
      try expect(try library.captions(), ["post 3", "post 2", "post 1"])
    },
    StoreClaim("a list shows those posts whose visibility it asks for, and counts them alone") { library in
      let all: [Visibility?] = [nil, .public, .unlisted, .followers, .direct, .local]
      try library.pull(
        all.enumerated().reversed().map { number, visibility in
          var shown = post(number)
          shown.visibility = visibility
          return shown
        })
      try library.enter("by hand", from: noon, to: noon + 60)
      let wanted: [(VisibilityFilter, [String])] = [
        (.all, ["by hand"] + (0...5).reversed().map { "post \($0)" }), (.only([.direct]), ["post 4"]),
        (.only([.followers, .local]), ["post 5", "post 3"]), (.published, ["post 2", "post 1", "post 0"]),
        (.only([]), []),
      ]
      for (filter, captions) in wanted {
        var list = PostListQuery()
        list.visibility = filter
        try expect(try library.captions(list), captions)
        try expect(
          try library.other.window(list, around: nil, before: 0, after: 1).total, .exactly(captions.count))
      }
    },
    StoreClaim("a post is found by its web addresses") { library in
      try library.pull([post(1), post(2)])
      let second = try require(try library.other.posts(PostQuery(limit: 1)).first?.id)
      for address in ["https://social.example/statuses/2", "https://social.example/@ada/2"] {
        try expect(try library.other.post(at: address, of: [.manual, .usual]), second)
      }
      try expect(try library.other.post(at: "https://social.example/@ada/3", of: [.usual]), nil)
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
    StoreClaim("an observed window tells what another process changed") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      var readings = library.store.observe(PostListQuery(), around: nil, before: 0, after: 9).makeAsyncIterator()
      try expect(try await readings.next()?.rows.map(\.post.id), ids)
      try library.other.delete([ids[0]], now: noon)
      try expect(try await readings.next()?.rows.map(\.post.id), [ids[1]])
    },
    StoreClaim("a reader that comes back gets what changed since, and nothing before") { library in
      let ids = try library.pull([post(3), post(2), post(1)]).posts
      let position = try library.store.changePosition()
      try library.other.delete([ids[0]], now: noon)
      var first = library.store.changes(after: position).makeAsyncIterator()
      let change = try require(try await first.next())
      try expect(change.change, .posts([ids[0]], authors: []))
      try library.store.delete([ids[1]], now: noon)
      // The text is what a reader keeps, and another process may serve it then.
      var later = library.other.changes(after: ChangePosition(change.position.description)).makeAsyncIterator()
      try expect(try await later.next()?.change, .posts([ids[1]], authors: []))
      try library.store.restore([ids[1]], now: noon)
      try expect(try await later.next()?.change, .posts([ids[1]], authors: []))
    },
    StoreClaim("a reader without a position begins with everything, and goes on from there") { library in
      let ids = try library.pull([post(1)]).posts
      var changes = library.store.changes(after: nil).makeAsyncIterator()
      let first = try require(try await changes.next())
      try expect(first.change, .everything)
      try expect(try library.other.countChanges(after: first.position), 0)
      try library.other.delete(ids, now: noon)
      try expect(try await changes.next()?.change, .posts(Set(ids), authors: []))
    },
    StoreClaim("posts that changed after a position are counted, each once") { library in
      let ids = try library.pull([post(3, pictures: 2), post(2), post(1)]).posts
      let position = try library.store.changePosition()
      try expect(try library.other.countChanges(after: position), 0)
      try library.other.delete([ids[0]], now: noon)
      try library.store.restore([ids[0]], now: noon)
      try library.store.delete([ids[2]], now: noon)
      try expect(try library.other.countChanges(after: position), 2)
      let foreign = try require(ChangePosition("1-1"))
      try expect(try library.other.countChanges(after: foreign), nil)
    },
    StoreClaim("posts that changed since a time are counted, also those of which only the state did") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      try expect(try library.other.countChanges(since: noon.addingTimeInterval(86_400)), 0)
      try library.store.delete([ids[0]], now: noon.addingTimeInterval(86_400))
      try expect(try library.other.countChanges(since: noon.addingTimeInterval(86_400)), 1)
      try expect(try library.other.countChanges(since: noon.addingTimeInterval(-86_400)), 2)
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
      try expect([stats.posts, stats.deleted, stats.feeds, stats.authors, stats.tags], [1, 1, 1, 1, 1])
      try library.store.delete([ids[0]], now: noon)
      let empty = try library.other.stats()
      try expect([empty.posts, empty.deleted, empty.authors, empty.tags], [0, 2, 0, 0])
    },
    StoreClaim("names of tags and authors are found by how they begin") { library in
      try library.pull([post(1, tags: ["cats", "catalogue", "dogs"])])
      try expect(try library.other.tagNames(beginningWith: "Cat", limit: 9), ["catalogue", "cats"])
      try expect(try library.other.authorHandles(beginningWith: "ad", limit: 9), ["ada@social.example"])
    },
    StoreClaim("the text of a key names the same position") { library in
      try library.pull([post(3, tags: ["cats", "a/b"]), post(2, tags: ["cats"]), post(1, tags: ["a/b"])])
      for grouping in [PostGrouping.none, .author, .tag] {
        let list = PostListQuery(grouping: grouping)
        let rows = try library.store.window(list, around: nil, before: 0, after: 9).rows
        for (index, row) in rows.enumerated() {
          let key = try require(PostKey(row.key.description))
          try expect(key, row.key)
          try expect(
            try library.other.window(list, around: key, before: 0, after: 9).rows.map(\.post.id),
            rows[index...].map(\.post.id))
        }
      }
    },
    StoreClaim("a key of another list or library is a position, and no error") { library in
      try library.pull([post(2), post(1)])
      for text in ["0001-01-01T00:00:00.000Z/0", "9999-12-31T23:59:59.999Z/9223372036854775807/-1/\u{0}'\u{301}/%"] {
        let key = try require(PostKey(text))
        for grouping in [PostGrouping.none, .author, .tag] {
          let reading = try library.other.window(PostListQuery(grouping: grouping), around: key, before: 9, after: 9)
          try expect(reading.rows.count, 2)
        }
      }
    },
    StoreClaim("commits are told, by whichever process, from the present state on") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      var changes = library.store.changes(startsWithEverything: true).makeAsyncIterator()
      try expect(try await changes.next(), .everything)
      try library.other.set("colour", to: "blue")
      try library.other.delete([ids[1]], now: noon)
      guard case .posts(let posts, _)? = try await changes.next() else { throw BrokenClaim(description: "not told") }
      try expect(posts, [ids[1]])
    },
    StoreClaim("time ranges are counted without their ends, and show their newest posts") { library in
      try library.pull([page((1...5).reversed())])
      let ranges = [(2, 4), (5, 6), (8, 9)].map {
        DateInterval(start: post($0.0).createdAt, end: post($0.1).createdAt)
      }
      let read = try library.other.timeRanges(of: PostListQuery(tag: "cats"), within: ranges, atMost: 1)
      try expect(read.map(\.count), [.exactly(2), .exactly(1), .exactly(0)])
      try expect(read.map { $0.posts.map(\.caption) }, [["post 3"], ["post 5"], []])
    },
    StoreClaim("a calendar has a post in every range that it reaches into, and none that begins at its end") {
      library in
      let hours = (0..<4).map { DateInterval(start: noon + Double($0) * 3600, duration: 3600) }
      let meeting = try library.enter("meeting", from: noon + 1800, to: noon + 7200)
      let trip = try library.enter("trip", from: noon - 86_400 * 400, to: noon + 86_400 * 400)
      try library.enter("call", from: noon + 3600, to: noon + 3600)
      try library.enter("earlier", from: noon - 3600, to: noon)
      let read = try library.other.overlaps(of: PostListQuery(), within: hours, atMost: 9)
      try expect(read.map(\.count), [.exactly(2), .exactly(3), .exactly(1), .exactly(1)])
      try expect(read.map { $0.begun.map(\.caption) }, [["meeting"], ["call"], [], []])
      try expect(read.map { $0.continued.map(\.id) }, [[trip], [trip, meeting], [trip], [trip]])
      let few = try library.other.overlaps(of: PostListQuery(), within: hours, atMost: 1)
      try expect(few.map(\.count), read.map(\.count))
      try expect(few.map(\.continuedCount), [1, 2, 1, 1])
      try expect(few[1].continued.map(\.id), [trip])
      try expect(try library.other.overlaps(of: PostListQuery(), within: hours).map(\.count), read.map(\.count))
    },
    StoreClaim("a calendar has only posts of its list, and is told of changes") { library in
      let hours = [DateInterval(start: noon, duration: 3600)]
      let walk = try library.enter("walk the dog", from: noon - 7200, to: noon + 7200, tags: ["dogs"])
      try library.enter("feed the cat", from: noon - 7200, to: noon + 7200, tags: ["cats"])
      for list in [PostListQuery(tag: "dogs"), PostListQuery(search: "dog"), PostListQuery(tag: "dogs", search: "wa")] {
        try expect(try library.other.overlaps(of: list, within: hours, atMost: 9)[0].continued.map(\.id), [walk])
      }
      let none = try library.other.overlaps(of: PostListQuery(tag: "birds"), within: hours, atMost: 9)
      try expect(none, [PostOverlap(count: .exactly(0), continuedCount: 0, begun: [], continued: [])])
      var changes = library.store.changes(startsWithEverything: true).makeAsyncIterator()
      try expect(try await changes.next(), .everything)
      try library.other.delete([walk], now: noon)
      try expect(try await changes.next(), .posts([walk], authors: []))
      try expect(try library.store.overlaps(of: PostListQuery(), within: hours)[0].count, .exactly(1))
      let trash = try library.store.overlaps(of: PostListQuery(deleted: .only), within: hours, atMost: 9)
      try expect(trash[0].continued.map(\.id), [walk])
    },
    StoreClaim("the last key of a list is that of its last row") { library in
      try expect(try library.store.lastKey(of: PostListQuery()), nil)
      try library.pull([page((1...5).reversed())])
      for list in [PostListQuery(), PostListQuery(tag: "cats", grouping: .author)] {
        let rows = try library.store.window(list, around: nil, before: 0, after: 9).rows
        try expect(try library.other.lastKey(of: list), rows.last?.key)
      }
      try expect(try library.other.lastKey(of: PostListQuery(tag: "birds")), nil)
    },
    StoreClaim("posts are passed one by one until the reader has enough") { library in
      let ids = try library.pull([page((1...300).reversed())])[0].posts
      var found: [Int64] = []
      try library.other.eachPost(PostQuery(limit: nil)) { found.append($0.id) }
      try expect(found, ids)
      found = []
      try expect(throws: .unknownPosts([404_404])) {
        try library.other.eachPost(PostQuery(before: ids[4], limit: 3)) { found.append($0.id) }
        try library.other.eachPost(PostQuery(before: 404_404)) { found.append($0.id) }
      }
      try expect(found, Array(ids[5..<8]))
      try expect(throws: .busy(path: "enough")) {
        try library.other.eachPost(PostQuery()) { _ in throw StorageError.busy(path: "enough") }
      }
    },
    StoreClaim("totals count what is not deleted") { library in
      let ids = try library.pull([post(3), post(2, tags: ["birds"]), post(1)]).posts
      try library.store.delete([ids[0]], now: noon)
      let author = try require(try library.store.post(ids[1])?.post.author?.id)
      let totals: [PostTotal] = [
        .library, .tag("birds"), .author(author), .feed(cats), .tag("none"), .author(404_404), .feed(dogs),
      ]
      try expect(try totals.map { try library.other.count(of: $0) }, [2, 1, 2, 2, 0, 0, 0])
    },
  ]
}

/// What a store promises of posts that are planned.
extension ListsContract {
  /// An entry this many hours after noon, with a length in hours.
  private static func plan(
    _ name: String, _ hours: Double, length: Double? = nil, tag: String = "cats", in library: NewLibrary
  ) throws -> Int64 {
    let start = noon.addingTimeInterval(hours * 3600)
    let entry = Post(
      source: .manual, uri: "", createdAt: start, endsAt: length.map { start.addingTimeInterval($0 * 3600) },
      caption: name, tags: [tag])
    return try library.store.add(entry, id: UUID(), pictures: [], now: noon)
  }

  static let planned = [
    StoreClaim("what is planned is left out of lists until it begins, and their totals are right") { library in
      var ahead = post(1, caption: "pulled ahead of time")
      ahead.createdAt = noon.addingTimeInterval(7200)
      try library.pull([ahead, post(2, caption: "pulled")])
      let late = try plan("late", 3, in: library)
      _ = try (plan("soon", 1, in: library), plan("begun", -1, in: library), plan("other", 2, tag: "dogs", in: library))
      try library.store.delete([late], now: noon)
      for grouping in [PostGrouping.none, .day(.gmt)] {
        for (moment, captions) in [
          (noon, ["pulled ahead of time", "begun", "pulled"]),
          (noon.addingTimeInterval(3600), ["pulled ahead of time", "soon", "begun", "pulled"]),
        ] {
          let list = PostListQuery(tag: "cats", grouping: grouping).listed(at: moment)
          let window = try library.other.window(list, around: nil, before: 0, after: 9)
          try expect(window.rows.map(\.post.caption), captions)
          try expect(window.total, .exactly(captions.count))
          try expect(window.sections.map { "\($0.count)" }.isEmpty, grouping == .none)
        }
      }
      let whole = PostListQuery().listed(at: noon)
      try expect(try library.other.window(whole, around: nil, before: 0, after: 9).total, .exactly(3))
      for grouping in [PostGrouping.author, .tag] {
        var list = whole
        list.grouping = grouping
        let window = try library.other.window(list, around: nil, before: 0, after: 9)
        let rows = window.sections.map { $0.rows.count }
        try expect(window.sections.map(\.count), rows.map { .exactly($0) })
        try expect(window.total, .exactly(rows.reduce(0, +)))
      }
    },
    StoreClaim("what is searched for, a time range and deleted posts are shown with what is planned") { library in
      let id = try plan("dentist", 5, in: library)
      let day = DateInterval(start: noon, duration: 86_400)
      for list in [PostListQuery(search: "dentist"), PostListQuery(within: day)] {
        try expect(try library.captions(list.listed(at: noon)), ["dentist"])
      }
      // What is exported has it only where its filter says so.
      let filter = try Filter(parsing: "dentist")
      try library.store.save(filter, as: "soon", by: MarksContract.person, now: noon)
      for (text, isExported) in [("dentist", false), ("saved:soon", false), ("on:2025", false), ("is:planned", true)] {
        var query = PostQuery()
        query.filter = PostFilter(try Filter(parsing: text), now: noon)
        try expect(try library.other.posts(query.shown(at: noon)).map(\.id), [id], file: text)
        try expect(try library.other.posts(query.exported(at: noon)).map(\.id), isExported ? [id] : [], file: text)
      }
      try library.store.delete([id], now: noon)
      try expect(try library.captions(PostListQuery(deleted: .only).listed(at: noon)), ["dentist"])
    },
    StoreClaim("what is planned comes soonest first, with what is under way") { library in
      try library.pull([post(1)])
      for (name, hours, length) in [
        ("tomorrow", 24.0, 1.0), ("soon", 1, nil), ("under way", -1, 2), ("over", -3, 2), ("begun", -1, nil),
      ] { _ = try plan(name, hours, length: length, in: library) }
      func names(_ list: PostListQuery = PostListQuery(), limit: Int? = nil) throws -> [String] {
        try library.other.plannedPosts(of: list, at: noon, limit: limit).map(\.caption)
      }
      try expect(try names(), ["under way", "soon", "tomorrow"])
      try expect(try names(limit: 2), ["under way", "soon"])
      try expect(try names(PostListQuery(search: "tomorrow")), ["tomorrow"])
      try expect(try names(PostListQuery(tag: "dogs")), [])
    },
    StoreClaim("a list learns which posts began in a time") { library in
      try library.pull([post(1)])
      let id = try plan("soon", 1, in: library)
      let start = noon.addingTimeInterval(3600)
      try expect(try library.other.begunPosts(after: noon, upTo: start), [id])
      try expect(try library.other.begunPosts(after: start, upTo: start.addingTimeInterval(9)), [])
      try expect(try library.other.begunPosts(after: noon, upTo: start.addingTimeInterval(-1)), [])
    },
  ]
}
