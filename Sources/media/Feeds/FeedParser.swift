import Posts
import Services

/// Turns typed names into feeds. Uses the logins, not the network.
struct FeedParser: Sendable {
  let servers: ServerResolver

  // MARK: For commands

  /// The feeds of typed names with their own servers after an `@`, and of the flags; one for each server.
  func feeds(_ kind: Feed.Kind, _ texts: [String], _ options: PullOptions) throws -> [Feed] {
    let paths = try options.server.map { Optional(try FeedAddressText($0)) }
    var feeds: [Feed] = []
    for text in texts {
      for location in paths.isEmpty ? [nil] : paths {
        let feed = try feed(kind, text, at: location, options, cure: ServerResolver.cure)
        if !feeds.contains(feed) { feeds.append(feed) }
      }
    }
    return feeds
  }

  /// The feed of a typed name, whose server is named or can be inferred.
  func feed(_ kind: Feed.Kind, _ text: String, _ options: PullOptions, cure: String) throws -> Feed {
    try feed(kind, text, at: nil, options, cure: cure)
  }

  /// A user may belong to another server than the one asked, and a search may contain an `@`.
  private func feed(
    _ kind: Feed.Kind, _ text: String, at location: FeedAddressText?, _ options: PullOptions, cure: String
  ) throws -> Feed {
    // The form that summaries use.
    let prefix = "\(kind.rawValue):"
    // Checked before the server: without a name no server helps.
    if text.allSatisfy(\.isWhitespace) || text == prefix { throw UsageError.unusable(kind, text) }
    if kind == .tag, Feed.tagName(text).isEmpty { throw UsageError.unusable(kind, text) }
    if let page = try Self.page(kind, at: text) {
      guard location == nil else { throw UsageError("\(text) names its server already", cure: "leave --server out") }
      var named = FeedAddressText(source: page.source, server: page.server)
      // Logins tell the source of a server that anybody may run.
      if Catalogue.entry(page.source)?.isDiscovered == true { named.source = nil }
      let (source, server) = try servers.origin(of: kind, named, options, cure: cure)
      return try Feed(source: source, kind: kind, value: page.value, server: server).checked(writtenAs: text)
    }
    let text = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    var value = text
    var location = location
    if let (name, address) = Self.halves(of: text, kind), location == nil || kind == .tag {
      guard location == nil else {
        throw UsageError("\(text) names its server already", cure: "leave --server out")
      }
      (value, location) = (name, try FeedAddressText(address))
    }
    let (source, server) = try servers.origin(of: kind, location, options, cure: cure)
    let feed = Feed(source: source, kind: kind, value: value, server: server)
    return try feed.checked(writtenAs: text)
  }

  /// The feed of a profile's, a tag's or a search's web address; nil if the text is none. Any other address can be searched for.
  private static func page(_ kind: Feed.Kind, at text: String) throws -> Feed? {
    guard text.hasPrefix("http://") || text.hasPrefix("https://") else { return nil }
    if kind == .search { return Catalogue.feed(at: text).flatMap { $0.kind == .search ? $0 : nil } }
    guard let feed = Catalogue.feed(at: text, as: kind) else {
      throw UsageError(
        "\(Feed.spoken(text)) is an address and not a \(kind.rawValue)",
        cure: "\"media feed URL\" pulls the feed at an address")
    }
    guard feed.kind == kind else {
      throw UsageError(
        "\(Feed.spoken(text)) is the address of a \(feed.kind.rawValue)",
        cure: "\"media \(feed.kind.rawValue) URL\" pulls it")
    }
    return feed
  }

  /// The parts of a name before and behind its last `@`; nil if that does not lead to a server.
  private static func halves(of text: String, _ kind: Feed.Kind) -> (name: String, address: String)? {
    guard let at = text.lastIndex(of: "@"), at > text.startIndex else { return nil }
    let address = text[at...].dropFirst()
    guard kind != .search || FeedAddressText.isLikely(address) else { return nil }
    return (String(text[..<at]), String(address))
  }

  // MARK: For the list

  /// Parses what a user types in the list: a tag (`cats`, `#cats`, `cats@mastodon.social`), a user (`@birds`,
  /// `@birds@photos.example`), search terms, or a feed's name or address. The server is the named one, else that of the
  /// tag's feeds, else that of the shown list, else the only one.
  func feeds(of text: String, near: [Feed], among known: [Feed]) throws -> [Feed] {
    if let feed = known.first(where: { $0.name == text }) { return [feed] }
    if let page = Catalogue.feed(at: text).flatMap({ servers.known($0, among: known) }) { return [page] }
    if text.contains("://"), !text.contains(where: \.isWhitespace), !text.contains("@") {
      return [try Feed(addressed: text)]
    }
    let (kind, value) = Self.wish(text)
    if kind == .tag, !value.dropFirst().contains("@") {
      let name = Feed.tagName(value)
      let feeds = known.filter { $0.kind == .tag && $0.value == name }
      if !feeds.isEmpty { return feeds }
    }
    return [try feed(kind, value, near: near + known)]
  }

  /// The requested kind and its value.
  private static func wish(_ text: String) -> (Feed.Kind, String) {
    if let named = FeedNames.kind(of: text) { return named }
    if text.hasPrefix("@") { return (.user, String(text.dropFirst())) }
    return (text.contains(where: \.isWhitespace) ? .search : .tag, text)
  }

  private func feed(_ kind: Feed.Kind, _ text: String, near: [Feed]) throws -> Feed {
    var (value, location) = (text, FeedAddressText?.none)
    if let (name, address) = Self.halves(of: text, kind) {
      (value, location) = (name, try FeedAddressText(address))
    } else if let near = near.first(where: { $0.source.has(kind, at: $0.server) }) {
      location = FeedAddressText(source: near.source, server: near.server)
    }
    let (source, server) = try servers.sourceAndServer(
      of: nil, location, cure: "write it after the name: cats@mastodon.social")
    guard source.has(kind, at: server) else {
      throw UsageError("\(source.rawValue) has no \(kind.rawValue) to pull", cure: nil)
    }
    return try Feed(source: source, kind: kind, value: value, server: server).checked(writtenAs: text)
  }
}
