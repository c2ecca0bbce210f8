import Foundation
import MediaLibrary
import Series
import Testing

/// A list, and what one reader made of its changes.
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

  /// Pulls until it sees what a fresh reading says: each update on the way begins where the one before ended.
  mutating func follow(to fresh: Snapshot<ListedPost>, _ said: Comment) async throws {
    while seen != fresh {
      let update = try #require(try await reader.next(), said)
      try #require(update.previous == seen, said)
      rows = update.changes.applying(to: rows, with: update.rows)
      seen = update.snapshot
      try #require(rows == seen.rows, said)
      try #require(Set(rows.map(\.id)).count == rows.count, said)
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
  @Test(arguments: Series.seeds(sample: 4, whole: 2_500))
  func `rows that follow the changes are the list, whichever process edits it and wherever the window goes`(
    seed: UInt64
  ) async throws {
    let home = try Home()
    var turmoil = try Turmoil(seed: seed, library: home.library)
    var followings = Self.lists.map { Following($0, Window(after: 6), in: home.library) }
    for following in followings { try await following.results.performFetch() }
    for edit in 0..<40 {
      let said: Comment = "seed \(seed), edit \(edit)"
      try turmoil.stir()
      guard turmoil.dice.below(4) == 0 || edit == 39 else { continue }
      try turmoil.settle()
      for place in followings.indices {
        let (list, results) = (followings[place].list, followings[place].results)
        if turmoil.dice.below(4) == 0 { try await results.move(to: window(of: list, in: home, &turmoil.dice)) }
        let fresh = try await home.library.snapshot(of: list, window: results.window)
        try await followings[place].follow(to: fresh, said)
      }
    }
    for following in followings { await following.results.stop() }
  }

  /// A window anywhere in a list, on a row's key or on the list's start.
  private func window(of list: PostListQuery, in home: Home, _ dice: inout Dice) throws -> Window<PostKey> {
    let rows = try home.library.snapshot(of: list, window: Window(after: 100)).rows
    let anchor = dice.below(3) == 0 ? nil : rows.randomElement(using: &dice)?.key
    return Window(anchor: anchor, before: dice.below(5), after: dice.below(8))
  }
}
