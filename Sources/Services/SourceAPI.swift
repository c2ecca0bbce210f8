import HTTP
import Login
import Posts

/// One API of a source.
public struct SourceAPI: Sendable {
  /// The feeds that can be pulled with it.
  public let kinds: Set<Feed.Kind>
  /// What else it can do.
  public let abilities: Set<Ability>
  /// How much it gives at once.
  public let bounds: SourceBounds
  /// A notice shown before a pull: what the API does not show of a feed.
  public let limits: [Feed.Kind: String]
  /// What help texts say about a kind of feed.
  public let help: [Feed.Kind: String]
  /// The posts that cannot be looked up again, for help texts; nil if all can.
  public let lost: String?
  /// The prices of reading; nil if reading is free.
  public let prices: Prices?
  /// The fields by which its servers state limits.
  public let rates: RateDialect
  /// How people log in; nil if there are no logins.
  public let login: LoginService?
  /// Creates a source for a server, with or without a login.
  public let make: Make

  /// What an API can do beside returning pages from the newest post down.
  public enum Ability: Sendable, Hashable, CaseIterable {
    /// Returns the page just above a post.
    case walkUp
    /// Continues below any post, by its id.
    case continueBelowIDs
    /// Says that nothing changed since an earlier visit.
    case recordVisits
    /// Gives hashtags ids, and limits how many an account may request.
    case countHashtags
  }

  /// Creates a source for a server, with or without a login.
  public typealias Make = @Sendable (Server, Caller, Transport, TimeSource) -> any Source
  /// Creates a source whose logins have only a token.
  public typealias MakeWithToken = @Sendable (Server, Secret?, Transport, TimeSource) -> any Source

  init(
    _ kinds: Set<Feed.Kind>, _ abilities: Set<Ability> = [], bounds: SourceBounds, limits: [Feed.Kind: String] = [:],
    help: [Feed.Kind: String] = [:], lost: String? = nil, prices: Prices? = nil, rates: RateDialect = .common,
    login: LoginService? = nil, asking make: @escaping Make
  ) {
    self.kinds = kinds
    self.abilities = abilities
    self.bounds = bounds
    self.limits = limits
    self.help = help
    self.lost = lost
    self.prices = prices
    self.rates = rates
    self.login = login
    self.make = { server, caller, transport, time in
      guard let renew = caller.renew, caller.token != nil else { return make(server, caller, transport, time) }
      return RenewingSource(caller.token, renew: renew) { token in
        var caller = caller
        caller.token = token
        return make(server, caller, transport, time)
      }
    }
  }

  init(
    _ kinds: Set<Feed.Kind>, _ abilities: Set<Ability> = [], bounds: SourceBounds, limits: [Feed.Kind: String] = [:],
    help: [Feed.Kind: String] = [:], lost: String? = nil, prices: Prices? = nil, rates: RateDialect = .common,
    login: LoginService? = nil, make: @escaping MakeWithToken
  ) {
    self.init(
      kinds, abilities, bounds: bounds, limits: limits, help: help, lost: lost, prices: prices, rates: rates,
      login: login
    ) { make($0, $1.token, $2, $3) }
  }
}

/// How much an API gives at once.
public struct SourceBounds: Sendable {
  /// The most posts that a page is asked for; nil if the server decides alone.
  public var largestPage: Int?
  /// The most posts in one lookup; nil if posts cannot be looked up again.
  public var mostLookedUp: Int?
  /// How many hashtags an account may request; nil if any number.
  public var hashtags: HashtagLimit?

  /// How many different hashtags an account may request, the same ones any number of times.
  public struct HashtagLimit: Sendable, Hashable {
    /// The number of hashtags.
    public var most: Int
    /// The length of the sliding window.
    public var window: Duration
  }
}

/// How people log in for an API.
public struct LoginService: Sendable {
  /// What people type after `media login SERVER` to log in; empty if nothing follows.
  public let arguments: String
  /// Whether a login is good for this API alone, and must be made for it.
  public let isOfOneAPI: Bool
  /// What `--redirect-uri` stands in for, in the words of its help; nil if no redirect can be chosen.
  public let redirect: String?
  /// Whether apps log in by themselves, without a person.
  public let logsAppsIn: Bool
  /// Whether an app logs in by its key alone.
  public let takesKeysAlone: Bool
  /// Whether a token is exchanged for the next one, without a refresh token.
  public let exchangesTokens: Bool
  /// What people type in place of a page's code; nil if they log in on a page.
  public let password: PasswordLogin?
  /// Whether people may log in by name on a page instead, where they type a password.
  public let hasPage: Bool
  /// Creates the login provider of a server.
  package let provider: @Sendable (AuthServer) -> any LoginProvider

  /// A login with a provider of one's own.
  init<Provider: LoginProvider>(
    _ provider: @escaping @Sendable (AuthServer) -> Provider, arguments: String = "", isOfOneAPI: Bool = false,
    redirect: String? = nil
  ) {
    self.arguments = arguments
    self.isOfOneAPI = isOfOneAPI
    self.redirect = redirect
    self.provider = provider
    (logsAppsIn, exchangesTokens) = (Provider.logsAppsIn, Provider.exchangesTokens)
    password = (Provider.self as? any PasswordLoginProvider.Type)?.wanted
    takesKeysAlone = Provider.takesKeysAlone
    hasPage = Provider.self is any NamedLoginProvider.Type
  }
}
