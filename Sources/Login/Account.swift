// Values that a login leaves. `Accounts` manages the file that holds them.

import FoundationEssentials
import HTTP
import Posts

/// A login at one server: the person and their token.
public struct Account: Sendable, Hashable, Codable {
  /// The service.
  public var source: SourceName
  /// The server that accepts the token.
  public var server: Server
  /// `birds@mastodon.social`, always with a host.
  public var handle: String
  /// The display name, or the handle's first part if there is none.
  public var name: String
  /// The token. It is sent only to `server`.
  public var token: Secret
  /// What the token allows, as the server said, else as requested.
  public var scopes: [String]
  /// When the person logged in.
  public var created: Date
  /// When the token expires; nil if it does not, or the server does not say.
  public var expires: Date?
  /// The refresh token, if tokens expire (RFC 6749, section 6).
  public var refreshToken: Secret?
  /// The key of the app that received the token; nil for a ready-made token, which cannot be revoked from here.
  public var clientID: String?
  /// The app's secret.
  public var clientSecret: Secret?
  /// The API of the login, if it is not the service's usual one.
  public var api: String?
  /// The service's own id of the account, if its API requires one.
  public var remoteID: String?
  /// The secrets of a token that signs requests and is never sent (RFC 5849); nil if the token itself is sent.
  public var tokenSecret: Secret?
  /// When the token was last renewed; nil if it is the login's first.
  public var renewed: Date?
  /// When the login ends, however often its token is renewed; nil if it does not, or the service does not say.
  public var ends: Date?
  /// The key to which its tokens are bound; nil if whoever has a token may use it.
  public var binding: TokenBinding?

  /// Creates an account.
  public init(
    source: SourceName = .usual,
    server: Server,
    handle: String,
    name: String,
    token: Secret,
    scopes: [String],
    created: Date,
    expires: Date? = nil,
    refreshToken: Secret? = nil,
    clientID: String? = nil,
    clientSecret: Secret? = nil,
    api: String? = nil,
    remoteID: String? = nil,
    tokenSecret: Secret? = nil,
    ends: Date? = nil,
    binding: TokenBinding? = nil
  ) {
    self.source = source
    self.server = server
    self.handle = handle
    self.name = name
    self.token = token
    self.scopes = scopes
    self.created = created
    self.expires = expires
    self.refreshToken = refreshToken
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.api = api
    self.remoteID = remoteID
    self.tokenSecret = tokenSecret
    self.ends = ends
    self.binding = binding
  }

  enum CodingKeys: String, CodingKey {
    case source, server, handle, name, token, scopes, created, expires, api, renewed, ends, binding
    case remoteID = "remote_id"
    case tokenSecret = "token_secret"
    case refreshToken = "refresh_token"
    case clientID = "client_id"
    case clientSecret = "client_secret"
  }

  /// The keys that sign its requests; nil if its token is sent.
  public var signingKeys: OAuthKeys? {
    guard let clientID, let clientSecret, let tokenSecret else { return nil }
    return OAuthKeys(app: clientID, appSecret: clientSecret, token: token, tokenSecret: tokenSecret)
  }

  /// When the person must log in again at the latest: when the login ends, else when its token does.
  public var end: Date? { ends ?? expires }

  /// Whether both are the same person's login at the same server.
  func isSameLogin(as other: Account) -> Bool {
    source == other.source && server == other.server && handle.lowercased() == other.handle.lowercased()
  }
}

/// The app's keys at a server: one registration for each installation, reused at the next login there.
///
/// Servers may return the same token for every login of one app and person, so two machines that shared an app would
/// log each other out.
public struct AppRegistration: Sendable, Hashable, Codable {
  /// The service.
  public var source: SourceName
  /// The server at which the app is registered.
  public var server: Server
  /// The public key.
  public var clientID: String
  /// The secret key.
  public var clientSecret: Secret
  /// The scopes that the app may request.
  public var scopes: [String]
  /// Whether a person made it in the server's settings. It is never replaced by a registration of ours.
  public var madeByHand: Bool
  /// The API, if it is not the service's usual one.
  public var api: String?
  /// The redirect of the authorization page, if the server shows no code; empty for the only one of the app's settings.
  public var redirect: String?

  /// Creates a registration.
  public init(
    source: SourceName = .usual,
    server: Server,
    clientID: String,
    clientSecret: Secret,
    scopes: [String],
    madeByHand: Bool = false,
    api: String? = nil,
    redirect: String? = nil
  ) {
    self.source = source
    self.server = server
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.scopes = scopes
    self.madeByHand = madeByHand
    self.api = api
    self.redirect = redirect
  }

  enum CodingKeys: String, CodingKey {
    case source, server, scopes, api, redirect
    case clientID = "client_id"
    case clientSecret = "client_secret"
    case madeByHand = "made_by_hand"
  }
}

/// A started login that waits for its code.
package struct PendingLogin: Sendable, Hashable, Codable {
  /// The app that started it.
  package var app: AppRegistration
  /// The address of the authorization page.
  package var page: String
  /// The address at which the code is exchanged.
  package var tokenEndpoint: String
  /// The server returns it with the code if it can. A different value belongs to another login.
  package var state: Secret
  /// The PKCE secret (RFC 7636), if the server supports it. If requests are signed (RFC 5849), the secret of the
  /// temporary token, which is then in `state`.
  package var verifier: Secret?
  /// When it started.
  package var created: Date
  /// Whether it was restarted because the server had forgotten the app. A second time is an error.
  package var again: Bool
  /// What the provider prepared for a login whose request went to the server before its page; nil for others.
  package var pushed: PushedLogin?

  /// How long a started login is kept. Codes live one to ten minutes, but people need longer to find their password.
  static let life: TimeInterval = 3600

  enum CodingKeys: String, CodingKey {
    case app, page, state, verifier, created, again, pushed
    case tokenEndpoint = "token_endpoint"
  }
}
