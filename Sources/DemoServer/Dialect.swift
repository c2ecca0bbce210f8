import FoundationEssentials

/// A server software whose answers differ from Mastodon's in ways that clients must support.
///
/// Each difference is a property, so that routes never check the name.
public enum Dialect: String, CaseIterable, Sendable {
  case mastodon, takahe, snac, gotosocial
  case misskey
  case bluesky
  case tumblr
  case flickr
  case lemmy, lemmy1, piefed

  /// The API that it speaks.
  public var api: DemoAPI {
    switch self {
    case .bluesky: .bluesky
    case .misskey: .misskey
    case .tumblr: .tumblr
    case .flickr: .flickr
    case .lemmy, .lemmy1, .piefed: .lemmy
    default: .mastodon
    }
  }

  /// The name of its software, in NodeInfo.
  var software: String { self == .lemmy1 ? "lemmy" : rawValue }

  /// The version that the server reports.
  var version: String {
    switch self {
    case .mastodon: "4.4.0"
    case .takahe: "takahe/0.11.0"
    case .snac: "4.0.0 (not true; really snac/2.94)"
    case .gotosocial: "0.20.0"
    case .bluesky: "0.4.0"
    case .misskey: "2026.10.0"
    case .tumblr: "2"
    case .flickr: "1"
    case .lemmy: "0.19.20"
    case .lemmy1: "1.0.0"
    case .piefed: "1.7.0"
    }
  }

  /// Whether the server describes its OAuth endpoints (RFC 8414).
  var describesOAuth: Bool { self != .takahe }

  /// The paths that require `read` itself and reject tokens with `read:accounts` and the like.
  ///
  /// Takahē grants every requested scope, but treats `read:accounts` as less than `read` (`Token.has_scope` in its
  /// `api/models/token.py`).
  var coarseScopePaths: Set<String> {
    guard self == .takahe else { return [] }
    return [
      "/api/v1/accounts/verify_credentials", "/api/v1/accounts/search", "/api/v1/accounts/relationships",
      "/api/v2/search", "/api/v1/search", "/api/v1/apps/verify_credentials",
    ]
  }

  /// The answer to a token that is unknown or revoked.
  var badToken: any APIRefusal {
    switch self {
    case .takahe: Refusal.plainBadToken
    case .misskey: MisskeyRefusal.badToken
    case .tumblr: TumblrRefusal.unauthorized
    case .flickr: FlickrRefusal.badToken
    case .lemmy, .lemmy1, .piefed: lemmyVersion.refusal("incorrect_login", .unauthorized)
    default: Refusal.badToken
    }
  }

  /// Whether timelines carry `Link`.
  var sendsLinks: Bool { self != .snac }

  /// Whether `min_id` returns the newest page above an id, as `since_id` does, instead of the page just above it.
  ///
  /// snac2 stops at the id on its way down (`mastoapi.c`). Takahē reverses the order (`MastodonPaginator` in its
  /// `api/pagination.py`), and GoToSocial pages up as Mastodon does.
  var minIDGivesNewest: Bool { self == .snac }

  /// Whether a search ignores `limit`, `max_id` and `offset`, and always returns the same posts.
  var repeatsSearches: Bool { self == .snac }

  /// Whether one request returns several posts by their ids, as only Mastodon does (4.3 and later).
  var listsStatuses: Bool { self == .mastodon }

  /// Whether an edit gives a post another id. The post keeps its `uri`, and its earlier ids still find it.
  ///
  /// The ids of snac2 begin with the time at which a post's file was written, and it looks posts up by the rest
  /// (`mastoapi_id` and `MID_TO_MD5` in its `mastoapi.c`).
  var renumbersEdits: Bool { self == .snac }

  /// Whether some posts are dated long before those below them, like posts that another server delivered late.
  var bringsLatePosts: Bool { self != .mastodon && api == .mastodon }

  /// How times are written.
  var dates: DateStyle {
    switch self {
    case .mastodon, .takahe: .milliseconds
    case .misskey, .tumblr, .flickr: .milliseconds
    case .snac: .wholeSeconds
    case .gotosocial: .mixed
    case .bluesky: .mixed
    case .lemmy, .lemmy1, .piefed: .mixed
    }
  }

  /// Whether some posts mention a script of which only `<` is escaped, as by `sanitize` in snac2's `format.c`.
  var speaksOfScripts: Bool { self == .snac }

  /// Requests for pictures that a client has in five minutes; nil if they are not counted.
  ///
  /// GoToSocial counts those of its file server separately and allows 300 (`internal/middleware/ratelimit.go`). The demo
  /// allows more, so that newcomers need not wait.
  var pictureLimit: Int? { self == .gotosocial ? 1_500 : nil }
}

/// How a server writes times, each of them valid (RFC 3339).
enum DateStyle: Sendable {
  /// Milliseconds, as Mastodon does.
  case milliseconds
  /// Milliseconds that are always 000.
  case wholeSeconds
  /// Without a fraction, in milliseconds, in microseconds, and with `+00:00`, in turn: no server writes all of these, but a
  /// client of many servers meets each.
  case mixed

  /// The time as text; `number` selects the style.
  func text(_ date: Date, _ number: Int64) -> String {
    let usual = date.wire
    switch self {
    case .milliseconds: return usual
    case .wholeSeconds: return "\(usual.prefix(19)).000Z"
    case .mixed:
      return ["\(usual.prefix(19))Z", usual, "\(usual.dropLast())000Z", "\(usual.dropLast())+00:00"][Int(number & 3)]
    }
  }
}
