/// What a scripted origin serves, and its faults: a value, the same for the same seed.
///
/// Tests compare with `posts`; change it by `Origin.change` to add, edit and delete posts.
public struct Script: Sendable {
  /// The form of ids.
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
  /// Number of accounts that write.
  public var accounts = 5
  /// Documents by their paths: feeds, pages.
  public var documents: [String: ScriptedDocument] = [:]
  /// The faults; the first that matches a request applies.
  public var troubles: [Trouble] = []
  /// Whether timelines require a token.
  public var requiresToken = false
  /// The status of a timeline without a token.
  public var refusal = 401
  /// Tokens that are accepted from the start; more come from `/oauth/token`.
  public var tokens: Set<String> = ["scripted-token"]
  /// Apps created in the settings: their keys and secrets.
  public var keys: [String: String] = [:]
  /// Refresh tokens, each for one use.
  public var refreshTokens: Set<String> = []
  /// Whether apps may be registered at all.
  public var oauth = true
  /// Whether `/.well-known/oauth-authorization-server` exists, and with it PKCE.
  public var discovery = true
  /// Whether `/api/v2/instance` exists.
  public var instance = true
  /// Whether one request returns several posts by their ids.
  public var listsStatuses = true
  /// The most ids of such a request; further ones are ignored.
  public var longestList = 20
  /// Whether a timeline carries `Link`.
  public var links = true
  /// Whether `min_id` returns the newest page above the id instead of the one just above it, as Pixelfed does.
  public var minIDGivesNewest = false
  /// The ids of posts that count in a page and are not shown, such as those of people whom the asker has muted.
  public var muted: Set<String> = []
  /// The most posts of a page, whatever is requested.
  public var largestPage = 40
  /// Whether an unused tag is 404 instead of empty.
  public var unknownTagIsMissing = false
  /// Whether the socket is closed after each answer without notice. A request that meets the closing socket is recorded,
  /// and comes again.
  public var hangsUp = false
  /// Whether answers of the API carry `X-RateLimit-*`, and are counted.
  public var rateFields = true
  /// The budget of API requests.
  public var budget = Budget(7500, in: 300)
  /// More requests than this at once are impolite.
  public var mostAtOnce = 24
  /// Whether a request before its Retry-After is a violation; off if the test's clock is simulated.
  public var judgesWaits = true

  /// A script with these posts.
  public init(tag: String = "cats", posts: [ScriptedPost] = [], troubles: [Trouble] = []) {
    self.tag = tag
    self.posts = posts
    self.troubles = troubles
  }

  /// A script with made posts: the newest is number `count - 1`, one minute apart, 0 to 4 pictures each.
  ///
  /// One picture in twelve repeats the bytes of an earlier one; `boosts` makes each twentieth post a repeat of a post that
  /// is not on the timeline; `padding` is added to the length of each picture, in bytes.
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
