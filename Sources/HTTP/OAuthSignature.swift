/// Who signs requests: an app and, where a person has let it, the person (RFC 5849, 3.1).
public struct OAuthKeys: Sendable, Hashable {
  /// The app's key.
  public var app: String
  /// The app's secret.
  public var appSecret: Secret
  /// The token of the person, or of a login under way; nil for the app alone.
  public var token: Secret?
  /// What belongs to the token and is never sent.
  public var tokenSecret: Secret?

  /// Keys from their parts.
  public init(app: String, appSecret: Secret, token: Secret? = nil, tokenSecret: Secret? = nil) {
    self.app = app
    self.appSecret = appSecret
    self.token = token
    self.tokenSecret = tokenSecret
  }
}

/// The signature of one request (RFC 5849, 3.4, HMAC-SHA1): pure, the moment and the nonce are handed in.
public struct OAuthSignature {
  let keys: OAuthKeys
  /// Seconds from 1970.
  let moment: Int
  /// Never the same for two requests of a moment.
  let nonce: String

  /// A signature to be made with these keys.
  public init(_ keys: OAuthKeys, moment: Int, nonce: String) {
    self.keys = keys
    self.moment = moment
    self.nonce = nonce
  }

  /// The request with the field that signs it, in place of any token. `more` are fields of the protocol that belong to
  /// this request alone (`oauth_callback`, `oauth_verifier`).
  public func signing(_ request: Request, _ more: [(String, String)] = []) -> Request {
    var signed = request
    var fields =
      [
        ("oauth_consumer_key", keys.app), ("oauth_nonce", nonce), ("oauth_signature_method", "HMAC-SHA1"),
        ("oauth_timestamp", String(moment)), ("oauth_version", "1.0"),
      ] + more
    if let token = keys.token { fields.append(("oauth_token", token.reveal())) }
    fields.append(("oauth_signature", text(request, fields)))
    let parts = fields.map { "\(Request.percentEncoded($0.0))=\"\(Request.percentEncoded($0.1))\"" }.sorted()
    signed.token = nil
    signed.headers["Authorization"] = "OAuth \(parts.joined(separator: ", "))"
    return signed
  }

  /// The signature in base64.
  func text(_ request: Request, _ fields: [(String, String)]) -> String {
    let address = request.url.prefix { $0 != "?" && $0 != "#" }
    let base = [request.method.rawValue, String(address), Self.normalized(fields + Self.fields(of: request))]
      .map(Request.percentEncoded).joined(separator: "&")
    let key = [keys.appSecret, keys.tokenSecret ?? Secret("")].map { Request.percentEncoded($0.reveal()) }
    return Digest.base64(Digest.hmacSHA1(Array(base.utf8), key: Array(key.joined(separator: "&").utf8)))
  }

  /// RFC 5849, 3.4.1.3.2: encoded, then sorted by name and value.
  private static func normalized(_ fields: [(String, String)]) -> String {
    fields.map { (Request.percentEncoded($0.0), Request.percentEncoded($0.1)) }.sorted { $0 < $1 }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// The fields of the query and, of a form, those of the body.
  private static func fields(of request: Request) -> [(String, String)] {
    let isForm = request.headers["Content-Type"] == "application/x-www-form-urlencoded"
    let body = isForm ? request.body.map { String(decoding: $0, as: UTF8.self) } : nil
    return Request.fields(of: request.url) + (body.map { Request.fields(of: "?\($0)") } ?? [])
  }
}

extension Transport {
  /// A transport that signs whatever is asked in the name of these keys' token, each try anew, and leaves the rest as it
  /// is. `now` is in seconds from 1970.
  public func signed(
    with keys: OAuthKeys, now: @escaping @Sendable () -> Int, random: @escaping @Sendable (Int) -> [UInt8]
  ) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        guard request.token == keys.token else { return try await self.send(request) }
        let signature = OAuthSignature(keys, moment: now(), nonce: base64URL(random(24)))
        return try await self.send(signature.signing(request))
      }, download: download)
  }
}
