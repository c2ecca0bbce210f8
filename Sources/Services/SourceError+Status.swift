import HTTP
import JSONReading
import Posts

extension SourceError {
  /// The error for an answer's status by RFC 9110; nil if the answer may hold posts.
  ///
  /// - Parameter reason: The server's own reason, if it gave one.
  /// - Parameter what: The requested thing, as text for people.
  /// - Parameter rates: The fields by which the service states limits.
  init?(
    _ response: Response, from server: Server, hasToken: Bool, what: String, reason: String?, time: TimeSource,
    rates: RateDialect = .common
  ) {
    if response.protection != nil {
      self = .blocked(server)
      return
    }
    let why = reason.map(Bounds.reason) ?? "status \(response.status)"
    let said = reason == nil ? why : "\(Self.quoting)\(why)"
    switch response.status {
    case 200..<300: return nil
    case 401: self = hasToken ? .tokenRefused(server) : .needsLogin(server)
    case 403: self = hasToken ? .forbidden(server, reason: why) : .needsLogin(server)
    case 404, 410: self = .notFound(server, what: what)
    case 420, 429:
      let now = time.now()
      let rate = RateLimit(headers: response.headers, now: now, dialect: rates)
      self = .rateLimited(server, until: rate.resetsAt, asked: now)
    case 408, 425, 500..<600: self = .serverFailed(server, status: response.status)
    case 300..<400: self = .unreadable(server, reason: "it leads elsewhere, status \(response.status)")
    default: self = .unreadable(server, reason: said)
    }
  }
}

extension JSONSlices.Fault {
  /// Why an answer is not a list of posts, as a message; this number was requested.
  func message(asked: Int) -> String {
    switch self {
    case .empty: "it is empty"
    case .markup: "it is a web page"
    case .object, .notAnArray: "it is not a list of posts"
    case .truncated: "it breaks off"
    case .tooDeep: "it is nested too deep"
    case .tooMany(let most): "it holds more than \(most) posts where \(asked) were asked for"
    case .malformed(let offset): "it is not JSON from byte \(offset) on"
    }
  }
}
