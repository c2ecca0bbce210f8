import HTTP
import Posts

/// In whose name a source asks, and what it may keep for them between two pulls.
public struct Caller: Sendable {
  /// The token of a login at the server; nil for nobody's.
  public var token: Secret?
  /// The service's own id of that login, where its API wants one beside the token.
  public var user: String?
  /// What is known of hashtags; nil where nothing is kept.
  public var hashtags: (any HashtagBook)?

  /// A caller from its parts; nobody unless said otherwise.
  public init(token: Secret? = nil, user: String? = nil, hashtags: (any HashtagBook)? = nil) {
    self.token = token
    self.user = user
    self.hashtags = hashtags
  }
}

/// What is kept of hashtags, where a server gives them ids and lets an account ask for a few of them only.
public protocol HashtagBook: Sendable {
  /// Notes that an account is about to ask a server for a hashtag, and hands back its id, nil where nobody knows it yet.
  /// `.tagsSpent` where the account may ask for no other.
  func ask(for name: String, as account: String, at server: Server) async throws(SourceError) -> String?

  /// Keeps the id of a hashtag at a server.
  func keep(_ id: String, of name: String, at server: Server) async throws(SourceError)
}
