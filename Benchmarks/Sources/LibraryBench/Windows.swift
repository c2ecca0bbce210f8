import Foundation
import MediaLibrary

/// The parts of a library that are measured.
struct Sample {
  let count: Int
  let tags: [String]
  let users: [String]
  /// Words, from one in a third of all posts to one in few.
  let words: (common: String, middling: String, rare: String)
  /// The time between two posts.
  private let pace: TimeInterval

  init(of library: Library) throws {
    count = try library.store.count(of: .library)
    // Benchmarks/shared/posts.sql spreads any number of posts over ten years.
    pace = library.isShared ? Writer.pace * 1_000_000 / Double(count) : Writer.pace
    let words = Vocabulary(count: 20_000, prefix: "")
    let tags = Vocabulary(count: 2_000, prefix: "tag")
    self.tags = [Maker.feed.value] + [0, 1, 3, 10, 30, 100, 300, 1_000, 1_999].map { tags[$0] }
    let authors = max(count / 50, 1)
    users = (0..<20).map { "user\($0 * authors / 20)@bench.example" }
    self.words = (words[0], words[99], words[18_000])
  }

  /// A random position in the order of time.
  func key(_ dice: inout Dice) -> PostKey {
    PostKey(at: Writer.start + Double(Int.random(in: 0..<count, using: &dice)) * pace)
  }
}

/// Measures the time to open a window of 50 rows.
struct Windows {
  let library: Library
  let sample: Sample

  private static let rounds = 200

  func measure(into table: inout Table) throws {
    let day = PostGrouping.day(TimeZone(identifier: "Europe/Berlin") ?? .gmt)
    try anywhere("library", in: &table) { _ in PostListQuery() }
    try anywhere("tag", in: &table) { PostListQuery(tag: sample.tags.randomElement(using: &$0)) }
    try anywhere("author", in: &table) { PostListQuery(user: sample.users.randomElement(using: &$0)) }
    try anywhere("library by day", in: &table) { _ in PostListQuery(grouping: day) }
    try inSection("library by tag", PostListQuery(grouping: .tag), in: &table) {
      PostListQuery(tag: sample.tags.randomElement(using: &$0), grouping: .tag)
    }
    try inSection("library by author", PostListQuery(grouping: .author), in: &table) {
      PostListQuery(user: sample.users.randomElement(using: &$0), grouping: .author)
    }
    for (name, word) in [
      ("rare", sample.words.rare), ("middling", sample.words.middling), ("common", sample.words.common),
    ] {
      try anywhere("search, \(name) word", in: &table) { _ in PostListQuery(search: "\(word) ") }
    }
  }

  func anywhere(_ name: String, in table: inout Table, _ list: (inout Dice) -> PostListQuery) throws {
    var dice = Dice(state: 7)
    var timings = Timings()
    for _ in 0..<Self.rounds {
      let window = Window(anchor: sample.key(&dice), before: 25, after: 25)
      let list = list(&dice)
      _ = try timings.time { try library.snapshot(of: list, window: window) }
    }
    table.add("window of 50, \(name)", timings)
  }

  /// A section's keys come from a list of only that section.
  private func inSection(
    _ name: String,
    _ list: PostListQuery,
    in table: inout Table,
    _ section: (inout Dice) -> PostListQuery
  ) throws {
    var dice = Dice(state: 7)
    var timings = Timings()
    for _ in 0..<Self.rounds {
      let rows = try library.snapshot(of: section(&dice), window: Window(after: 200)).rows
      let window = Window(anchor: rows.randomElement(using: &dice)?.key, before: 25, after: 25)
      _ = try timings.time { try library.snapshot(of: list, window: window) }
    }
    table.add("window of 50, \(name)", timings)
  }
}
