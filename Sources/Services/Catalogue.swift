import HTTP
import Posts

/// All sources, one line each. Everything else about a source is in its own folder.
public enum Catalogue {
  /// One source.
  public struct Entry: Sendable {
    /// The name that feeds use for it.
    public let name: SourceName
    /// A short description for help texts.
    public let words: String
    /// The API that is used unless another is named.
    public let usual: API
    /// The name of the usual API, for people who named another one before; nil if there is no other.
    public let usualName: String?
    /// The other APIs of the service, by the names that people type.
    public let others: [String: API]
    /// The name of the API of a server whose usual API is another.
    private let own: @Sendable (Server) -> String?

    init(
      name: SourceName, words: String, _ usual: API, called usualName: String? = nil, others: [String: API] = [:],
      own: @escaping @Sendable (Server) -> String? = { _ in nil }
    ) {
      self.name = name
      self.words = words
      self.usual = usual
      self.usualName = usualName
      self.others = others
      self.own = own
    }

    /// A source with one API, whose logins have only a token.
    init(name: SourceName, words: String, kinds: Set<Feed.Kind> = API.all, make: @escaping MakeWithToken) {
      self.init(name: name, words: words, API(kinds, make: make))
    }

    /// The API with this name, or the server's API if no name is given. Returns nil if no API has the name.
    public func api(_ name: String?, at server: Server) -> API? {
      guard let name = self.name(of: name, at: server), name != usualName else { return usual }
      return others[name]
    }

    /// The name of the API that a name, or no name, selects at a server; nil if a source has only one.
    public func name(of api: String?, at server: Server) -> String? { api ?? own(server) ?? usualName }
  }

  /// One API of a source.
  public struct API: Sendable {
    /// The feeds that can be pulled with it.
    public let kinds: Set<Feed.Kind>
    /// What people type after `media login SERVER` to log in; empty if nothing follows.
    public let login: String
    /// A notice shown before a pull: what the API does not show of a feed.
    public let limits: [Feed.Kind: String]
    /// The prices of reading; nil if reading is free.
    public let prices: Prices?
    /// Creates a source for a server, with or without a login.
    public let make: Make

    static let all: Set<Feed.Kind> = [.tag, .user, .search]

    init(
      _ kinds: Set<Feed.Kind> = Self.all, login: String = "", limits: [Feed.Kind: String] = [:],
      prices: Prices? = nil, asking make: @escaping Make
    ) {
      self.kinds = kinds
      self.login = login
      self.limits = limits
      self.prices = prices
      self.make = make
    }

    init(
      _ kinds: Set<Feed.Kind> = Self.all, login: String = "", prices: Prices? = nil, make: @escaping MakeWithToken
    ) {
      self.init(kinds, login: login, limits: [:], prices: prices) { make($0, $1.token, $2, $3) }
    }
  }

  /// Creates a source for a server, with or without a login.
  public typealias Make = @Sendable (Server, Caller, Transport, TimeSource) -> any Source
  /// Creates a source whose logins have only a token.
  public typealias MakeWithToken = @Sendable (Server, Secret?, Transport, TimeSource) -> any Source

  /// Every source, in the order in which they are listed to people.
  public static let entries: [Entry] = [
    Entry(name: .mastodon, words: "Mastodon, Pixelfed and servers that speak their API", make: MastodonSource.init),
    Entry(
      name: .instagram, words: "Instagram, and servers that speak its first API (/v1)",
      API([.tag, .user], login: instagramLogin, make: InstagramSource.init),
      called: "v1", others: [SourceName.graphAPI: GraphSource.entry],
      own: { $0.isInstagram ? SourceName.graphAPI : nil }),
    Entry(
      name: .x, words: "X, and servers that speak its APIs",
      API(login: xLogin, prices: .x, make: XSource.init), called: "2",
      others: ["1.1": API(login: xLogin, make: XFirstSource.init)]),
    Entry(name: .feed, words: "RSS, Atom and JSON feeds", kinds: [.url], make: FeedSource.init),
  ]

  private static let instagramLogin = "--source instagram --client-id ID --client-secret-stdin"
  private static let xLogin = "--source x --app-only --client-id KEY --client-secret-stdin"

  /// The source with this name; nil if there is none.
  public static func entry(_ name: SourceName) -> Entry? { entries.first { $0.name == name } }
}
