import Foundation
import Posts
import Testing

@testable import Storage

struct QueryTests {
  private func numbers(_ store: Store, _ query: PostQuery) throws -> [String] {
    try store.posts(query).map { $0.remoteID?.components(separatedBy: "-").last ?? "?" }
  }

  @Test func `posts come newest first, page by page, none twice and none left out`() throws {
    let library = try TestLibrary()
    var same = [1, 2, 3, 4, 5, 6, 7].map { post($0) }
    for index in 2...4 { same[index].createdAt = same[2].createdAt }
    try library.pull(same.shuffled())
    var all: [Int64] = []
    while true {
      let next = try library.store.posts(PostQuery(before: all.last, limit: 2))
      all += next.map(\.id)
      if next.isEmpty { break }
    }
    #expect(all == (try library.store.posts().map(\.id)))
    #expect(Set(all).count == 7)
    #expect(try numbers(library.store, PostQuery(limit: 2)) == ["7", "6"])
  }

  @Test func `a tag's posts are those that carry it and those its feeds brought, each once`() throws {
    let library = try TestLibrary()
    try library.pull([post(5, tags: []), post(4), post(3, tags: ["dogs"])])
    let user = Feed(source: .usual, kind: .user, value: "ada", server: social)
    try library.pull([post(9, tags: ["cats"]), post(8, tags: [])], of: user)
    #expect(try numbers(library.store, PostQuery(tag: "#Cats")) == ["9", "5", "4", "3"])
    #expect(try numbers(library.store, PostQuery(tag: "cats", limit: 2)) == ["9", "5"])
    #expect(try numbers(library.store, PostQuery(tag: "dogs")) == ["3"])
    #expect(try numbers(library.store, PostQuery(tag: "nothing")) == [])
    #expect(try numbers(library.store, PostQuery(tag: "cats", search: "post 5")) == ["5"])
    #expect(try numbers(library.store, PostQuery(tag: "cats", search: "post 8")) == [])
  }

  @Test func `posts of any of several tags come once each, newest first`() throws {
    let library = try TestLibrary()
    try library.pull([
      post(6, tags: []), post(5, tags: ["dogs", "cats"]), post(4, tags: ["dogs"]), post(3, tags: ["birds"]),
    ])
    try library.pull([post(9, tags: ["dogs"]), post(8, tags: ["birds"])], of: adas)
    #expect(try numbers(library.store, PostQuery(tags: ["dogs", "#Birds"])) == ["9", "8", "5", "4", "3"])
    #expect(try numbers(library.store, PostQuery(tags: ["dogs", "cats"], limit: 4)) == ["9", "6", "5", "4"])
    #expect(try numbers(library.store, PostQuery(tags: ["nothing", "birds"])) == ["8", "3"])
    #expect(try numbers(library.store, PostQuery(tags: ["nothing", "none"])) == [])
    let many = (1...30).map { "t\($0)" } + ["dogs", "birds"]
    try library.pull(many.indices.map { post(100 + $0, tags: [many[$0]]) }, of: adas)
    #expect(try numbers(library.store, PostQuery(tags: many)).count == 37)
    #expect(try library.store.window(PostListQuery(tags: ["dogs", "birds"])).total == .exactly(7))
  }

  @Test func `a post has who repeated it, each once, the first one first`() throws {
    let library = try TestLibrary()
    let bob = Author(uri: "https://b.example/u/bob", handle: "bob@b.example", name: "Bob")
    let cyd = Author(uri: "https://b.example/u/cyd", handle: "cyd@b.example", name: "Cyd")
    let repeats = [("9", bob, 3.0), ("8", cyd, 1), ("7", bob, 2)].map { id, author, hours in
      var repeated = item(post(5))
      repeated.id = id
      repeated.repetition = Repetition(by: author, at: noon.addingTimeInterval(hours * 3600))
      return repeated
    }
    try library.pull([Page(items: repeats, next: .end)])
    #expect(try library.store.posts().map { $0.repeatedBy.map(\.handle) } == [["cyd@b.example", "bob@b.example"]])
  }

  @Test func `a post that its feed shows again as a repeat is one post of the tag`() throws {
    let library = try TestLibrary()
    var repeated = item(post(5, tags: []))
    repeated.id = "9"
    repeated.repetition = Repetition(
      by: Author(uri: "https://b.example/u/bob", handle: "bob@b.example", name: "Bob"),
      at: noon
    )
    try library.pull([Page(items: [repeated, item(post(5, tags: [])), item(post(4, tags: []))], next: .end)])
    #expect(try numbers(library.store, PostQuery(tag: "cats")) == ["5", "4"])
    #expect(try numbers(library.store, PostQuery(tag: "cats", limit: 2)) == ["5", "4"])
  }

  @Test func `an author is found by handle, by its first part, with and without the at sign`() throws {
    let library = try TestLibrary()
    var other = post(2)
    other.author = Author(uri: "https://x.example/adam", handle: "adam@x.example", name: "Adam")
    try library.pull([other, post(1)])
    for user in ["ada@birds.example", "@ADA@birds.example", "ada", "@ada"] {
      #expect(try numbers(library.store, PostQuery(user: user)) == ["1"])
    }
    for user in ["ad", "a%", "", "@", "ada@x.example"] {
      #expect(try numbers(library.store, PostQuery(user: user)) == [])
    }
  }

  @Test func `a day holds its first moment and not its last`() throws {
    let library = try TestLibrary()
    try library.pull([1, 2, 3, 4].map { post($0) })
    let day = DateInterval(start: post(2).createdAt, end: post(4).createdAt)
    #expect(try numbers(library.store, PostQuery(day: day)) == ["3", "2"])
    #expect(try numbers(library.store, PostQuery(tag: "cats", user: "ada", day: day, limit: 1)) == ["3"])
  }

  @Test func `without a bound every post is handed over, in order, under every filter`() throws {
    let library = try TestLibrary()
    try library.pull((1...450).reversed().map { post($0) })
    try library.store.delete([3], now: noon)
    for query in [PostQuery(limit: nil), PostQuery(tag: "cats", limit: nil), PostQuery(search: "pos", limit: nil)] {
      var ids: [Int64] = []
      try library.store.eachPost(query) { ids.append($0.id) }
      #expect(ids == (1...450).filter { $0 != 3 })
    }
    var some: [Int64] = []
    try library.store.eachPost(PostQuery(before: 10, limit: 300)) { some.append($0.id) }
    #expect(some == Array(11...310))
    try library.store.eachPost(PostQuery(search: "post", before: 445, limit: nil)) { some.append($0.id) }
    #expect(some.suffix(5) == [446, 447, 448, 449, 450])
  }

  @Test func `an error of the reader ends the reading`() throws {
    struct Enough: Error {}
    let library = try TestLibrary()
    try library.pull([post(2), post(1)])
    var count = 0
    #expect(throws: Enough.self) {
      try library.store.eachPost(PostQuery(limit: nil)) { _ in
        count += 1
        throw Enough()
      }
    }
    #expect(count == 1)
  }

  @Test func `a position that does not exist is an error`() throws {
    let library = try TestLibrary()
    #expect(throws: StorageError.unknownPosts([7])) { try library.store.posts(PostQuery(before: 7)) }
    #expect(throws: StorageError.unknownPosts([7])) {
      try library.store.eachPost(PostQuery(search: "a", before: 7)) { _ in }
    }
  }
}
