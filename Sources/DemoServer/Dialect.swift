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
}
