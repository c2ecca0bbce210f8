import HTTP
import Posts

/// The sources there are. One line each; everything else about a source stands in its own folder.
public enum Catalogue {
  /// One source.
  public struct Entry: Sendable {
    /// By which feeds name it.
    public let name: SourceName
    /// What it is, in a few words, for help texts.
    public let words: String
    /// What can be pulled from it.
    public let kinds: Set<Feed.Kind>
    /// What people type behind `media login SERVER` to log in; empty where that is all.
    public let login: String
    /// Makes one for a server, with the token of a login there or without.
    public let make: Make
    /// The same by other APIs of the service, under the names by which people ask for them.
    public let others: [String: Make]

    init(
      name: SourceName, words: String, kinds: Set<Feed.Kind> = [.tag, .user, .search], login: String = "",
      make: @escaping Make, others: [String: Make] = [:]
    ) {
      self.name = name
      self.words = words
      self.kinds = kinds
      self.login = login
      self.make = make
      self.others = others
    }
  }

  /// Makes a source for a server, with the token of a login there or without.
  public typealias Make = @Sendable (Server, Secret?, Transport, Timekeeper) -> any Source

  /// Every source, in the order in which people are told of them.
  public static let entries: [Entry] = [
    Entry(name: .mastodon, words: "Mastodon, Pixelfed and servers that speak their API", make: MastodonSource.init),
    Entry(
      name: .instagram, words: "servers that speak Instagram's first API (/v1)", kinds: [.tag, .user],
      login: "--source instagram --client-id ID --client-secret-stdin", make: InstagramSource.init),
    Entry(
      name: .x, words: "X, and servers that speak its APIs",
      login: "--source x --app-only --client-id KEY --client-secret-stdin", make: XSource.init,
      others: ["1.1": XFirstSource.init]),
    Entry(name: .feed, words: "RSS, Atom and JSON feeds", kinds: [.url], make: FeedSource.init),
  ]

  /// The source of that name, nil where there is none.
  public static func entry(_ name: SourceName) -> Entry? { entries.first { $0.name == name } }
}
