import JSONReading
import Login
import Posts

/// A server that logs people in, as its metadata describes it (https://atproto.com/specs/oauth#authorization-servers).
struct BlueskyAuthorizationServer {
  let issuer: Server
  let authorization: String
  let token: String
  /// Where a request goes before its page (RFC 9126).
  let pushed: String
  /// Where a token is revoked (RFC 7009); empty if nowhere.
  let revocation: String

  /// What the profile demands of a list of the metadata.
  private static let demanded: [(list: StaticString, word: String)] = [
    ("response_types_supported", "code"), ("grant_types_supported", "authorization_code"),
    ("grant_types_supported", "refresh_token"), ("code_challenge_methods_supported", "S256"),
    ("token_endpoint_auth_methods_supported", "none"), ("scopes_supported", "atproto"),
    ("dpop_signing_alg_values_supported", "ES256"),
  ]
  private static let flags: [StaticString] = [
    "authorization_response_iss_parameter_supported", "require_pushed_authorization_requests",
    "client_id_metadata_document_supported",
  ]

  /// Reads untrusted metadata (RFC 8414), which must be that of the server at which it was found.
  ///
  /// All addresses must be at that server: keys and codes are sent there.
  init(_ metadata: JSONObject, of issuer: Server) throws(LoginError) {
    guard metadata.string("issuer") == issuer.origin else {
      throw .noPage(issuer, why: "its metadata is that of another server")
    }
    let missing = Self.demanded.first { list, word in metadata.texts(list)?.contains(word) != true }
    if let missing { throw .noPage(issuer, why: "its metadata does not name \(missing.word)") }
    if let flag = Self.flags.first(where: { metadata.bool($0) != true }) {
      throw .noPage(issuer, why: "its metadata does not say \(flag)")
    }
    let address = { (name: StaticString) in
      Bounds.webAddress(metadata.string(name)).flatMap { issuer.owns($0) ? $0 : nil }
    }
    guard let authorization = address("authorization_endpoint"), let token = address("token_endpoint"),
      let pushed = address("pushed_authorization_request_endpoint")
    else { throw .noPage(issuer, why: "its metadata names addresses elsewhere, or none") }
    (self.issuer, self.authorization, self.token, self.pushed) = (issuer, authorization, token, pushed)
    revocation = address("revocation_endpoint") ?? ""
  }
}
