import FoundationEssentials
import HTTP
import JSONReading
import Posts

/// An error of Meta's Graph API: `{"error":{"code":…,"error_subcode":…,"message":…}}`, mostly with status 400, whatever
/// the error (https://developers.facebook.com/docs/graph-api/guides/error-handling).
struct GraphAPIError {
  private let response: Response
  private let content: Content?
  private let reason: String?

  /// Reads an answer. Text that repeats the token is dropped.
  init(_ response: Response, hiding token: Secret?) {
    self.response = response
    content = Self.said(in: response.body)
    reason = (content?.shown ?? content?.message).flatMap { token?.occurs(in: $0) == true ? nil : $0 }
  }

  /// Whether the cursor is no longer valid: its posts are older than what the server shows.
  var isOfCursor: Bool { content?.code == 100 && content?.message?.lowercased().contains("cursor") == true }

  /// What people can do about it.
  enum Meaning: Equatable { case later, failing, logIn, forbidden, wrong, missing, spent, plain }

  /// The error in the answer; nil if it may hold posts.
  func error(from server: Server, hasToken: Bool, what: String, time: TimeSource) -> SourceError? {
    let why = reason.map(Bounds.reason) ?? "no reason given"
    switch content.map({ Self.meaning($0.code, $0.subcode, isTransient: $0.isTransient) }) ?? .plain {
    case .later: return judged(429, server, hasToken, what, time)
    case .failing: return .serverFailed(server, status: max(500, response.status))
    case .logIn: return hasToken ? .tokenRefused(server) : .needsLogin(server)
    case .forbidden: return hasToken ? .forbidden(server, reason: why) : .needsLogin(server)
    case .wrong: return .unreadable(server, reason: "it says: \(why)")
    case .missing: return .notFound(server, what: what)
    case .spent: return .tagsSpent(server, tag: nil, until: nil, asked: time.now(), others: [])
    case .plain:
      if content != nil, (200..<300).contains(response.status) { return .unreadable(server, reason: "it says: \(why)") }
      return judged(response.status, server, hasToken, what, time)
    }
  }

  /// Codes sorted by what people can do about them, after the guide named above; those of hashtags after
  /// https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes.
  static func meaning(_ code: Int?, _ subcode: Int?, isTransient: Bool) -> Meaning {
    switch (code, subcode) {
    case (_, 2_207_034), (18, _): return .spent
    case (_, 2_207_024), (24, _), (100, 33): return .missing
    case (190, _), (102, _): return .logIn
    case (4, _), (17, _), (32, _), (341, _), (613, _), ((80_000...80_014)?, _): return .later
    case (1, _), (2, _): return .failing
    case (3, _), (10, _), ((200...299)?, _), (368, _): return .forbidden
    case (100, _): return .wrong
    default: return isTransient ? .failing : .plain
    }
  }

  private func judged(
    _ status: Int, _ server: Server, _ hasToken: Bool, _ what: String, _ time: TimeSource
  ) -> SourceError? {
    var meant = response
    meant.status = status
    return SourceError(
      meant, from: server, hasToken: hasToken, what: what, reason: reason, time: time, rates: .meta)
  }

  private static func said(in body: [UInt8]) -> Content? {
    guard let range = (try? JSONSlices.member("error", in: body)) ?? nil, range.count <= 64 << 10 else { return nil }
    return JSONObject(body, at: range).map(Content.init)
  }

  private struct Content {
    var code, subcode: Int?
    var message, shown: String?
    var isTransient: Bool

    init(_ fields: JSONObject) {
      code = fields.integer("code")
      subcode = fields.integer("error_subcode")
      message = fields.string("message")
      shown = fields.string("error_user_msg")
      isTransient = fields.bool("is_transient") ?? false
    }
  }
}
