/// A text that never shows itself: tokens, client secrets, codes.
///
/// Printing, interpolating, dumping or logging it gives `<secret>`; `reveal()` is the one way out.
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

/// Header fields in the order they stand; names are compared without regard to case (RFC 9110, 5.1).
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
  /// Name and value, as sent.
  public var fields: [(name: String, value: String)]

  /// No fields.
  public init() { fields = [] }
  /// Fields in order.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { (name: $0.0, value: $0.1) }
  }

  /// The first field of that name; setting replaces all of that name.
  public subscript(name: String) -> String? {
    get { fields.first { Self.isSame($0.name, name) }?.value }
    set {
      fields.removeAll { Self.isSame($0.name, name) }
      if let newValue { fields.append((name: name, value: newValue)) }
    }
  }

  /// Every field of that name, in order.
  public func all(_ name: String) -> [String] {
    fields.filter { Self.isSame($0.name, name) }.map(\.value)
  }

  /// Names are ASCII, and their case says nothing (RFC 9110, 5.1). Every answer is asked for some twenty of them.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

/// What is asked of a server.
public struct Request: Sendable {
  /// The methods in use.
  public enum Method: String, Sendable { case get = "GET", post = "POST" }

  /// How far a redirect is followed, five hops at most. Only GET is ever redirected.
  public enum Redirects: Sendable {
    /// To the same scheme, host and port: for requests that carry a token.
    case sameOrigin
    /// Anywhere over http or https, but not from https to http: for pictures. No credentials are ever sent along.
    case anywhere
    /// Nowhere: the answer that leads elsewhere is the answer. `isOwnPlace` says that a person chose the place, and no
    /// stranger: only then may `.netrc` be asked for its login.
    case nowhere(isOwnPlace: Bool)
  }

  /// The method.
  public var method: Method
  /// An absolute http or https URL.
  public var url: String
  /// Fields beside those the transport sets (User-Agent, Accept-Encoding).
  public var headers: Headers
  /// Sent to this origin alone, where `tokenPlace` says.
  public var token: Secret?
  /// Where the token goes: `Authorization: Bearer …` unless said otherwise.
  public var tokenPlace = TokenPlace.bearer
  /// The body of a POST.
  public var body: [UInt8]?
  /// The most body bytes taken, after decompression; more is `TransportError.tooLarge`.
  public var limit: Int
  /// The longest silence: to connect, and between bytes.
  public var patience: Duration
  /// The longest a `send` takes in all, hops included, from its turn on; more is `TransportError.timedOut`. A download
  /// may take as long as it likes while it keeps the session's pace.
  public var time: Duration
  /// The longest a download takes in all, likewise; nil where its pace is all that counts.
  public var downloadTime: Duration?
  /// Asked when its turn comes, which may be long after it was sent: where the answer is no, it ends as cancelled.
  public var isStillWanted: @Sendable () -> Bool = { true }
  /// How far a redirect is followed.
  public var redirects: Redirects
  /// The origin of the server that told of this URL, where no person did. Unless that server lies in a private network
  /// itself, the request goes into none: the address that is really connected to decides, at each hop.
  public var toldBy: String?

  /// A request; 32 MB, 30 seconds of silence and two minutes in all at most unless said otherwise.
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

  /// A POST of form fields (`application/x-www-form-urlencoded`).
  public static func form(_ url: String, _ fields: [(String, String)], token: Secret? = nil) -> Request {
    let body = fields.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
    return Request(
      .post, url, headers: ["Content-Type": "application/x-www-form-urlencoded"], token: token, body: Array(body.utf8))
  }

  /// The URL with query fields added, each percent-encoded (RFC 3986, unreserved characters stay).
  public static func address(_ base: String, _ query: [(String, String)]) -> String {
    guard !query.isEmpty else { return base }
    return base + (base.contains("?") ? "&" : "?")
      + query.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
  }

  /// Everything but unreserved characters as `%XX` of its UTF-8.
  public static func percentEncoded(_ text: String) -> String {
    var out = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        out.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        out += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return out
  }
}

/// What a server answered, whatever its status.
public struct Response: Sendable {
  /// The status code.
  public var status: Int
  /// The fields of the last answer, after redirects.
  public var headers: Headers
  /// The body; empty where it went to a sink.
  public var body: [UInt8]
  /// Where the answer came from, after redirects.
  public var url: String

  /// An answer from its parts.
  public init(status: Int, headers: Headers = [:], body: [UInt8] = [], url: String = "") {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }
}
