import Foundation
import MediaLibrary
import Testing

@Suite(.timeLimit(.minutes(10))) struct ListedPostTests {
  private let byTag = PostListQuery(grouping: .tag)
  private let byAuthor = PostListQuery(grouping: .author)
  private let byDay = PostListQuery(grouping: .day(.gmt))

  /// The changes of a list by an edit.
  private func changes(of list: PostListQuery, in home: Home, by edit: () throws -> Void) throws -> ListChanges {
    let before = try home.library.snapshot(of: list)
    try edit()
    return ListChanges(from: before, to: try home.library.snapshot(of: list))
  }

  @Test func `a list without groups is one section without a name, an empty one with groups has none`() throws {
    let home = try Home()
    #expect(try home.library.snapshot(of: PostListQuery()).sections.map(\.rows) == [0..<0])
    for list in [byTag, byAuthor, byDay] { #expect(try home.library.snapshot(of: list).sections == []) }
    try home.save([1, 2])
    let whole = try home.library.snapshot(of: PostListQuery())
    #expect(whole.sections == [ListSection(id: "", name: "", count: .exactly(2), rows: 0..<2)])
  }

  @Test func `sections tile the rows, with the counts of the whole list`() throws {
    let home = try Home()
    try home.library.save([page([post(3, by: "Bea"), post(2), post(1)])], of: cats)
    let authors = try home.library.snapshot(of: byAuthor, window: Window(after: 1))
    #expect(authors.sections.map(\.name) == ["Ada"])
    #expect(authors.sections.map(\.count) == [.exactly(2)])
    #expect(authors.sections.map(\.rows) == [0..<1])
    #expect(authors.total == .exactly(3) && authors.hasMoreAfter && !authors.hasMoreBefore)
    let days = try home.library.snapshot(of: byDay)
    #expect(days.sections.map(\.id) == ["2023-11-14"])
    #expect(try home.library.snapshot(of: byAuthor).sections.map(\.rows) == [0..<2, 2..<3])
  }

  @Test func `a post with several tags has a row under each, and its deletion removes all of them`() throws {
    let home = try Home()
    try home.library.save([page([post(2, tags: ["cats", "birds"]), post(1)])], of: cats)
    let before = try home.library.snapshot(of: byTag)
    #expect(before.sections.map(\.name) == ["birds", "cats"])
    #expect(before.rows.map(\.post.id) == [1, 1, 2])
    #expect(Set(before.rows.map(\.id)).count == 3)
    let changes = try changes(of: byTag, in: home) { try home.library.delete([1]) }
    #expect(changes.deletions == [0, 1])
    #expect(changes.deletedSections == [0])
    #expect(changes.insertions.isEmpty && changes.moves.isEmpty)
  }

  @Test func `a renamed author's posts stay the rows they were`() throws {
    let home = try Home()
    try home.library.save([page([post(2, by: "Bea"), post(1)])], of: cats)
    let changes = try changes(of: byAuthor, in: home) {
      var renamed = post(1)
      renamed.author?.name = "Zoe"
      try home.library.save([page([renamed])], of: cats)
    }
    #expect(changes.deletions.isEmpty && changes.insertions.isEmpty)
    #expect(changes.updates == [1])
  }

  @Test func `a post whose day changes moves to that day`() throws {
    let home = try Home()
    try home.save([1, 2, 3])
    let changes = try changes(of: byDay, in: home) {
      var moved = post(1)
      moved.createdAt += 3 * 86_400
      try home.library.save([page([moved])], of: cats)
    }
    #expect(changes.deletions.isEmpty && changes.insertions.isEmpty)
    #expect(changes.moves == [ListChanges.Move(from: 2, to: 0)])
    #expect(changes.insertedSections == [0])
  }

  @Test func `a search with many results says that there are more than were counted`() throws {
    let home = try Home()
    var reading = PostWindowReading()
    reading.total = .moreThan(10_000)
    #expect(Snapshot(reading).total == .moreThan(10_000))
    #expect(try home.library.snapshot(of: PostListQuery(search: "sun")).total == .exactly(0))
  }
}
