import JSONReading
import Login
import Posts

// The endpoints of a Mastodon-like server: from RFC 8414 metadata, else Mastodon's paths. Metadata is untrusted: an
// endpoint at another origin is not used, because codes and keys are sent there.

extension Endpoints {
  /// Mastodon's paths, as documented before there was metadata.
  init(defaultsAt server: Server) {
    self.init(
      authorization: "\(server.origin)/oauth/authorize", token: "\(server.origin)/oauth/token",
      revocation: "\(server.origin)/oauth/revoke", registration: "\(server.origin)/api/v1/apps")
  }

  /// The defaults, overridden by the trustworthy parts of a metadata document.
  init(reading metadata: JSONObject, at server: Server) {
    self.init(defaultsAt: server)
    func own(_ name: StaticString) -> String? {
      guard let url = metadata.filled(name), url.utf8.count <= 2048, server.owns(url), !url.contains("#"),
        url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else { return nil }
      return url
    }
    authorization = own("authorization_endpoint") ?? authorization
    token = own("token_endpoint") ?? token
    revocation = own("revocation_endpoint") ?? revocation
    registration = own("app_registration_endpoint") ?? registration
    provesOwner = metadata.texts("code_challenge_methods_supported")?.contains("S256") ?? false
    scopes = metadata.texts("scopes_supported")
  }
}
