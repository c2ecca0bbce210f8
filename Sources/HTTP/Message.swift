import Machine

/// A text that must not be shown: a token, a client secret, a code.
///
/// Printing, interpolating, dumping or logging it gives `<secret>`. Only `reveal()` returns the text.
public struct Secret: Hashable, Sendable, Codable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let text: String

  /// Wraps a secret.
  public init(_ text: String) { self.text = text }
  /// Reads a secret from a protected file.
  public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
  /// Writes a secret to a protected file.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// The secret itself, for a request's header or body and for nothing else.
  public func reveal() -> String { text }
  /// `<secret>`.
  public var description: String { "<secret>" }
  /// `<secret>`.
  public var debugDescription: String { "<secret>" }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Header fields in their order. Names compare case-insensitively (RFC 9110, 5.1).
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
  /// Name and value, as sent.
  public var fields: [(name: String, value: String)]

  /// No fields.
  public init() { fields = [] }
  /// Fields in order.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { (name: $0.0, value: $0.1) }
  }

  /// The value of the first field of that name. Setting it replaces all fields of that name.
  public subscript(name: String) -> String? {
    get { fields.first { Self.isSame($0.name, name) }?.value }
    set {
      fields.removeAll { Self.isSame($0.name, name) }
      if let newValue { fields.append((name: name, value: newValue)) }
    }
  }

  /// The values of all fields of that name, in order.
  public func all(_ name: String) -> [String] {
    fields.filter { Self.isSame($0.name, name) }.map(\.value)
  }

  /// Names are ASCII and case-insensitive (RFC 9110, 5.1). Compares bytes for speed: the program looks up some twenty
  /// fields in every answer.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

/// A request to a server.
public struct Request: Sendable {
  /// The methods in use.
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// The most redirects that a request follows, as in browsers (https://fetch.spec.whatwg.org/#http-redirect-fetch).
  public static let mostRedirects = 20

  /// Which redirects are followed. Only GET requests are redirected.
  public enum Redirects: Sendable {
    /// To the same scheme, host and port: for requests that carry a token.
    case sameOrigin
    /// To any http or https URL, but not from https to http: for pictures. Credentials are never sent along.
    case anywhere
    /// None: the redirect itself is the answer. `isUserChosen` says that a person chose the URL. Only then may the login
    /// come from `.netrc`.
    case nowhere(isUserChosen: Bool)
  }

  /// The method.
  public var method: Method
  /// An absolute http or https URL.
  public var url: String
  /// Fields in addition to those that the transport sets (User-Agent, Accept-Encoding).
  public var headers: Headers
  /// The token. It is sent only to the URL's origin, in the way that `tokenPlacement` says.
  public var token: Secret?
  /// Where the token goes. The default is `Authorization: Bearer …`.
  public var tokenPlacement = TokenPlacement.bearer
  /// The body of a POST or PUT.
  public var body: [UInt8]?
  /// Whether it is never sent again: its answer is not worth a wait.
  public var isTriedOnce = false
  /// Whether a POST is safe (RFC 9110, 9.2.1): it only reads, so it may be sent again, as a GET may.
  public var isSafePost = false
  /// The body of a PUT that is too long for memory. It goes before `body`.
  public var upload: Upload?
  /// The maximum size of the body in bytes, after decompression. A longer body fails with `TransportError.tooLarge`.
  public var limit: Int
  /// The maximum time to connect, and the maximum time between bytes.
  public var patience: Duration
  /// The maximum duration of a `send`, including redirects, from when it leaves the queue. A longer one fails with
  /// `TransportError.timedOut`. A download may take any time while it keeps the session's pace.
  public var time: Duration
  /// The maximum duration of a download, counted in the same way. nil if only its pace counts.
  public var downloadTime: Duration?
  /// Called when the request leaves the queue, which may be long after it was sent. If it returns false, the request
  /// ends as cancelled.
  public var isStillWanted: @Sendable () -> Bool = { true }
  /// Whether a download may come in one layer of gzip or br, which was not asked for. It is taken off.
  public var decodesDownload = false
  /// Which redirects are followed.
  public var redirects: Redirects
  /// The origin of the server that named this URL; nil if a person did. Unless that server itself lies in a private
  /// network, the request must not enter one. The address of the actual connection decides, at each hop.
  public var referrer: String?

  /// A request. The defaults are 32 MB, 30 seconds of silence, and two minutes in total.
  public init(
    _ method: Method = .get, _ url: String, headers: Headers = [:], token: Secret? = nil, body: [UInt8]? = nil,
    limit: Int = 32 << 20, patience: Duration = .seconds(30), time: Duration = .seconds(120),
    redirects: Redirects = .sameOrigin
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.token = token
    self.body = body
    self.limit = limit
    self.patience = patience
    self.time = time
    self.redirects = redirects
  }

  /// Whether the request may be sent again although the server may have read it (RFC 9110, 9.2.2).
  var mayBeRepeated: Bool { method != .post || isSafePost }

  /// A POST request with form fields (`application/x-www-form-urlencoded`).
  public static func form(_ url: String, _ fields: [(String, String)], token: Secret? = nil) -> Request {
    let body = fields.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
    return Request(
      .post, url, headers: ["Content-Type": "application/x-www-form-urlencoded"], token: token, body: Array(body.utf8))
  }

  /// Returns the URL with query fields added. Each is percent-encoded; unreserved characters stay (RFC 3986).
  public static func address(_ base: String, _ query: [(String, String)]) -> String {
    guard !query.isEmpty else { return base }
    return base + (base.contains("?") ? "&" : "?")
      + query.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
  }

  /// Returns the text in UTF-8, with every byte as `%XX` except unreserved characters.
  public static func percentEncoded(_ text: String) -> String { text.percentEncoded() }
}

/// A body that is read while it is sent. The transport's thread reads it, so reading must not wait for a network.
public struct Upload: Sendable {
  /// The number of its bytes.
  public let byteCount: Int
  /// Returns the bytes from an offset on, as many as asked for unless the body ends before; nil if they cannot be read.
  public let read: @Sendable (_ offset: Int, _ count: Int) -> [UInt8]?

  /// Creates a body of `byteCount` bytes that are read on demand.
  public init(byteCount: Int, read: @escaping @Sendable (_ offset: Int, _ count: Int) -> [UInt8]?) {
    (self.byteCount, self.read) = (byteCount, read)
  }
}

/// A server's answer, whatever its status.
public struct Response: Sendable {
  /// The status code.
  public var status: Int
  /// The header fields of the last answer, after redirects.
  public var headers: Headers
  /// The body; empty if it went to a sink.
  public var body: [UInt8]
  /// The URL of the last answer, after redirects.
  public var url: String
  /// Whether the request may have carried a login from `.netrc`, or cookies of a person's browser.
  public var hasLogin = false
  /// Whether a layer of compression was taken off a download. Its length was announced for what came.
  public var isDecoded = false

  /// Creates an answer; by default without headers and body.
  public init(status: Int, headers: Headers = [:], body: [UInt8] = [], url: String = "") {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }
}
