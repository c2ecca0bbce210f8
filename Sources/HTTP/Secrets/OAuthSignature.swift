/// The keys that sign requests: an app's and, if a person has authorized the app, the person's (RFC 5849, 3.1).
public struct OAuthKeys: Sendable, Hashable {
  /// The app's key.
  public var app: String
  /// The app's secret.
  public var appSecret: Secret
  /// The token of the person or of an unfinished login; nil for the app alone.
  public var token: Secret?
  /// The token's secret, which is never sent.
  public var tokenSecret: Secret?

  /// Creates the keys of an app, and of a person if there is a token.
  public init(app: String, appSecret: Secret, token: Secret? = nil, tokenSecret: Secret? = nil) {
    self.app = app
    self.appSecret = appSecret
    self.token = token
    self.tokenSecret = tokenSecret
  }
}

/// The signature of one request (RFC 5849, 3.4, HMAC-SHA1). It is pure: the caller passes the time and the nonce.
public struct OAuthSignature {
  let keys: OAuthKeys
  /// Seconds since 1970.
  let moment: Int
  /// Unique among the requests of one second.
  let nonce: String

  /// A signature with these keys.
  public init(_ keys: OAuthKeys, moment: Int, nonce: String) {
    self.keys = keys
    self.moment = moment
    self.nonce = nonce
  }

  /// Returns the request with an `Authorization` field that signs it, in place of any token.
  ///
  /// - Parameter more: protocol fields of this request alone (`oauth_callback`, `oauth_verifier`).
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

  /// RFC 5849, 3.4.1.3.2: encodes the fields, then sorts them by name and value.
  private static func normalized(_ fields: [(String, String)]) -> String {
    fields.map { (Request.percentEncoded($0.0), Request.percentEncoded($0.1)) }.sorted { $0 < $1 }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// The fields of the query and, if the body is a form, of the body.
  private static func fields(of request: Request) -> [(String, String)] {
    let isForm = request.headers["Content-Type"] == "application/x-www-form-urlencoded"
    let body = isForm ? request.body.map { String(decoding: $0, as: UTF8.self) } : nil
    return Request.fields(of: request.url) + (body.map { Request.fields(of: "?\($0)") } ?? [])
  }
}

extension Transport {
  /// A transport that signs each request that carries these keys' token, anew for each try. It leaves other requests
  /// unchanged.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - random: unpredictable bytes, as many as asked for.
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
