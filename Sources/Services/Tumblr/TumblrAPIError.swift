import HTTP
import JSONReading
import Posts

/// What an answer of Tumblr says is wrong: `{"meta": {"status": 404, "msg": …}, "errors": [{"title", "code", "detail"}]}`.
struct TumblrAPIError {
  private let response: Response
  /// The status in `meta`; nil if there is none.
  private let status: Int?
  private let code: Int?
  private let reason: String?

  /// The blog is shown only to people who are logged in at the web site.
  private static let onlyInDashboard = 4012

  init(_ response: Response, hiding token: Secret?) {
    self.response = response
    let meta = Self.member("meta", in: response.body)
    status = meta?.integer("status")
    // Bodies of posts are long, and hold no errors.
    let fields = response.body.count <= 64 << 10 ? JSONObject(response.body) : nil
    let first = fields?.objects("errors", most: 1).first
    code = first?.integer("code")
    let said = first?.string("detail") ?? first?.string("title") ?? meta?.string("msg")
    reason = said.flatMap { token?.occurs(in: $0) == true ? nil : $0 }
  }

  private static func member(_ name: String, in body: [UInt8]) -> JSONObject? {
    guard let range = try? JSONSlices.member(name, in: body) else { return nil }
    return JSONObject(body, at: range)
  }

  /// Whether the server shows a post only to people who are logged in.
  var isOfDashboard: Bool { code == Self.onlyInDashboard }

  /// Whether it is in the form of this API.
  var isOfTumblr: Bool { status != nil }

  /// The error; nil if the answer may hold posts.
  func error(from server: Server, hasToken: Bool, what: String, time: TimeSource) -> SourceError? {
    let why = reason.map(Bounds.reason) ?? "no reason given"
    if isOfDashboard { return hasToken ? .closed(server, what: what, reason: why) : .needsLogin(server) }
    if (200..<300).contains(response.status), let status, status != 200 {
      return .unreadable(server, reason: "\(SourceError.quoting)\(why)")
    }
    return SourceError(response, from: server, hasToken: hasToken, what: what, reason: reason, time: time)
  }
}
