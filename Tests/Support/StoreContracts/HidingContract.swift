import Filters
import Foundation
import Posts
import Storage

/// What a store promises of what a person does not want to see.
public enum HidingContract {
  private static let person = MarksContract.person

  /// The claims.
  public static let claims = [
    StoreClaim("hidden posts, authors and tags are on no list, are counted, and come back by one undo each") {
      library in
      let ids = try library.pull((1...6).reversed().map(made)).posts
      let all = PostListQuery().listed(at: noon)
      try library.store.hide([ids[0], 404_404], by: person, now: noon)
      try library.store.hide([], [.tag("Dogs")], by: person, now: noon)
      let hidden = try library.store.hide([], [.author("@bob")], by: person, now: noon)
      try expect(hidden.names, [.author("bob@social.example")])
      // Posts 6, those with dogs (2, 4, 6) and Bob's (3, 6).
      try expect(try library.listed(all), Listed([ids[1], ids[5]], .exactly(2), .exactly(4)))
      try expect(try library.numbers("is:hidden"), [ids[0], ids[2], ids[3], ids[4]])
      try expect(try library.numbers("-is:hidden"), [ids[1], ids[5]])
      try expect(try library.numbers("is:hidden|favourite tag:dogs"), [ids[0], ids[2], ids[4]])
      try expect(
        try library.other.hiddenNames(),
        [
          HiddenEntry(name: .author("bob@social.example"), posts: 2), HiddenEntry(name: .tag("dogs"), posts: 3),
        ])
      let tags = try library.other.tagCounts(limit: 9)
      try expect(tags.map { "\($0.name) \($0.shown) of \($0.count)" }, ["cats 2 of 6"])
      let authors = try library.other.authorCounts(limit: 9)
      try expect(authors.map { "\($0.author.handle) \($0.shown) of \($0.count)" }, ["ada@social.example 2 of 4"])
      try expect(try library.other.months(of: all, in: .gmt).map(\.count), [2])
      for shown in [3, 5, 6] {
        try library.store.undo(by: person, now: noon)
        try expect(try library.listed(all).posts.count, shown)
      }
      try expect(try library.other.hiddenNames(), [])
      // What is hidden and deleted is counted as deleted alone.
      try library.store.hide([ids[0]], by: person, now: noon)
      try library.store.delete([ids[0]], now: noon)
      try expect(try library.other.tagCounts(limit: 9).map { [$0.shown, $0.count] }, [[5, 5], [2, 2]])
    },
    StoreClaim("what comes in later from a hidden author or tag is hidden, whatever handle the author takes") {
      library in
      try library.pull([made(3)])
      try library.store.hide([], [.author("bob@social.example"), .tag("dogs")], by: person, now: noon)
      var renamed = made(9)
      renamed.author = Author(uri: "https://social.example/users/bob", handle: "robert@social.example", name: "R")
      try library.pull([renamed, made(8), made(7)])
      let listed = try library.listed(PostListQuery().listed(at: noon))
      try expect(listed, Listed(Array(listed.posts.prefix(1)), .exactly(1), .exactly(3)))
      try expect(try library.other.hiddenNames().map(\.name), [.author("robert@social.example"), .tag("dogs")])
      // Whoever asks for them by name finds none of them either, until they are asked for as hidden.
      try expect(try library.listed(PostListQuery(tag: "dogs").listed(at: noon)).total, .exactly(0))
      try expect(try library.listed(PostListQuery(search: "words").listed(at: noon)).total, .exactly(1))
      try expect(try library.numbers("by:robert is:hidden").count, 2)
    },
    StoreClaim("a hidden tag hides what its feed brought, whether or not the posts carry it") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      try expect(try library.numbers("tag:cats").count, 2)
      try library.store.hide([], [.tag("cats")], by: person, now: noon)
      try expect(try library.listed(PostListQuery().listed(at: noon)), Listed([], .exactly(0), .exactly(2)))
      try expect(Set(try library.numbers("is:hidden")), Set(ids))
      try expect(try library.other.hiddenNames(), [HiddenEntry(name: .tag("cats"), posts: 2)])
    },
    StoreClaim("an open list follows as others hide and show") { library in
      let ids = try library.pull((1...3).reversed().map(made)).posts
      let list = PostListQuery().listed(at: noon)
      var readings = library.store.observe(list, around: nil, before: 0, after: 9).makeAsyncIterator()
      try expect(try await readings.next()?.rows.count, 3)
      try library.other.hide([], [.tag("dogs")], by: person, now: noon)
      let reading = try require(try await readings.next())
      try expect(reading.rows.map(\.post.id), [ids[0], ids[2]])
      try expect([reading.total, reading.hidden], [.exactly(2), .exactly(1)])
      try library.other.hide([ids[0]], by: person, now: noon)
      try expect(try await readings.next()?.rows.map(\.post.id), [ids[2]])
      try library.other.hide([], [.tag("dogs")], false, by: person, now: noon)
      try expect(try await readings.next()?.rows.map(\.post.id), [ids[1], ids[2]])
    },
    StoreClaim("an open list of a saved search follows as its filter changes") { library in
      let ids = try library.pull((1...3).reversed().map(made)).posts
      try library.store.save(try Filter(parsing: "tag:dogs"), as: "good", by: person, now: noon)
      var list = PostListQuery()
      list.filter = PostFilter(try Filter(parsing: "saved:good"), now: noon)
      var readings = library.store.observe(list, around: nil, before: 0, after: 9).makeAsyncIterator()
      try expect(try await readings.next()?.rows.map(\.post.id), [ids[1]])
      try library.other.save(try Filter(parsing: "by:bob"), as: "good", by: person, now: noon)
      try expect(try await readings.next()?.rows.map(\.post.id), [ids[0]])
    },
    StoreClaim("what nobody knows cannot be hidden, and a rule shows nothing that a person hid") { library in
      let ids = try library.pull([made(3)]).posts
      do {
        try library.store.hide(ids, [.author("eve")], by: person, now: noon)
        throw BrokenClaim(description: "eve is hidden")
      } catch let error as MarkError { try expect(error, .noAuthor("eve")) }
      try expect(try library.numbers("is:hidden"), [])
      // A tag may be hidden before the first post has it.
      try library.store.hide(ids, [.tag("#ads")], by: person, now: noon)
      let rule = Marker(machine: "desk", program: .rule)
      let changed = try library.store.hide(ids, [.tag("ads")], false, by: rule, now: noon + 60)
      try expect(changed.marking.changed, [])
      try expect(changed.names, [])
      try expect(try library.store.hide(ids, [.tag("ads")], false, by: person, now: noon + 60).names, [.tag("ads")])
    },
    StoreClaim("so many are hidden that they are not counted one by one") { library in
      for page in 0..<21 {
        try library.pull((0..<500).reversed().map { made(page * 500 + $0) })
      }
      try library.store.hide([], [.tag("dogs"), .author("bob")], by: person, now: noon)
      let listed = try library.listed(PostListQuery().listed(at: noon))
      // 5,250 have dogs and 3,500 are Bob's: 8,750 at most, which is still counted.
      try expect([listed.total, listed.hidden], [.exactly(3_500), .exactly(7_000)])
      try library.store.hide([], [.tag("cats")], by: person, now: noon)
      try expect(try library.listed(PostListQuery().listed(at: noon)).total, .exactly(0))
      try expect(try library.listed(PostListQuery().listed(at: noon)).hidden, .moreThan(10_000))
    },
  ]

  /// Even numbers have the tag `dogs`, others `cats`. Every third is Bob's.
  private static func made(_ number: Int) -> Post {
    var made = post(number, tags: [number.isMultiple(of: 2) ? "dogs" : "cats"])
    made.caption = "words \(number)"
    if number.isMultiple(of: 3) {
      made.author = Author(uri: "https://social.example/users/bob", handle: "bob@social.example", name: "Bob")
    }
    return made
  }
}

extension NewLibrary {
  /// A list as the other process reads it.
  fileprivate func listed(_ list: PostListQuery) throws -> Listed {
    let window = try other.window(list, around: nil, before: 0, after: 100)
    return Listed(window.rows.map(\.post.id), window.total, window.hidden)
  }
}

/// A list, and what it counts.
private struct Listed: Equatable {
  let posts: [Int64]
  let total: ListTotal
  let hidden: ListTotal

  init(_ posts: [Int64], _ total: ListTotal, _ hidden: ListTotal) {
    (self.posts, self.total, self.hidden) = (posts, total, hidden)
  }
}
