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
    /// By which it is spoken to unless another one is named.
    public let usual: API
    /// The name of that one, for whoever has named another one before; nil where there is no other.
    public let usualName: String?
    /// The others of the service, under the names by which people ask for them.
    public let others: [String: API]
    /// The name of the one that a server speaks whose usual one is another.
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

    /// A source of one API, for which a token is all that a login has.
    init(name: SourceName, words: String, kinds: Set<Feed.Kind> = API.all, make: @escaping MakeWithToken) {
      self.init(name: name, words: words, API(kinds, make: make))
    }

    /// The API of a name, or that of a server where none is named; nil where there is none of that name.
    public func api(_ name: String?, at server: Server) -> API? {
      guard let name = self.name(of: name, at: server), name != usualName else { return usual }
      return others[name]
    }

    /// The name of the API that a name, or none, stands for at a server; nil where a source has but one.
    public func name(of api: String?, at server: Server) -> String? { api ?? own(server) ?? usualName }
  }

  /// One API of a source.
  public struct API: Sendable {
    /// What can be pulled by it.
    public let kinds: Set<Feed.Kind>
    /// What people type behind `media login SERVER` to log in; empty where that is all.
    public let login: String
    /// What people are told before they pull: what of a feed the API does not show.
    public let limits: [Feed.Kind: String]
    /// What it costs to read; nil where it costs nothing.
    public let prices: Prices?
    /// Makes a source for a server, in somebody's name or in nobody's.
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

  /// Makes a source for a server, in somebody's name or in nobody's.
  public typealias Make = @Sendable (Server, Caller, Transport, Timekeeper) -> any Source
  /// The same where a token is all that a login has.
  public typealias MakeWithToken = @Sendable (Server, Secret?, Transport, Timekeeper) -> any Source

  /// Every source, in the order in which people are told of them.
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

  /// The source of that name, nil where there is none.
  public static func entry(_ name: SourceName) -> Entry? { entries.first { $0.name == name } }
}
