import Foundation
import Machine
import Posts
import Storage

private let berlin = TimeZone(identifier: "Europe/Berlin")!

/// The first moment of a month in UTC.
private func month(_ text: String) -> Date { UTC.date("\(text)-01T00:00:00.000Z") ?? .distantPast }

/// What a store promises of what it counts.
public enum OverviewsContract {
  /// The claims.
  public static let claims = [
    StoreClaim("the months of a list are those with posts, newest first, by the zone's calendar") { library in
      let moments = ["2026-10-31T22:59:59.999Z", "2026-10-31T23:00:00.000Z", "2019-03-15T12:00:00.000Z"]
      let posts = moments.enumerated().map { number, moment in
        var made = post(number)
        made.createdAt = UTC.date(moment) ?? noon
        return made
      }
      try library.pull(posts)
      let months = try library.other.months(of: PostListQuery(), in: berlin)
      try expect(months.map { "\($0.year)-\($0.month): \($0.count)" }, ["2026-11: 1", "2026-10: 1", "2019-3: 1"])
      let utc = try library.other.months(of: PostListQuery(), in: .gmt)
      try expect(utc.map(\.count), [2, 1])
      try expect(utc.map(\.interval.start), [month("2026-10"), month("2019-03")])
      try expect(utc.map(\.interval.end), [month("2026-11"), month("2019-04")])
    },
    StoreClaim("the months of every kind of list count its posts") { library in
      let ids = try library.pull([
        post(4, caption: "a red fox", tags: ["cats", "birds"]), post(3, caption: "a fox"), post(2), post(1),
      ]).posts
      try library.store.delete([ids[1]], now: noon)
      let lists: [(PostListQuery, [Int])] = [
        (PostListQuery(), [3]), (PostListQuery(deleted: .included), [4]), (PostListQuery(deleted: .only), [1]),
        (PostListQuery(tag: "cats"), [3]), (PostListQuery(tag: "birds"), [1]), (PostListQuery(user: "ada"), [3]),
        (PostListQuery(feed: cats), [3]), (PostListQuery(search: "fox"), [1]), (PostListQuery(tag: "nothing"), []),
        (PostListQuery(search: "fox", deleted: .only), [1]), (PostListQuery(tags: ["birds", "cats"]), [3]),
      ]
      for (list, wanted) in lists { try expect(try library.other.months(of: list, in: .gmt).map(\.count), wanted) }
    },
    StoreClaim("tags are counted without deleted posts, most first, page by page") { library in
      let ids = try library.pull([
        post(4, tags: ["cats", "dogs"]), post(3, tags: ["cats", "Catfish"]), post(2, tags: ["cats", "dogs"]),
        post(1, tags: ["cats", "owls"]),
      ]).posts
      try library.store.delete([ids[3]], now: noon)
      let first = try library.other.tagCounts(containing: "", by: .count, after: nil, limit: 2)
      try expect(first.map { "\($0.name) \($0.count)" }, ["cats 3", "dogs 2"])
      let rest = try library.other.tagCounts(containing: "", by: .count, after: first.last?.key, limit: 9)
      try expect(rest.map { $0.name.lowercased() }, ["catfish"])
      let named = try library.other.tagCounts(containing: "CAT", by: .name, after: nil, limit: 1)
      try expect(named.map { $0.name.lowercased() }, ["catfish"])
      try expect(
        try library.other.tagCounts(containing: "CAT", by: .name, after: named[0].key, limit: 9).map(\.name),
        ["cats"])
      let inside = try library.other.tagCounts(containing: "FISH", by: .count, after: nil, limit: 9)
      try expect(inside.map { $0.name.lowercased() }, ["catfish"])
      for none in ["%", "c_t", "!", "\\"] {
        try expect(try library.other.tagCounts(containing: none, by: .name, after: nil, limit: 9), [])
      }
    },
    StoreClaim("authors are counted with their posts") { library in
      try library.pull([post(2), post(1)])
      let found = try library.other.authorCounts(containing: "AD", by: .count, after: nil, limit: 9)
      try expect(found.map { "\($0.author.handle) \($0.author.name) \($0.count)" }, ["ada@social.example Ada 2"])
      try expect(try library.other.authorCounts(containing: "b", by: .name, after: nil, limit: 9), [])
      try expect(try library.other.authorCounts(containing: "example", by: .name, after: nil, limit: 9).count, 1)
      try expect(try library.other.authorCounts(containing: "DA", by: .count, after: nil, limit: 9).count, 1)
    },
    StoreClaim("what is planned is counted by tags, without what is deleted, pulled or begun") { library in
      var ahead = post(1)
      ahead.createdAt = noon + 7200
      try library.pull([ahead])
      func plan(_ hours: Double, _ tags: [String]) throws -> Int64 {
        let entry = Post(source: .manual, uri: "", createdAt: noon + hours * 3600, caption: "an entry", tags: tags)
        return try library.store.add(entry, id: UUID(), pictures: [], now: noon)
      }
      _ = try (plan(1, ["cats", "dogs"]), plan(2, ["cats"]), plan(3, []), plan(0, ["cats"]), plan(-1, ["dogs"]))
      try library.store.delete([try plan(4, ["cats"])], now: noon)
      let counts = try library.other.plannedCounts(after: noon)
      try expect(counts, PlannedCounts(posts: 3, tags: ["cats": 2, "dogs": 1]))
      // Hidden ones are left out of every list of what is planned.
      try library.store.hide([], [.tag("dogs")], by: MarksContract.person, now: noon)
      try expect(try library.other.plannedCounts(after: noon), PlannedCounts(posts: 2, tags: ["cats": 1]))
      try library.store.hide([], [.tag("dogs")], false, by: MarksContract.person, now: noon)
      try expect(try library.other.plannedCounts(after: noon + 3 * 3600), PlannedCounts())
    },
    StoreClaim("the coverage of a feed has its intervals and what is missing between them") { library in
      try library.pull([page([3, 2, 1], next: .end)])
      try library.pull([page([9, 8])])
      let coverage = try library.other.coverage(of: cats)
      try expect(coverage.intervals.map(\.from), [post(8).createdAt, post(1).createdAt])
      try expect(coverage.intervals.map(\.to), [post(9).createdAt, post(3).createdAt])
      try expect(coverage.intervals.map(\.reachesEnd), [false, true])
      try expect(coverage.intervals.map(\.pulledAt), [noon, noon])
      try expect(coverage.gaps, try library.store.gaps(of: cats, isRunning: { _ in false }))
      try expect(coverage.gaps.map(\.to), [post(8).createdAt])
    },
    StoreClaim("a feed that was never pulled has no coverage") { library in
      try library.pull([page([3])])
      try expect(try library.other.coverage(of: dogs).intervals, [])
      try expect(try library.other.coverage(of: dogs).gaps, [])
    },
    StoreClaim("the coverage of a feed tells an unfinished pull, unless it is running") { library in
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 4), now: noon)
      _ = try library.store.save(page([9, 8]), in: pull, pictures: true, now: noon)
      try expect(try library.other.coverage(of: cats).gaps.map(\.kind), [.unfinished])
      try expect(try library.other.coverage(of: cats, isRunning: { $0 == cats }).gaps, [])
    },
    StoreClaim("statistics count posts by period and source, and what was stored by month") { library in
      let ids = try library.pull([post(3), post(2), post(1)]).posts
      var made = post(2)
      made.author = nil
      try library.store.add(made, id: UUID(), pictures: [], now: noon)
      try library.store.delete([ids[0]], now: noon)
      let found = try library.other.statistics(StatisticsQuery(length: .day, zone: .gmt))
      try expect(found.posts.map(\.counts), [[.usual: 2, .manual: 1]])
      try expect(found.tags.map(\.count), [3])
      try expect(found.authors.map(\.count), [2])
      try expect(found.growth, [])
      let within = DateInterval(start: post(2).createdAt, end: post(3).createdAt)
      let part = try library.other.statistics(StatisticsQuery(within: within, zone: .gmt))
      try expect(part.posts.map(\.counts), [[.usual: 1, .manual: 1]])
    },
  ]
}
