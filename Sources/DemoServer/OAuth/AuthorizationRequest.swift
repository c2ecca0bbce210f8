import Web

/// An app's authorization request (RFC 6749 section 4.1.1, RFC 7636 section 4.3).
struct AuthorizationRequest: Sendable, Equatable {
  /// The redirect that means: show the code for the person to paste.
  static let paste = "urn:ietf:wg:oauth:2.0:oob"

  let clientID: String
  let redirect: String
  let scopes: [String]
  let state: String?
  let challenge: String?

  /// Why a request gets no redirect: nothing is sent to an unregistered address.
  enum Fault: Error, Equatable {
    case unknownClient
    case unknownRedirect
    /// An error of the request itself, which is sent to a registered address.
    case reported(String, String)
  }

  init(_ fields: Fields, apps: [String: Registry.App]) throws(Fault) {
    guard let id = fields["client_id"], let app = apps[id] else { throw .unknownClient }
    let redirect = fields["redirect_uri"] ?? app.redirects[0]
    guard app.redirects.contains(redirect) else { throw .unknownRedirect }
    guard fields["response_type"] == "code" else {
      throw .reported("unsupported_response_type", "The authorization server does not support this response type.")
    }
    let scopes = Scopes.list(fields["scope"] ?? "read")
    guard scopes.allSatisfy({ Scopes.cover(app.scopes, $0) }) else {
      throw .reported("invalid_scope", "The requested scope is invalid, unknown, or malformed.")
    }
    guard fields["code_challenge"] == nil || fields["code_challenge_method"] == "S256" else {
      throw .reported("invalid_request", "The code challenge method must be S256.")
    }
    clientID = id
    self.redirect = redirect
    self.scopes = scopes
    state = fields["state"]
    challenge = fields["code_challenge"]
  }

  /// The same request as fields of a form.
  var fields: [(String, String)] {
    var fields = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirect),
      ("scope", scopes.joined(separator: " ")),
    ]
    if let state { fields.append(("state", state)) }
    if let challenge { fields += [("code_challenge", challenge), ("code_challenge_method", "S256")] }
    return fields
  }
}

/// An app's request to exchange its code.
struct CodeClaim: Sendable {
  let clientID: String
  let redirect: String?
  let verifier: String?

  /// True if the claim comes from the app that made `request` (RFC 7636 section 4.6).
  func proves(_ request: AuthorizationRequest) -> Bool {
    guard clientID == request.clientID, redirect == request.redirect else { return false }
    guard let challenge = request.challenge else { return true }
    guard let verifier else { return false }
    return base64URL(sha256(Array(verifier.utf8))) == challenge
  }
}

/// What a token may do (https://docs.joinmastodon.org/api/oauth-scopes/).
enum Scopes {
  static let known = [
    "read", "write", "follow", "push", "profile", "read:accounts", "read:statuses", "read:search", "read:follows",
    "read:filters", "read:lists", "read:notifications", "read:bookmarks", "read:favourites", "read:blocks",
    "read:mutes", "write:statuses", "write:media", "write:accounts", "write:favourites", "write:follows",
  ]

  static func list(_ text: String) -> [String] {
    text.split(whereSeparator: { $0 == " " || $0 == "+" }).map(String.init)
  }

  /// True if one of `granted` is `wanted` or its parent scope.
  static func cover(_ granted: [String], _ wanted: String) -> Bool {
    granted.contains(wanted) || granted.contains(String(wanted.prefix { $0 != ":" }))
  }
}
