import FoundationEssentials
import Posts
import Storage
import Terminal
import Wording

/// The feeds with missing pictures, by name, and how many are missing.
struct MissingByFeed {
  private let counts: [(feed: Feed, count: Int)]
  /// The feeds whose pictures can be retried now.
  let dueFeeds: [Feed]

  init(of named: Feed?, in store: Store, now: Date) throws {
    let all = try store.countsOfMissingPictures(.wanted, of: named, now: now)
    let due = all.isEmpty ? [:] : try store.countsOfMissingPictures(.due, of: named, now: now)
    counts = all.isEmpty ? [] : try store.feeds().compactMap { feed in all[feed.name].map { (feed, $0) } }
    dueFeeds = counts.map(\.feed).filter { $0.isPulled && due[$0.name] != nil }
  }

  var feeds: [Feed] { counts.map(\.feed) }

  /// Rows in addition to those of gaps: missing pictures belong to no part of the feed.
  func rows(_ titles: [String: String]) -> [[String]] {
    counts.map { [$0.feed.label(titles), NumberText.count($0.count, "picture"), "", "", ""] }
  }

  /// The same as text.
  func lines(_ titles: [String: String]) -> [SafeText] {
    counts.map { feed, count in
      "\(NumberText.count(count, "picture")) of \(feed.label(titles)) \(count == 1 ? "is" : "are") missing"
    }
  }
}
