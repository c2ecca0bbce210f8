import FoundationEssentials
import HTTP
import Machine

/// The signature of a request to an S3 service, version 4. It is pure: the caller passes the time
/// (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html).
struct SignatureV4 {
  let credentials: S3Credentials
  let region: String
  /// The time in the service's clock.
  let date: Date

  /// The hash of a body that the signature leaves open.
  static let unsigned = "UNSIGNED-PAYLOAD"
  /// The hash of no body.
  static let empty = hex(Digest.sha256([]))

  /// What is signed of a request.
  struct Subject {
    var method: String
    var host: String
    /// Percent-encoded.
    var path: String
    var query: [(String, String)] = []
    /// Fields besides `Host`.
    var fields: [(String, String)] = []
  }

  /// `YYYYMMDDTHHMMSSZ`.
  var time: String { String(UTC.text(date).prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z" }

  /// Returns the fields that a request needs in addition to its own.
  ///
  /// - Parameter body: The SHA-256 of the body in hexadecimal digits.
  func fields(for subject: Subject, body: String) -> [(String, String)] {
    var own = [("x-amz-content-sha256", body), ("x-amz-date", time)]
    if let token = credentials.sessionToken { own.append(("x-amz-security-token", token.reveal())) }
    var signed = subject
    signed.fields += own
    let (text, names) = canonical(signed, body: body)
    let authorization =
      "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature(of: text))"
    return own + [("Authorization", authorization)]
  }

  /// Returns the query of an address that anybody may use until it expires.
  ///
  /// - Parameter seconds: For how long, from `date` on.
  func query(for subject: Subject, expiringAfter seconds: Int) -> String {
    var signed = subject
    signed.query += [
      ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope)"),
      ("X-Amz-Date", time), ("X-Amz-Expires", String(seconds)), ("X-Amz-SignedHeaders", "host"),
    ]
    if let token = credentials.sessionToken { signed.query.append(("X-Amz-Security-Token", token.reveal())) }
    let text = canonical(signed, body: Self.unsigned).text
    return "\(Self.canonical(signed.query))&X-Amz-Signature=\(signature(of: text))"
  }

  /// A query as it is signed and sent: encoded, then sorted.
  static func canonical(_ query: [(String, String)]) -> String {
    query.map { (Request.percentEncoded($0.0), Request.percentEncoded($0.1)) }.sorted { $0 < $1 }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// A key as a path: each part is encoded once.
  static func path(_ key: String) -> String {
    key.split(separator: "/", omittingEmptySubsequences: false).map { Request.percentEncoded(String($0)) }
      .joined(separator: "/")
  }

  private var scope: String { "\(time.prefix(8))/\(region)/s3/aws4_request" }

  private func canonical(_ subject: Subject, body: String) -> (text: String, names: String) {
    let fields = (subject.fields + [("host", subject.host)]).map { ($0.0.lowercased(), Self.squeezed($0.1)) }
      .sorted { $0.0 < $1.0 }
    let names = fields.map(\.0).joined(separator: ";")
    let lines =
      [subject.method, subject.path, Self.canonical(subject.query)] + fields.map { "\($0.0):\($0.1)" } + [
        "", names, body,
      ]
    return (lines.joined(separator: "\n"), names)
  }

  /// White space at the ends does not count, and several spaces count as one.
  private static func squeezed(_ value: String) -> String { value.split(separator: " ").joined(separator: " ") }

  private func signature(of text: String) -> String {
    let lines = ["AWS4-HMAC-SHA256", time, scope, Self.hex(Digest.sha256(text.utf8))]
    var key = Array("AWS4\(credentials.secretKey.reveal())".utf8)
    for part in [String(time.prefix(8)), region, "s3", "aws4_request"] {
      key = Digest.hmacSHA256(Array(part.utf8), key: key)
    }
    return Self.hex(Digest.hmacSHA256(Array(lines.joined(separator: "\n").utf8), key: key))
  }

  /// Lower-case hexadecimal digits.
  static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension S3Configuration {
  /// A signed request to any path of the service, such as one that makes a bucket.
  ///
  /// - Parameters:
  ///   - path: The path, percent-encoded, without a query.
  ///   - now: The time.
  /// - Returns: The request; nothing is sent.
  package func signed(_ method: Request.Method, _ path: String, body: [UInt8] = [], now: Date) -> Request {
    let endpoint = endpoint ?? .amazon(region)
    var request = Request(method, "\(endpoint.scheme)://\(endpoint.authority)\(endpoint.path)\(path)", body: body)
    let subject = SignatureV4.Subject(method: method.rawValue, host: endpoint.authority, path: endpoint.path + path)
    let signature = SignatureV4(credentials: credentials, region: region, date: now)
    let hash = SignatureV4.hex(Digest.sha256(body))
    for (name, value) in signature.fields(for: subject, body: hash) { request.headers[name] = value }
    return request
  }
}
