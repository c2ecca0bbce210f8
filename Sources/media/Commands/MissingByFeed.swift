import Foundation
import Posts
import Storage
import Terminal

/// The feeds of which pictures are missing, by name, and how many.
struct MissingByFeed {
  private let counts: [(feed: Feed, count: Int)]
  /// Those of which pictures are to be tried again now.
  let dueFeeds: [Feed]

  init(of named: Feed?, in store: Store, now: Date) throws {
    let all = try store.countsOfMissingPictures(of: named, now: now)
    let due = all.isEmpty ? [:] : try store.countsOfMissingPictures(.due, of: named, now: now)
    counts = all.isEmpty ? [] : try store.feeds().compactMap { feed in all[feed.name].map { (feed, $0) } }
    dueFeeds = counts.map(\.feed).filter { due[$0.name] != nil }
  }

  var feeds: [Feed] { counts.map(\.feed) }

  /// Rows beside those of gaps: pictures are missing from no part of the feed.
  func rows(_ titles: [String: String]) -> [[String]] {
    counts.map { [$0.feed.label(titles), Words.count($0.count, "picture"), "", "", ""] }
  }

  /// The same in words.
  func lines(_ titles: [String: String]) -> [Inert] {
    counts.map { feed, count in
      "\(Words.count(count, "picture")) of \(feed.label(titles)) \(count == 1 ? "is" : "are") missing"
    }
  }
}
