import Posts
import Services

/// Finds feeds by what users call them.
enum FeedNames {
  /// A known feed by its name or an unambiguous part of it; nil if none matches.
  static func feed(_ text: String, among feeds: [Feed], _ titles: [String: String]) throws -> Feed? {
    guard text.contains(where: { !$0.isWhitespace }) else { throw UsageError("no feed is named", cure: cure) }
    if let feed = feeds.first(where: { $0.name == text }) { return feed }
    let page = Catalogue.feed(at: text)
    let found = feeds.filter { feed in
      ["\(feed.kind.rawValue):\(feed.value)", feed.value, "#\(feed.value)"].contains(text)
        || "\(feed.value)@\(feed.server.name)" == text || feed == page
        || (feed.kind == .url && [feed.server.name, feed.spoken, titles[feed.name]].contains(text))
    }
    guard let feed = found.first else { return nil }
    guard found.count == 1 else {
      throw UsageError("\"\(text)\" may mean \(found.count) feeds", cure: "write one as \(feed.name)")
    }
    return feed
  }

  /// Throws if a name begins with a kind that no feed has, such as `album:cats@photos.example`.
  static func expectKind(of text: String) throws {
    let word = text.prefix(while: \.isLetter)
    let rest = text[word.endIndex...]
    guard !word.isEmpty, word != "feed", rest.hasPrefix(":"), rest.contains("@") else { return }
    throw UsageError("there is no kind of feed named \"\(word)\"", cure: "write tag:, user: or search: before the name")
  }

  static let cure = "write one such as cats@mastodon.social, or an address"

  /// The prefix of a name that states its kind, and the rest. The mark of a community belongs to its name.
  static func kind(of text: String) -> (Feed.Kind, value: String)? {
    for kind in [Feed.Kind.tag, .user, .search] where text.hasPrefix("\(kind.rawValue):") {
      return (kind, String(text.dropFirst(kind.rawValue.count + 1)))
    }
    return text.hasPrefix("!") ? (.user, text) : nil
  }
}

extension Feed {
  /// The feed's name for users; for an address, the title of the document.
  ///
  /// - Parameter titles: The titles of documents that no other one has.
  func label(_ titles: [String: String]) -> String {
    kind == .url ? titles[name] ?? spoken : page == nil ? name : spoken
  }
}

extension [String: String] {
  /// The titles of feeds that no other feed has.
  var unambiguous: [String: String] {
    let counts = values.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    return filter { counts[$0.value] == 1 }
  }
}
