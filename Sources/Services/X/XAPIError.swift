import HTTP
import JSONReading
import Posts

/// An error of X's APIs: a problem (`{"title":…,"detail":…,"type":…}`), problems in `errors` beside the available data,
/// or the older API's codes in `errors`.
struct XAPIError {
  private let response: Response
  private let content: Content?
  private let token: Secret?

  /// Reads an answer. Text that repeats the token is dropped.
  init(_ response: Response, hiding token: Secret?) {
    self.response = response
    self.token = token
    content = response.body.count <= 64 << 10 ? Self.said(in: response.body) : nil
  }

  /// Whether the answer has X's form, with problems or codes.
  var isOfX: Bool { content?.problem != nil || content?.errors.isEmpty == false }

  /// The error in the answer; nil if it may hold posts. With a success status, problems count only if there is nothing
  /// else.
  func error(from server: Server, hasToken: Bool, what: String, time: TimeSource) -> SourceError? {
    let isSuccess = (200..<300).contains(response.status)
    guard !isSuccess || content?.hasData != true else { return nil }
    let first = content?.errors.first
    let problem = content?.problem ?? first?.problem
    let reason = shown(first?.said ?? content?.said)
    let why = reason.map(Bounds.reason) ?? "no reason given"
    let refused: SourceError = hasToken ? .forbidden(server, reason: why) : .needsLogin(server)
    switch meaning(first?.code, problem, hasToken: hasToken) {
    case .missing: return .notFound(server, what: what)
    case .refused: return refused
    case .badToken: return hasToken ? .tokenRefused(server) : .needsLogin(server)
    case .limited: return judged(429, server, hasToken, what, reason, time)
    case .failing(let status): return .serverFailed(server, status: status)
    case .wrong: return .unreadable(server, reason: "it says: \(why)")
    case .plain:
      if isSuccess { return first == nil ? nil : .unreadable(server, reason: "it says: \(why)") }
      return judged(response.status, server, hasToken, what, reason, time)
    }
  }

  private enum Meaning { case missing, refused, badToken, limited, failing(Int), wrong, plain }

  private func meaning(_ code: Int?, _ problem: String?, hasToken: Bool) -> Meaning {
    switch code {
    case 17, 34, 50, 144: return .missing
    case 32, 89, 99, 215: return .badToken
    case 63, 64, 87, 179, 220, 326, 453: return .refused
    case 88: return .limited
    case 130: return .failing(503)
    case 131: return .failing(500)
    default: break
    }
    switch problem {
    case "resource-not-found": return .missing
    case "not-authorized-for-resource", "client-forbidden", "client-not-enrolled", "unsupported-authentication",
      "oauth1-permissions", "disallowed-resource":
      return .refused
    case "usage-capped", "rate-limit-exceeded": return .limited
    case "invalid-request": return response.status < 500 ? .wrong : .plain
    default: break
    }
    // In the older API, a user whose posts are protected.
    if response.status == 401, content?.error?.hasPrefix("Not authorized") == true { return .refused }
    return .plain
  }

  private func judged(
    _ status: Int, _ server: Server, _ hasToken: Bool, _ what: String, _ reason: String?, _ time: TimeSource
  ) -> SourceError? {
    var meant = response
    meant.status = status
    return SourceError(meant, from: server, hasToken: hasToken, what: what, reason: reason, time: time)
  }

  private func shown(_ reason: String?) -> String? {
    reason.flatMap { token?.occurs(in: $0) == true ? nil : $0 }
  }
}

extension XAPIError {
  /// One error, of either API.
  private struct Content {
    var code: Int?
    var error, said: String?
    var problem: String?
    var errors: [Content] = []
    var hasData = false

    /// An error without content.
    init() {}

    init(_ fields: JSONObject) {
      code = fields.integer("code")
      error = fields.string("error")
      said = fields.string("detail") ?? fields.string("message") ?? fields.string("title") ?? error
      let type = fields.string("type")
      problem = type.flatMap { $0.contains("/problems/") ? $0.split(separator: "/").last.map(String.init) : nil }
    }
  }

  private static func said(in body: [UInt8]) -> Content? {
    var content = Content()
    if let fields = JSONObject(body) {
      content = Content(fields)
      content.hasData = fields.has("data") || fields.has("statuses")
      content.errors = fields.list("errors", most: 10).map { $0.object.map(Content.init) ?? Content() }
    } else {
      // The older API returns a user's posts as a bare list.
      guard (try? JSONSlices.elements(of: body)) != nil else { return nil }
      content.hasData = true
    }
    return content
  }
}
