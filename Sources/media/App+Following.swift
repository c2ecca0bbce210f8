import Foundation
import Harvest
import Posts
import Services
import Storage
import Terminal

extension App {
  /// The feed that a user names to follow or to harvest: a known one, by an unambiguous part of its name; an address; a
  /// name such as `user:birds@photos.example`; or a tag as `media tag` accepts it.
  ///
  /// Uses the network only for unknown addresses.
  func feed(named text: String, source: String?, among known: [Feed], _ titles: [String: String]) async throws -> Feed {
    let named = try source.map(sourceName)
    let options = try PullOptions.parse(source.map { ["--source", $0] } ?? [])
    if text.hasPrefix("http://") || text.hasPrefix("https://") { return try await feed(at: text) }
    let meant = known.filter { named == nil || $0.source == named }
    if let found = try Self.feed(text, among: meant, titles) { return found }
    if let (kind, value) = Self.kind(of: text) { return try feed(kind, value, options, cure: Self.feedCure) }
    let mayBeTag = text.contains("@") || !text.contains("/")
    if named == Catalogue.ofAddresses || !mayBeTag || text.hasPrefix("feed:") { return try await feed(at: text) }
    return try feed(.tag, text, options, cure: Self.feedCure)
  }

  private static let feedCure = "write one such as cats@mastodon.social, or an address"

  /// A known feed by its name or an unambiguous part of it; nil if none matches.
  static func feed(_ text: String, among feeds: [Feed], _ titles: [String: String]) throws -> Feed? {
    guard text.contains(where: { !$0.isWhitespace }) else { throw UsageError("no feed is named", cure: feedCure) }
    if let feed = feeds.first(where: { $0.name == text }) { return feed }
    let found = feeds.filter { feed in
      ["\(feed.kind.rawValue):\(feed.value)", feed.value, "#\(feed.value)"].contains(text)
        || "\(feed.value)@\(feed.server.name)" == text
        || (feed.kind == .url && [feed.server.name, titles[feed.name]].contains(text))
    }
    guard let feed = found.first else { return nil }
    guard found.count == 1 else {
      throw UsageError("\"\(text)\" may mean \(found.count) feeds", cure: "write one as \(feed.name)")
    }
    return feed
  }

  /// The prefix of a name that states its kind, and the rest.
  static func kind(of text: String) -> (Feed.Kind, value: String)? {
    for kind in [Feed.Kind.tag, .user, .search] where text.hasPrefix("\(kind.rawValue):") {
      return (kind, String(text.dropFirst(kind.rawValue.count + 1)))
    }
    return nil
  }

  /// A duration typed for a flag.
  func duration(_ text: String, for flag: String, atLeast least: Duration = .zero) throws -> Duration {
    guard let duration = Measures.duration(text), duration <= .seconds(3650 * 86_400) else {
      throw UsageError("\(flag) \(text) is no time", cure: "write it as 15m, 2h or 1d")
    }
    guard duration >= least else {
      throw UsageError("\(flag) \(text) is too short", cure: "write \(Measures.text(least)) or more")
    }
    return duration
  }

  /// When the logins last changed; nil if there are none.
  var accountsChangedAt: Date? {
    let path = "\(places.configuration)/accounts.json"
    return try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }
}
