import FoundationEssentials

/// What a rate limit applies to: a login, or no login, at one server, for one class of request.
public struct RateKey: Sendable, Hashable {
  /// The classes of request that servers count separately.
  public enum Class: String, Sendable {
    /// Requests of an API.
    case page
    /// Pictures and files.
    case media
  }

  /// The server, with its port if it is not the default port.
  public var host: String
  /// Identifies the login without its token. Empty for requests without a login.
  public var login: String
  /// The class of request.
  public var kind: Class

  /// Creates a key.
  public init(host: String, login: String, kind: Class) {
    self.host = host
    self.login = login
    self.kind = kind
  }
}

/// The requests that a server allows until a time, and how many of them processes can still reserve. All processes share
/// this row of the library.
public struct RateBudget: Sendable, Hashable {
  /// The requests of a whole window, or 100 if the server counts in percent.
  public var quota: Int
  /// Whether the server counts in percent instead of requests.
  public var isShare = false
  /// Requests that no process has reserved.
  public var remaining: Int
  /// Requests that processes have reserved and not reported as finished. The reservation of a killed process lasts until
  /// the window ends.
  public var held = 0
  /// All requests ever reserved. A process compares it to see whether other processes reserved some.
  public var taken = 0
  /// When the window ends, by this machine's clock.
  public var endsAt: Date
  /// The server wants no requests before this time.
  public var closedUntil: Date?
  /// When the first requests after the window's end were sent, until a response reports the next window.
  public var probedAt: Date?

  /// Creates a budget without reservations.
  public init(quota: Int, isShare: Bool = false, remaining: Int, endsAt: Date) {
    self.quota = quota
    self.isShare = isShare
    self.remaining = remaining
    self.endsAt = endsAt
  }
}
