import Folders
import Foundation
import Posts
import Testing

@testable import Storage

/// Windows around keys that have moved or gone meanwhile.
struct AnchorTests {
  private func ids(_ reading: PostWindowReading?) -> [Int64]? { reading?.rows.map(\.post.id) }

  private func by(_ name: String, _ number: Int, called shown: String? = nil) -> Post {
    var made = post(number)
    made.author = Author(
      uri: "https://birds.example/users/\(name)", handle: "\(name)@birds.example", name: shown ?? name)
    return made
  }

  @Test func `after an author is renamed, an older key shows no post twice`() throws {
    let library = try TestLibrary()
    try library.pull([by("ada", 3), by("bob", 2), by("ada", 1)])
    let list = PostListQuery(grouping: .author)
    let anchor = try #require(try library.store.window(list).rows.first?.key)
    #expect(anchor.section?.name == "ada")
    try library.pull([by("ada", 3, called: "zoe")])
    let reading = try library.store.window(list, around: anchor, before: 5, after: 5)
    #expect(ids(reading) == [2, 1, 3])
    #expect(reading.sections.map(\.name) == ["bob", "zoe"])
  }

  @Test(arguments: [nil, "post"])
  func `a key keeps its position if only the case of the author's name changed`(search: String?) throws {
    let library = try TestLibrary()
    try library.pull([by("ada", 3), by("ada", 2), by("ada", 1)])
    let list = PostListQuery(search: search, grouping: .author)
    let anchor = try library.store.window(list).rows[1].key
    try library.pull([by("ada", 3, called: "ADA")])
    let reading = try library.store.window(list, around: anchor, before: 1, after: 1)
    #expect(ids(reading) == [1, 2])
    #expect(reading.sections.map(\.name) == ["ADA"])
    #expect(reading.hasMoreAfter && !reading.hasMoreBefore)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [(0, 2), (2, 0)])
  func `a post that comes between the anchor and the rows is shown`(before: Int, after: Int) async throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    let pull = try store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    _ = try store.save(page((1...7).reversed()), in: pull, now: noon)
    // Rows 1 to 7, newest first. The window's anchor is the middle one, which is deleted with its neighbours.
    let anchor = try store.window(PostListQuery()).rows[3].key
    try store.delete([1, 3, 4, 5], now: noon)
    var readings = store.observe(PostListQuery(), around: anchor, before: before, after: after).makeAsyncIterator()
    #expect(ids(try await readings.next()) == (after > 0 ? [6, 7] : [2]))
    try store.restore([after > 0 ? 4 : 3], now: noon)
    #expect(ids(try await readings.next()) == (after > 0 ? [4, 6] : [2, 3]))
  }
}
