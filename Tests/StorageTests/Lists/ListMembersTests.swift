import Filters
import Foundation
import Posts
import Testing

@testable import Storage

/// The members of a list, for an observer of the whole list.
struct ListMembersTests {
  @Test func `the members of a list are its posts, all of them and those among some`() throws {
    let library = try TestLibrary()
    try library.pull([post(6, tags: []), post(5, tags: ["dogs"]), post(4, tags: ["dogs"]), post(3, tags: ["birds"])])
    let user = Feed(source: .usual, kind: .user, value: "ada", server: social)
    try library.pull([post(9, tags: ["cats"]), post(8, tags: [])], of: user)
    let store = library.store
    let all = try store.posts().map(\.id)
    try store.delete([all[1]], now: noon)
    let lists = [
      PostListQuery(), PostListQuery(tag: "dogs"), PostListQuery(tags: ["dogs", "cats"]), PostListQuery(feed: user),
      PostListQuery(search: "post"), PostListQuery(user: "nobody"), PostListQuery(tag: "cats", search: "post 9"),
    ]
    for list in lists {
      let expected = try store.posts(
        PostQuery(tags: list.tags, user: list.user, feed: list.feed, search: list.search)
      ).map(\.id)
      #expect(try store.members(of: list) == RangeSet(expected.sorted().map { Int($0)..<Int($0) + 1 }), "\(list)")
      let some = Set(all.prefix(4))
      #expect(try store.members(of: list, among: some, byAuthors: []) == some.intersection(expected), "\(list)")
      let authors = Set(try store.posts().compactMap { $0.author?.id })
      #expect(try store.members(of: list, among: [], byAuthors: authors) == Set(expected), "\(list)")
    }
    #expect(try store.posts(numbered: Set(all)).map(\.createdAt) == store.posts(numbered: all).map(\.createdAt))
    #expect(try store.posts(numbered: all).map(\.id).last == all.first)
  }

  @Test func `posts are put in the order of a list, and those that are not on it last`() throws {
    let library = try TestLibrary()
    try library.pull((1...9).map { post($0, tags: $0 == 5 ? ["dogs"] : ["birds"]) })
    let store = library.store
    let newest = try store.posts().map(\.id)
    #expect(try store.inOrder(of: PostListQuery(), newest.sorted()) == newest)
    #expect(try store.inOrder(of: PostListQuery(), newest.sorted().reversed()) == newest)
    var list = PostListQuery(tag: "birds")
    list.filter = PostFilter(try Filter(parsing: "sort:oldest"), now: noon)
    let dog = try #require(try store.posts(PostQuery(tag: "dogs")).first?.id)
    #expect(try store.inOrder(of: list, newest) == newest.reversed().filter { $0 != dog } + [dog])
    #expect(try store.inOrder(of: PostListQuery(tag: "none"), newest) == newest)
  }
}
