import Blobs
import Filters
import Foundation
import Posts
import PropertyTesting
import Testing

@testable import Storage

/// Long lists in an order that an index helps with. Short ones are sorted.
struct SortedTests {
  /// A store of posts of few ratings, moments and sizes, a third of which are the same as earlier ones.
  private func filled(_ engine: NetworkTests.Engine) throws -> Store {
    let store = try engine.store()
    var dice = Dice(state: 3)
    let posts = (0..<60).map { number in
      Post(
        source: number < 40 ? .usual : .feed, uri: "https://birds.example/\(number)",
        url: "https://birds.example/@ada/\(number % 40)", server: social, remoteID: "\(number)",
        createdAt: noon + TimeInterval(60 * dice.below(9)), caption: "A cat",
        attachments: (0..<dice.below(3)).map { Attachment(kind: .image, url: "https://files.example/\(number)-\($0)") })
    }
    let pull = try store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    let ids = try store.save(page(posts), in: pull, now: noon).posts
    try store.finishPull(pull, reached: true, now: noon)
    let marker = Marker(machine: "m", program: .command)
    for id in ids where dice.below(2) == 0 { try store.mark([id], [.rating(dice.below(6))], by: marker, now: noon) }
    _ = try store.delete(ids.filter { _ in dice.below(9) == 0 }, by: marker, now: noon)
    for task in try store.pictures(ofPosts: ids, now: noon) where dice.below(4) > 0 {
      let size = dice.below(4)
      let blob = StoredBlob(id: BlobID(hashing: Array("\(size) \(dice.below(2))".utf8)), byteCount: size)
      try store.attach([(task, blob)], now: noon)
    }
    return store
  }

  @Test(arguments: NetworkTests.Engine.allCases)
  func `from any position on, an index has a sorted list as sorting all of it has`(
    engine: NetworkTests.Engine
  ) throws {
    let store = try filled(engine)
    defer { store.close() }
    for (text, isFolded) in [("", false), ("", true), ("-rating:2 -is:deleted", true), ("size:>1", true)] {
      var query = PostListQuery()
      query.isFolded = isFolded
      query.filter = PostFilter(try Filter(parsing: text), now: noon)
      try store.read { db in
        let predicate = try #require(try PostPredicate(query, in: db))
        for sort in [PostSort.rating, .size, .random(seed: 1)] {
          let posts = OwnedPosts(source: .library, predicate: predicate, grouping: .sorted(sort))
          func indexed(_ course: PostSelection.ScanRange, limit: Int) throws -> [PostKey]? {
            if case .random(let seed) = sort {
              return try RandomOrder(seed).keys(of: posts, course, limit: limit, in: db)
            }
            return try RankedPosts(predicate, by: sort, in: db)?.keys(course, limit: limit, in: db)
          }
          let all = try posts.sorted(PostSelection.ScanRange(), limit: -1, in: db)
          #expect(all.count > 10)
          for start in [nil] + all.map(Optional.some) {
            for (continues, isInclusive) in [(true, true), (true, false), (false, true), (false, false)] {
              let course = PostSelection.ScanRange(start: start, isInclusive: isInclusive, continues: continues)
              for limit in [1, 7, 59] {
                #expect(
                  try indexed(course, limit: limit) == posts.sorted(course, limit: limit, in: db),
                  "\(text) \(sort) \(start?.description ?? "") \(continues) \(limit)")
              }
            }
          }
        }
      }
    }
  }

  @Test(arguments: ["5/7/1", "0/9223372036854775807", "0/-9223372036854775808", "0/none", "0/", "0/99"])
  func `a position in another list is one in a sorted list, too`(section: String) throws {
    let store = try filled(.sqlite)
    defer { store.close() }
    let key = try #require(PostKey("2026-01-01T00:00:00.000Z/1/\(section)"))
    for order in ["rating", "size", "random"] {
      var list = PostListQuery()
      list.filter = PostFilter(try Filter(parsing: "sort:\(order)"), now: noon)
      let whole = try store.window(list, after: 100).rows.count
      #expect(try store.window(list, around: key, before: 100, after: 100).rows.count == whole)
    }
  }
}
