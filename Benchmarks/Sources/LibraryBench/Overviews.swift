import Foundation
import MediaLibrary

/// Measures the counts that pages show beside posts.
struct OverviewTimes {
  let library: Library
  let sample: Sample

  private static let rounds = 15

  func measure(into table: inout Table) throws {
    let store = library.store
    let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    for (name, list) in lists {
      try time("first window of 50, \(name)", in: &table) {
        _ = try library.snapshot(of: list, window: Window(after: 50))
      }
      try time("months, \(name)", in: &table) { _ = try store.months(of: list, in: zone) }
    }
    try time("what the library contains", in: &table) { _ = try store.stats() }
    let days = month()
    try time("days of a month, library", in: &table) {
      _ = try store.timeRanges(of: PostListQuery(), within: days, atMost: 0)
    }
    for order in CountOrder.allCases {
      for prefix in ["", "u", "user12", "tagka"] {
        try time("50 tags by \(order), \"\(prefix)\"", in: &table) {
          _ = try store.tagCounts(containing: prefix, by: order, after: nil, limit: 50)
        }
        try time("50 authors by \(order), \"\(prefix)\"", in: &table) {
          _ = try store.authorCounts(containing: prefix, by: order, after: nil, limit: 50)
        }
      }
    }
    try time("coverage of a feed", in: &table) { _ = try store.coverage(of: Maker.feed) }
    for length in PeriodLength.allCases {
      try time("statistics by \(length)", in: &table) {
        _ = try store.statistics(StatisticsQuery(length: length, zone: zone))
      }
    }
    try time("statistics of a year", in: &table) {
      _ = try store.statistics(StatisticsQuery(within: year, zone: zone))
    }
    try time("position of the last change", in: &table) { _ = try store.changePosition() }
    try time("window of 400 at a moment", in: &table) {
      let key = PostKey(at: Writer.moment(of: Int.random(in: 0..<sample.count)))
      _ = try store.window(PostListQuery(), around: key, before: 200, after: 200)
    }
    try time("window of 50, trash", in: &table) { _ = try store.window(PostListQuery(deleted: .only)) }
  }

  private var lists: [(String, PostListQuery)] {
    [
      ("library", PostListQuery()), ("tag of all posts", PostListQuery(tag: Maker.feed.value)),
      ("frequent tag", PostListQuery(tag: sample.tags[1])), ("rare tag", PostListQuery(tag: sample.tags[9])),
      ("author", PostListQuery(user: sample.users[3])), ("feed", PostListQuery(feed: Maker.feed)),
      ("search, rare word", PostListQuery(search: "\(sample.words.rare) ")),
      ("search, middling word", PostListQuery(search: "\(sample.words.middling) ")),
      ("search, common word", PostListQuery(search: "\(sample.words.common) ")),
      ("tag and author", PostListQuery(tag: Maker.feed.value, user: sample.users[3])),
      ("trash", PostListQuery(deleted: .only)), ("published", seen(by: .published)),
      ("for followers", seen(by: .only([.followers]))), ("a year", PostListQuery(within: year)),
      ("common word of a year", PostListQuery(search: "\(sample.words.common) ", within: year)),
    ]
  }

  private func seen(by visibility: VisibilityFilter) -> PostListQuery {
    var list = PostListQuery()
    list.visibility = visibility
    return list
  }

  private var year: DateInterval {
    DateInterval(start: Writer.moment(of: sample.count / 2), duration: 365 * 86_400)
  }

  /// The days of a month, as the calendar asks for them.
  private func month() -> [DateInterval] {
    let start = Writer.moment(of: sample.count / 2)
    return (0..<31).map { DateInterval(start: start + Double($0) * 86_400, duration: 86_400) }
  }

  private func time(_ name: String, in table: inout Table, _ body: () throws -> Void) throws {
    var timings = Timings()
    for _ in 0..<Self.rounds { try timings.time(body) }
    table.add(name, timings)
  }
}
