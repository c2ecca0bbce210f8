import Foundation

/// A server software whose answers differ from Mastodon's in ways that a client has to live with.
///
/// Each difference is a property of its own, so that routes ask for the difference and never for the name.
public enum Dialect: String, CaseIterable, Sendable {
  case mastodon, takahe, snac, gotosocial

  /// The version that the server says it has.
  var version: String {
    switch self {
    case .mastodon: "4.4.0"
    case .takahe: "takahe/0.11.0"
    case .snac: "4.0.0 (not true; really snac/2.94)"
    case .gotosocial: "0.20.0"
    }
  }

  /// Whether the server describes its OAuth endpoints (RFC 8414).
  var describesOAuth: Bool { self != .takahe }

  /// The paths that want `read` itself: a token with `read:accounts` and the like is refused there.
  ///
  /// Takahē grants every scope that is asked for, but holds `read:accounts` for less than `read`
  /// (`Token.has_scope` in its `api/models/token.py`).
  var coarseScopePaths: Set<String> {
    guard self == .takahe else { return [] }
    return [
      "/api/v1/accounts/verify_credentials", "/api/v1/accounts/search", "/api/v1/accounts/relationships",
      "/api/v2/search", "/api/v1/search", "/api/v1/apps/verify_credentials",
    ]
  }

  /// The answer to a token that is unknown or revoked.
  var badToken: Refusal { self == .takahe ? .plainBadToken : .badToken }

  /// Whether timelines carry `Link`.
  var sendsLinks: Bool { self != .snac }

  /// Whether `min_id` gives the newest page above an id, as `since_id` does, instead of the page just above it.
  ///
  /// snac2 stops at the id on its way down (`mastoapi.c`). Takahē turns the order round (`MastodonPaginator` in its
  /// `api/pagination.py`), and GoToSocial pages up as Mastodon does.
  var minIDGivesNewest: Bool { self == .snac }

  /// Whether a search takes no notice of `limit`, `max_id` and `offset`, and gives the same posts each time.
  var repeatsSearches: Bool { self == .snac }

  /// Whether several posts are shown at once by their ids, which only Mastodon does (4.3 and later).
  var listsStatuses: Bool { self == .mastodon }

  /// Whether an edit gives a post another id. The post keeps its `uri`, and its earlier ids still lead to it.
  ///
  /// The ids of snac2 begin with the time at which a post's file was written, and it looks posts up by the rest
  /// (`mastoapi_id` and `MID_TO_MD5` in its `mastoapi.c`).
  var renumbersEdits: Bool { self == .snac }

  /// Whether some posts are dated long before those below them, as posts are that another server passed on late.
  var bringsLatePosts: Bool { self != .mastodon }

  /// How times are written.
  var dates: DateStyle {
    switch self {
    case .mastodon, .takahe: .milliseconds
    case .snac: .wholeSeconds
    case .gotosocial: .mixed
    }
  }

  /// Whether some posts speak of a script of which `<` alone is escaped, as `sanitize` in snac2's `format.c` does it.
  var speaksOfScripts: Bool { self == .snac }

  /// How many requests for pictures somebody has in five minutes; nil where nobody counts them.
  ///
  /// GoToSocial counts those of its file server by itself and allows 300 (`internal/middleware/ratelimit.go`). More are
  /// allowed here, so that whoever looks at the demo for the first time does not have to wait.
  var pictureLimit: Int? { self == .gotosocial ? 1_500 : nil }
}

/// How a server writes times, each of them valid (RFC 3339).
enum DateStyle: Sendable {
  /// As Mastodon does.
  case milliseconds
  /// Milliseconds that are always 000.
  case wholeSeconds
  /// Without a fraction, in milliseconds, in microseconds, and with `+00:00`, by turns: no server writes all of these,
  /// and a client of many servers meets each.
  case mixed

  /// The time as it is written; `number` decides whose turn it is.
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
