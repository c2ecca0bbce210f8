// A server's OAuth endpoints.

/// The one redirect this app registers: the server's own page shows the code.
package enum OutOfBand {
  package static let redirect = "urn:ietf:wg:oauth:2.0:oob"
}

/// A server's OAuth endpoints. Codes and keys are sent there, so a login provider takes none from an untrusted answer.
package struct Endpoints: Equatable, Sendable {
  package var authorization: String
  package var token: String
  /// Where a token is revoked; empty if the server revokes none.
  package var revocation: String
  /// Where an app is registered; empty if the server registers none.
  package var registration: String
  /// Whether the server supports PKCE with S256 (RFC 7636).
  package var provesOwner = false
  /// Every scope the server knows; nil if it does not say.
  package var scopes: [String]?

  /// Endpoints from their addresses.
  package init(authorization: String, token: String, revocation: String = "", registration: String = "") {
    (self.authorization, self.token) = (authorization, token)
    (self.revocation, self.registration) = (revocation, registration)
  }
}
