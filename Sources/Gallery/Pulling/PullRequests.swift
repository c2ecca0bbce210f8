import MediaLibrary
import Posts
import Storage
import Web

/// A list, as the requests that are about one name it: `{"list":"tag=cats&q=kitten"}`. Without it all posts are meant.
struct ListBody: Decodable {
  let list: String?

  var address: ListAddress { ListAddress(Fields(form: list ?? "")) }
}

/// Which feed a person names on the page.
struct FeedBody: Decodable {
  let kind: String
  let value: String
  var server: String?
  var source: String?
  var pages: Int?
  /// Whether it is followed afterwards, and how often it is pulled then.
  var follow: Bool?
  var every: String?

  /// The maximum number of pages of one request.
  private static let mostPages = 1000

  func plan() throws(RequestError) -> JobPlan {
    guard ["tag", "user", "search", "feed"].contains(kind) else {
      throw .badParameter("kind", must: "tag, user, search or feed")
    }
    let value = try value.argument("value")
    guard !value.isEmpty else { throw .badParameter("value", must: "what to pull") }
    if let pages, !(1...Self.mostPages).contains(pages) {
      throw .badParameter("pages", must: "from 1 to \(Self.mostPages)")
    }
    let location = kind == "feed" ? nil : try server?.argument("server").nonEmpty
    var command = MediaArguments(kind, [value]).adding("--pages", pages.map(String.init))
    if kind != "feed" {
      command = command.adding("--server", location).adding("--source", try source?.argument("source").nonEmpty)
    }
    let every = try every?.argument("every").nonEmpty
    return JobPlan(
      kind: .pull, title: "Pull \(FeedTitle.of(kind, value))\(location.map { " at \($0)" } ?? "")", command: command,
      follow: follow == true ? FollowPace(every: every) : nil)
  }
}

/// A feed by its name.
struct NamedFeedBody: Decodable {
  let feed: String
  var every: String?
  var pages: Int?
}

/// Posts by their numbers.
struct PostsBody: Decodable { let ids: [Int64] }

/// A job or a login by its number.
struct NumberBody: Decodable { let id: Int }

/// Feeds as people read them.
enum FeedTitle {
  static func of(_ kind: String, _ value: String) -> String {
    switch kind {
    case "tag": "#\(Feed.tagName(value))"
    case "user": "@\(value.drop { $0 == "@" })"
    case "search": "\u{201C}\(value)\u{201D}"
    default: value
    }
  }

  /// With its server.
  static func of(_ feed: Feed) -> String {
    feed.kind == .url || !feed.isPulled ? feed.value : "\(of(feed.kind.rawValue, feed.value)) at \(feed.server)"
  }
}

extension JobPlan {
  /// Reads a feed's newest posts, as a refresh in the terminal does.
  static func newest(_ feed: Feed) -> JobPlan {
    JobPlan(
      kind: .pull, title: "Refresh \(FeedTitle.of(feed))",
      command: .pull(feed).adding("--new").adding("--pages", "5"))
  }

  /// Reads the page below what is stored, as the end of a list in the terminal does.
  static func older(_ feed: Feed) -> JobPlan {
    JobPlan(
      kind: .pull, title: "Older posts of \(FeedTitle.of(feed))",
      command: .pull(feed).adding("--resume").adding("--pages", "1"))
  }

  /// Reads the newest posts of every followed feed.
  static let followed = JobPlan(
    kind: .pull, title: "Refresh the followed feeds", command: MediaArguments("harvest").adding("--wait"))
}

extension MediaArguments {
  /// The command that pulls a feed of the library.
  fileprivate static func pull(_ feed: Feed) -> Self {
    guard feed.kind != .url else { return MediaArguments("feed", [feed.value]) }
    return MediaArguments(feed.kind.rawValue, [feed.value]).adding("--server", feed.server.origin)
      .adding("--source", feed.source.rawValue)
  }
}

extension ListAddress {
  /// The feeds that bring the posts of the list; nil if it shows posts of all feeds.
  func feeds(in library: Library) throws -> [Feed]? {
    let known = try library.store.feeds()
    if let feed {
      guard let feed = known.first(where: { $0.name == feed }) else { throw RequestError.noFeed(feed) }
      return feed.isPulled ? [feed] : []
    }
    if !tags.isEmpty { return known.filter { $0.kind == .tag && tags.contains($0.value) } }
    if let user {
      return known.filter { $0.kind == .user && (user == $0.value || user == "\($0.value)@\($0.server.host)") }
    }
    return nil
  }
}

extension String {
  /// The text as an argument of a program.
  ///
  /// - Throws: If no program can be given it.
  func argument(_ name: String) throws(RequestError) -> String {
    guard utf8.count <= 4096, !utf8.contains(0) else {
      throw .badParameter(name, must: "a text of 4,096 bytes at most")
    }
    return trimmingWhiteSpace
  }

  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
