// What a login leaves behind. Values: the file that holds them is `Accounts`' business.

import Foundation
import HTTP
import Posts

/// A login at one server: who, and the token that speaks for them.
public struct Account: Sendable, Hashable, Codable {
  /// The service.
  public var source: SourceName
  /// Where the token is good.
  public var server: Server
  /// `birds@mastodon.social`, always with a host.
  public var handle: String
  /// The name people see; the handle's first part where they gave none.
  public var name: String
  /// Sent to `server`, and to nothing else.
  public var token: Secret
  /// What the token allows, as the server said or, where it did not, as was asked for.
  public var scopes: [String]
  /// When the login was made.
  public var created: Date
  /// When the token ends by itself; nil where it does not, or the server does not say.
  public var expires: Date?
  /// Buys the next token where tokens end (RFC 6749, section 6).
  public var refreshToken: Secret?
  /// The app's key the token was given to; nil for a token that came ready-made, which cannot be revoked from here.
  public var clientID: String?
  /// The app's secret.
  public var clientSecret: Secret?
  /// The API it was made for, where that is not the service's usual one.
  public var api: String?
  /// The service's own id of the account, where its API asks for one.
  public var remoteID: String?
  /// What belongs to a token that signs requests and is never sent (RFC 5849); nil where the token itself is sent.
  public var tokenSecret: Secret?
  /// When the token was last renewed; nil where it is the one of the login.
  public var renewed: Date?

  /// An account from its parts.
  public init(
    source: SourceName = .mastodon,
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
    tokenSecret: Secret? = nil
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
  }

  enum CodingKeys: String, CodingKey {
    case source, server, handle, name, token, scopes, created, expires, api, renewed
    case remoteID = "remote_id"
    case tokenSecret = "token_secret"
    case refreshToken = "refresh_token"
    case clientID = "client_id"
    case clientSecret = "client_secret"
  }

  /// What its requests are signed with; nil where its token is sent.
  public var signingKeys: OAuthKeys? {
    guard let clientID, let clientSecret, let tokenSecret else { return nil }
    return OAuthKeys(app: clientID, appSecret: clientSecret, token: token, tokenSecret: tokenSecret)
  }

  /// Whether both are the same person's login at the same place.
  func isSameLogin(as other: Account) -> Bool {
    source == other.source && server == other.server && handle.lowercased() == other.handle.lowercased()
  }
}

/// The keys of the app at a server: one registration an install, used again at the next login there.
///
/// Servers may hand the same token to every login of one app and person, so two machines that shared an app would log
/// each other out.
public struct AppRegistration: Sendable, Hashable, Codable {
  /// The service.
  public var source: SourceName
  /// Where the app is registered.
  public var server: Server
  /// The public half.
  public var clientID: String
  /// The secret half.
  public var clientSecret: Secret
  /// What the app may ask for.
  public var scopes: [String]
  /// Whether a person made it in the server's settings; it is never replaced by a registration of our own.
  public var madeByHand: Bool
  /// The API it is for, where that is not the service's usual one.
  public var api: String?
  /// Where the page on which the person agrees leads, where the server shows no code.
  public var redirect: String?

  /// A registration from its parts.
  public init(
    source: SourceName = .mastodon,
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

/// A login that was begun and waits for its code.
struct PendingLogin: Sendable, Hashable, Codable {
  /// The app it was begun with.
  var app: AppRegistration
  /// The address of the page on which the person agrees.
  var page: String
  /// Where the code is traded.
  var tokenEndpoint: String
  /// Comes back beside the code where the server sends it; another one belongs to another login.
  var state: Secret
  /// The secret behind the challenge (RFC 7636), where the server takes one; that of the token for the page, which
  /// `state` is then, where requests are signed (RFC 5849).
  var verifier: Secret?
  /// When it was begun.
  var created: Date
  /// Whether it was begun again because the server had forgotten the app; a second time is an error.
  var again: Bool

  /// How long a begun login is kept. Codes live a minute to ten; people look for their password for longer.
  static let life: TimeInterval = 3600

  enum CodingKeys: String, CodingKey {
    case app, page, state, verifier, created, again
    case tokenEndpoint = "token_endpoint"
  }
}
