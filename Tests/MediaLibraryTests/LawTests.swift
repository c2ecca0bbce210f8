import Foundation
import MediaLibrary
import PropertyTesting
import Testing

/// A list, and the rows that one reader builds from its changes.
private struct Following {
  let list: PostListQuery
  let results: PostResults
  private var reader: Updates<ListedPost>.AsyncIterator
  private var rows: [ListedPost] = []
  private var seen = Snapshot<ListedPost>.empty

  init(_ list: PostListQuery, _ window: Window<PostKey>, in library: Library) {
    self.list = list
    results = library.results(of: list, window: window)
    reader = results.updates().makeAsyncIterator()
  }

  /// Reads until it sees a fresh snapshot. Each update on the way must begin where the previous one ended.
  mutating func follow(to fresh: Snapshot<ListedPost>, _ comment: Comment) async throws {
    while seen != fresh {
      let update = try #require(try await reader.next(), comment)
      try #require(update.previous == seen, comment)
      rows = update.changes.applying(to: rows, with: update.rows)
      seen = update.snapshot
      try #require(rows == seen.rows, comment)
      try #require(Set(rows.map(\.id)).count == rows.count, comment)
    }
  }
}

@Suite(.serialized, .timeLimit(.minutes(20))) struct LawTests {
  private static let lists = [
    PostListQuery(), PostListQuery(tag: "cats"), PostListQuery(search: "moon"), PostListQuery(grouping: .tag),
    PostListQuery(grouping: .author), PostListQuery(grouping: .day(TimeZone(identifier: "Europe/Berlin") ?? .gmt)),
    PostListQuery(tag: "dogs", grouping: .tag), PostListQuery(user: "user1", includesDeleted: true, grouping: .author),
  ]

  /// 40 edits a seed.
  @Test(arguments: PropertyTest.seeds(sample: 4, whole: 2_500))
  func `rows to which the changes are applied are the list, whichever process edits it and wherever the window moves`(
    seed: UInt64
  ) async throws {
    let home = try Home()
    var randomEdits = try RandomEdits(seed: seed, library: home.library)
    var followings = Self.lists.map { Following($0, Window(after: 6), in: home.library) }
    for following in followings { try await following.results.performFetch() }
    for edit in 0..<40 {
      let comment: Comment = "seed \(seed), edit \(edit)"
      try randomEdits.makeEdit()
      guard randomEdits.dice.below(4) == 0 || edit == 39 else { continue }
      try randomEdits.waitForCommits()
      for index in followings.indices {
        let (list, results) = (followings[index].list, followings[index].results)
        if randomEdits.dice.below(4) == 0 { try await results.move(to: window(of: list, in: home, &randomEdits.dice)) }
        let fresh = try await home.library.snapshot(of: list, window: results.window)
        try await followings[index].follow(to: fresh, comment)
      }
    }
    for following in followings { await following.results.stop() }
  }

  /// A random window of a list, at a row's key or at the list's start.
  private func window(of list: PostListQuery, in home: Home, _ dice: inout Dice) throws -> Window<PostKey> {
    let rows = try home.library.snapshot(of: list, window: Window(after: 100)).rows
    let anchor = dice.below(3) == 0 ? nil : rows.randomElement(using: &dice)?.key
    return Window(anchor: anchor, before: dice.below(5), after: dice.below(8))
  }
}
