import FoundationEssentials
import HTTP
import Posts

/// A granted token.
package struct Grant: Equatable, Sendable {
  package var token: Secret
  /// Its scopes; nil if the server does not say.
  package var scopes: [String]?
  /// Its lifetime; nil if the server does not say.
  package var life: TimeInterval?
  package var refreshToken: Secret?
  /// The secrets of a token that signs requests.
  package var tokenSecret: Secret?
  /// Its owner, if the server says.
  package var person: Person?
  /// How long the login lasts, however often its token is renewed; nil if the service does not say.
  package var loginLife: TimeInterval?

  package init(
    token: Secret, scopes: [String]? = nil, life: TimeInterval? = nil, refreshToken: Secret? = nil,
    tokenSecret: Secret? = nil, person: Person? = nil
  ) {
    (self.token, self.scopes, self.life) = (token, scopes, life)
    (self.refreshToken, self.tokenSecret, self.person) = (refreshToken, tokenSecret, person)
  }
}

/// A person's identity at a server.
package struct Person: Equatable, Sendable {
  /// `birds@mastodon.social`, always with a host.
  package var handle: String
  /// The display name.
  package var name: String
  /// The service's own id, if its API requires one.
  package var id: String?

  package init(handle: String, name: String, id: String? = nil) {
    (self.handle, self.name, self.id) = (handle, name, id)
  }

  /// A person of this server alone; nil if it says no name that can be one.
  ///
  /// - Parameter shown: What people are called; nil for the name.
  package init?(named name: String?, shownAs shown: String?, at server: Server) {
    guard let name = ServerText.line(name), !name.contains(" "), !name.contains("@") else { return nil }
    self.init(handle: "\(name)@\(server.host)", name: ServerText.line(shown) ?? name)
  }
}

/// The result of revoking a token.
public enum Revocation: Equatable, Sendable {
  /// The token is no longer valid.
  case revoked
  /// The token may still be valid; the reason as a clause.
  case notRevoked(reason: String)

  /// What the answer to a request says that ends a login. Only a cancelled one throws.
  package init(_ answer: () async throws(LoginError) -> Response) async throws(LoginError) {
    do {
      let response = try await answer()
      self =
        (200..<300).contains(response.status)
        ? .revoked : .notRevoked(reason: "it answers with status \(response.status)")
    } catch {
      if error == .cancelled { throw error }
      self = .notRevoked(reason: error.summary)
    }
  }
}

extension Secret {
  /// A token (RFC 6750, 2.1, read broadly): printable ASCII without white space; nil for anything else.
  ///
  /// It becomes part of a header, where a line break would begin another one, and of the file of accounts, which a
  /// server must not fill.
  package init?(asToken text: String) {
    guard !text.isEmpty, text.utf8.count <= 4096, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    self.init(text)
  }
}
