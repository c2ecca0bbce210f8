import HTTP
import Login
import Posts

/// The login with which a source sends requests, and what it may store between two pulls.
public struct Caller: Sendable {
  /// The token of a login at the server; nil without a login.
  public var token: Secret?
  /// The service's own id of that login, if its API requires one beside the token.
  public var user: String?
  /// The API for which that login was made, if it is good for that alone.
  public var api: String?
  /// The only server that takes the token; nil for that of the feed.
  public var home: Server?
  /// Stored hashtag ids; nil if nothing is stored.
  public var hashtags: (any HashtagBudgetStore)?
  /// Returns the login's token of that moment, once the server no longer takes `token`; nil if there is no other.
  public var renew: (@Sendable () async -> Secret?)?

  /// Creates a caller, by default without a login.
  public init(
    token: Secret? = nil, user: String? = nil, hashtags: (any HashtagBudgetStore)? = nil,
    renew: (@Sendable () async -> Secret?)? = nil
  ) {
    self.token = token
    self.user = user
    self.hashtags = hashtags
    self.renew = renew
  }
}

extension Caller {
  /// Creates the caller of a login; nil for none.
  public init(
    of account: Account?, hashtags: (any HashtagBudgetStore)? = nil, renew: (@Sendable () async -> Secret?)? = nil
  ) {
    self.init(token: account?.token, user: account?.remoteID, hashtags: hashtags, renew: renew)
    api = account?.api
    home = account?.binding?.home
  }
}

/// Stores hashtag ids for servers that give hashtags ids and limit how many an account may request.
public protocol HashtagBudgetStore: Sendable {
  /// Records that an account is about to request a hashtag from a server.
  ///
  /// - Returns: The hashtag's id, or nil if it is not known yet.
  /// - Throws: `.tagsSpent` if the account may request no other hashtag.
  func ask(for name: String, as account: String, at server: Server) async throws(SourceError) -> String?

  /// Stores the id of a hashtag at a server.
  func keep(_ id: String, of name: String, at server: Server) async throws(SourceError)
}
