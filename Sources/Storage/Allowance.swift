import Foundation

/// Whom a limit is counted for: one login, or nobody, at one server, for one class of request.
public struct RateKey: Sendable, Hashable {
  /// What servers count apart.
  public enum Class: String, Sendable {
    /// Requests of an API.
    case page
    /// Pictures and files.
    case media
  }

  /// The server, with its port where that is not the usual one.
  public var host: String
  /// What tells a login from others and is not its token; empty for nobody.
  public var login: String
  /// What is asked for.
  public var kind: Class

  /// A key from its parts.
  public init(host: String, login: String, kind: Class) {
    self.host = host
    self.login = login
    self.kind = kind
  }
}

/// What a server allows until a time, and how much of it is there for processes to take: a row of the library that all
/// of them share.
public struct Allowance: Sendable, Hashable {
  /// Requests of a whole window; 100 where the server counts per cents.
  public var quota: Int
  /// Whether the server counts per cents and not requests.
  public var isShare = false
  /// Requests that nobody has taken yet.
  public var remaining: Int
  /// Requests that processes have taken and not told the end of. What a killed process held stays held until the window
  /// ends.
  public var held = 0
  /// Requests ever taken: by it a process sees whether others took some.
  public var taken = 0
  /// When the window ends, by this machine's clock.
  public var endsAt: Date
  /// Until when the server wants to be left alone.
  public var closedUntil: Date?
  /// When the first requests after the window's end went out, as long as no answer tells the next one.
  public var probedAt: Date?

  /// An allowance of which nothing is taken.
  public init(quota: Int, isShare: Bool = false, remaining: Int, endsAt: Date) {
    self.quota = quota
    self.isShare = isShare
    self.remaining = remaining
    self.endsAt = endsAt
  }
}
