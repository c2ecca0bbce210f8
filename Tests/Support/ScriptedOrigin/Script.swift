/// What a scripted origin serves and what goes wrong with it: a value, the same for the same seed.
///
/// `posts` is the truth a test compares with; change it by `Origin.change` to let posts arrive, change and go.
public struct Script: Sendable {
  /// How ids look.
  public enum IDs: Sendable {
    /// Digits, growing with time.
    case numbers
    /// Letters and digits that sort by time, as ULIDs do.
    case letters
  }

  /// The tag every made post carries.
  public var tag: String
  /// The posts, newest first.
  public var posts: [ScriptedPost]
  /// How many accounts write.
  public var accounts = 5
  /// Documents by their paths: feeds, pages.
  public var documents: [String: ScriptedDocument] = [:]
  /// What goes wrong; the first that matches a request meets it.
  public var troubles: [Trouble] = []
  /// Whether timelines want a token.
  public var requiresToken = false
  /// The status of a timeline refused for want of a token.
  public var refusal = 401
  /// Tokens that are accepted from the start; more come from `/oauth/token`.
  public var tokens: Set<String> = ["scripted-token"]
  /// Apps that a person made in the settings: their keys and secrets.
  public var keys: [String: String] = [:]
  /// Tokens that buy another one, each of them once.
  public var refreshTokens: Set<String> = []
  /// Whether apps may be registered at all.
  public var oauth = true
  /// Whether `/.well-known/oauth-authorization-server` is there, and with it PKCE.
  public var discovery = true
  /// Whether `/api/v2/instance` is there.
  public var instance = true
  /// Whether several posts are shown at once by their ids.
  public var listsStatuses = true
  /// Of so many of them, the first that are asked for.
  public var longestList = 20
  /// Whether a timeline carries `Link`.
  public var links = true
  /// Whether `min_id` gives the newest page above the id instead of the one just above it, as Pixelfed does.
  public var minIDGivesNewest = false
  /// The most posts of a page, whatever is asked for.
  public var largestPage = 40
  /// Whether a tag nobody used is 404 rather than empty.
  public var unknownTagIsMissing = false
  /// Whether the socket is closed after each answer, without saying so. A request that meets the closing socket is
  /// recorded, and comes again.
  public var hangsUp = false
  /// Whether answers of the API carry `X-RateLimit-*`, and are counted.
  public var rateFields = true
  /// How many of them there are to be had.
  public var budget = Budget(7500, in: 300)
  /// More requests than this at once are impolite.
  public var mostAtOnce = 24
  /// Whether a request before its Retry-After is held against the client; off where the test's clock is made up.
  public var judgesWaits = true

  /// A script with these posts.
  public init(tag: String = "cats", posts: [ScriptedPost] = [], troubles: [Trouble] = []) {
    self.tag = tag
    self.posts = posts
    self.troubles = troubles
  }

  /// A script with made posts: the newest is number `count - 1`, one minute apart, 0 to 4 pictures each.
  ///
  /// One picture in twelve repeats the bytes of an earlier one; `boosts` makes each twentieth post a repeat of
  /// a post that is not on the timeline; `padding` makes each picture so many bytes longer.
  public init(
    posts count: Int, tag: String = "cats", seed: UInt64 = 1, ids: IDs = .numbers, boosts: Bool = false,
    padding: Int = 0, troubles: [Trouble] = []
  ) {
    self.init(tag: tag, troubles: troubles)
    var writer = PostWriter(tag: tag, seed: seed, ids: ids, boosts: boosts, padding: padding)
    posts = (0..<count).map { writer.post($0) }.reversed()
  }

  /// SHA-256 of every picture its posts show, each once.
  public var pictureHashes: Set<String> { Set(posts.flatMap(\.pictureHashes)) }
}
